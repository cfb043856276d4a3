extension SignInMethod {
    /// A method as events and plans list it: what identifies it, and nothing secret.
    public struct Summary: Sendable, Hashable, Codable {
        /// What kind of method it is.
        public let kind: MethodKind
        /// The provider under which it is listed.
        public let provider: ProviderID
        /// The identity's key, for a federated method.
        public let identity: Identity.Key?
        /// The number, for a phone method.
        public let phoneNumber: PhoneNumber?
        /// When it was added.
        public let addedAt: Timestamp
        /// The generation number.
        public let generation: UInt32
        /// Whether it is suspended.
        public let isSuspended: Bool

        /// Creates the summary of a method.
        public init(_ method: borrowing SignInMethod) {
            self.init(
                method.kind,
                addedAt: method.addedAt,
                generation: method.generation,
                isSuspended: method.suspension != nil
            )
        }

        // By member, since copying a method costs more than summarizing it.
        fileprivate init(_ kind: Kind, addedAt: Timestamp, generation: UInt32, isSuspended: Bool) {
            self.kind = kind.methodKind
            provider = kind.provider
            identity = kind.identityKey
            phoneNumber = kind.phoneNumber
            self.addedAt = addedAt
            self.generation = generation
            self.isSuspended = isSuspended
        }
    }
}

extension SignInMethod.Kind {
    fileprivate var phoneNumber: PhoneNumber? {
        guard case .phone(let number) = self else { return nil }
        return number
    }
}

/// The methods of an account before and after a change.
package struct MethodsChange: Sendable, Hashable {
    let before: [SignInMethod.Summary]
    let after: [SignInMethod.Summary]
}

extension MethodsChange {
    package init(from old: [SignInMethod], to new: [SignInMethod]) {
        before = Self.summaries(of: old)
        after = Self.summaries(of: new)
    }

    private static func summaries(of methods: [SignInMethod]) -> [SignInMethod.Summary] {
        methods.indices.map { index in
            SignInMethod.Summary(
                methods[index].kind,
                addedAt: methods[index].addedAt,
                generation: methods[index].generation,
                isSuspended: methods[index].suspension != nil
            )
        }
    }

    /// Whether nothing changed.
    var isEmpty: Bool { before == after }
}
