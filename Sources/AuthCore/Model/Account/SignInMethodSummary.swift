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
            kind = method.kind.methodKind
            provider = method.kind.provider
            identity = method.identity?.key
            if case .phone(let number) = method.kind { phoneNumber = number } else { phoneNumber = nil }
            addedAt = method.addedAt
            generation = method.generation
            isSuspended = method.suspension != nil
        }
    }
}
