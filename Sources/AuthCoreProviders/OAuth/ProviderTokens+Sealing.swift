public import AuthCore

extension ProviderTokens {
    /// Seals the tokens, for an app that keeps them in a database of its own.
    ///
    /// ```swift
    /// let row = try visit.tokens.sealed(by: sealer, for: visit.user.uid, of: .gitHub)
    /// let tokens = try ProviderTokens(opening: row, by: sealer, for: user.uid, of: .gitHub)
    /// ```
    ///
    /// - Parameters:
    ///   - sealer: What seals them, such as a `KeyedSecretSealer` with a key that is not in the database.
    ///   - uid: The ID of the account that the tokens belong to.
    ///   - provider: The provider that gave them.
    /// - Returns: Bytes that only this sealer opens, and only for this account and provider.
    /// - Throws: What the sealer throws.
    public func sealed(by sealer: any SecretSealer, for uid: String, of provider: ProviderID) throws -> [UInt8] {
        var fields: [String: ClaimValue] = [:]
        fields["access_token"] = accessToken.map { .string($0.revealed) }
        fields["id_token"] = idToken.map { .string($0.revealed) }
        fields["refresh_token"] = refreshToken.map { .string($0.revealed) }
        fields["scope"] = scope.map { .string($0) }
        fields["expires_in"] = lifetime.map { .integer($0.components.seconds) }
        return try sealer.seal(ClaimValue.object(fields).json(), context: Self.context(uid, provider))
    }

    /// Opens sealed tokens.
    ///
    /// - Parameters:
    ///   - sealed: What ``sealed(by:for:of:)`` returned.
    ///   - sealer: The sealer that sealed them.
    ///   - uid: The ID of the account that they were sealed for.
    ///   - provider: The provider that gave them.
    /// - Throws: What the sealer throws for other bytes, another account or another provider; `VerificationFailure` if
    ///   the opened bytes are no tokens.
    public init(
        opening sealed: [UInt8],
        by sealer: any SecretSealer,
        for uid: String,
        of provider: ProviderID
    ) throws {
        let plain = try sealer.open(sealed, context: Self.context(uid, provider))
        guard let fields = ClaimValue(json: plain, sizeLimit: plain.count) else {
            throw VerificationFailure(.malformed, "The sealed bytes must be a provider's tokens.")
        }
        self.init(
            accessToken: fields["access_token"]?.stringValue.map { Secret($0) },
            idToken: fields["id_token"]?.stringValue.map { Secret($0) },
            refreshToken: fields["refresh_token"]?.stringValue.map { Secret($0) },
            scope: fields["scope"]?.stringValue,
            lifetime: fields["expires_in"]?.integerValue.map { .seconds($0) }
        )
    }

    private static func context(_ uid: String, _ provider: ProviderID) -> String {
        // The length keeps two pairs apart that are the same text one after the other.
        "AuthCore provider tokens 1 \(uid.utf8.count) \(uid) \(provider)"
    }
}
