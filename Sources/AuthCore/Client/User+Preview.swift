extension User {
    /// Returns what linking this sign-in method would do now, and changes nothing.
    ///
    /// ```swift
    /// func explainLink(of credential: AuthCredential, on auth: Auth) async throws -> String {
    ///     guard let user = auth.currentUser else { return "No user is signed in." }
    ///     return try await user.previewLink(with: auth.verify(credential)).description
    /// }
    /// ```
    ///
    /// - Parameter verified: The result of ``AuthClient/verify(_:)``.
    /// - Returns: The answer, what would change, and why.
    /// - Throws: ``AuthErrorCode/operationNotAllowed`` for a kind of credential that is never linked, or the store's
    ///   error; any other refusal is part of the preview.
    public func previewLink(with verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await service.previewed(LinkMethod(handle: handle, method: try NewMethod(adding: verified.proof)), context)
    }

    /// Returns what unlinking a provider would do now, and changes nothing.
    ///
    /// - Parameter provider: The provider.
    /// - Returns: The answer, what would change, and why.
    /// - Throws: The store's error; any refusal is part of the preview.
    public func previewUnlink(_ provider: ProviderID) async throws(AuthError) -> Preview {
        try await service.previewed(Unlink(handle: handle, provider: provider), context)
    }

    /// Returns what replacing a provider's sign-in method would do now, and changes nothing.
    ///
    /// - Parameters:
    ///   - old: The provider whose method would be removed.
    ///   - verified: The result of ``AuthClient/verify(_:)``.
    /// - Returns: The answer, what would change, and why.
    /// - Throws: As ``previewLink(with:)``.
    public func previewReplace(
        _ old: ProviderID,
        with verified: VerifiedCredential
    ) async throws(AuthError) -> Preview {
        try await service.previewed(
            ReplaceMethod(handle: handle, old: old, new: try NewMethod(adding: verified.proof)),
            context
        )
    }
}
