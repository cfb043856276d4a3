extension Conflict {
    /// A credential that was verified once already and can be used again without the provider, until it expires.
    public struct PendingCredential: Sendable, Hashable, Codable {
        /// The provider that the credential belongs to.
        public let provider: ProviderID
        /// A random ID, under whose hash the service stores what was verified.
        package let id: OneTimeRecordID
    }
}
