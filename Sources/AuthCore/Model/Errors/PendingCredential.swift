extension Conflict {
    /// A credential that was verified once already and can be used again without the provider, until it expires.
    public struct PendingCredential: Sendable, Hashable, Codable {
        /// The provider that the credential belongs to.
        public let provider: ProviderID
        /// The name under which the service keeps what was verified.
        package let id: OneTimeRecordID
    }
}
