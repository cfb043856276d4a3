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
        @inline(__always)
        public init(_ method: borrowing SignInMethod) {
            kind = method.kind.methodKind
            provider = method.kind.provider
            identity = method.identityKey
            phoneNumber = method.phoneNumber
            addedAt = method.addedAt
            generation = method.generation
            isSuspended = !method.isActive
        }
    }

    fileprivate var phoneNumber: PhoneNumber? {
        guard case .phone(let number) = kind else { return nil }
        return number
    }
}

/// The methods of an account before and after a change.
package struct MethodsChange: Sendable, Hashable {
    let before: [SignInMethod.Summary]
    let after: [SignInMethod.Summary]

    package init(from old: [SignInMethod], to new: [SignInMethod]) {
        // By index, since copying a method costs more than looking at it.
        before = old.indices.map { SignInMethod.Summary(old[$0]) }
        after = new.indices.map { SignInMethod.Summary(new[$0]) }
    }

    init(before: [SignInMethod.Summary], after: [SignInMethod.Summary]) {
        self.before = before
        self.after = after
    }

    /// Whether nothing changed.
    var isEmpty: Bool { before == after }
}
