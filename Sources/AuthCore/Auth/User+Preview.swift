extension User {
    /// What adding this way in would do now.
    public func previewLink(with verified: VerifiedCredential) async throws(AuthError) -> Preview {
        try await service.foresee(LinkMethod(handle: handle, method: try newMethod(verified)), context)
    }

    /// What taking a provider's ways in off the account would do now.
    public func previewUnlink(_ provider: ProviderID) async throws(AuthError) -> Preview {
        try await service.foresee(Unlink(handle: handle, provider: provider), context)
    }

    /// What putting this way in into the place of a provider's would do now.
    public func previewReplace(
        _ old: ProviderID,
        with verified: VerifiedCredential
    ) async throws(AuthError) -> Preview {
        try await service.foresee(ReplaceMethod(handle: handle, old: old, new: try newMethod(verified)), context)
    }
}
