extension Auth {
    /// Merges one account into another, whose user becomes the current one.
    ///
    /// ```swift
    /// let source = Merge.Side.verified(try await auth.verify(old))
    /// let target = Merge.Side.verified(try await auth.verify(new))
    /// print(try await auth.previewMerge(source, into: target))
    /// let merged = try await auth.merge(source, into: target)
    /// print(merged.plan)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The account that is closed.
    ///   - target: The account that stays.
    ///   - choices: The providers whose method comes from the source.
    /// - Returns: The user of the target, who is the current user from now on, and what was done.
    /// - Throws: As ``AuthClient/merge(_:into:choices:)``. An error does not change the current user.
    @discardableResult
    public func merge(
        _ source: Merge.Side,
        into target: Merge.Side,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> Merge.Result {
        await setCurrentUser(try await client.merge(source, into: target, choices: choices))
    }

    /// Returns what a merge would do now, and changes nothing.
    ///
    /// - Parameters:
    ///   - source: The account that would be closed.
    ///   - target: The account that would stay.
    ///   - choices: The providers whose method would come from the source.
    /// - Returns: The plan of the merge.
    /// - Throws: As ``AuthClient/previewMerge(_:into:choices:)``.
    public func previewMerge(
        _ source: Merge.Side,
        into target: Merge.Side,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> Merge.Plan { try await client.previewMerge(source, into: target, choices: choices) }

    /// Moves one identity to another account, whose user becomes the current one.
    ///
    /// - Parameters:
    ///   - provider: The identity's provider.
    ///   - source: The account that has the identity.
    ///   - target: The account that gets it.
    ///   - replacing: Whether an identity of the same provider on the target is removed.
    /// - Returns: The user of the target, who is the current user from now on, and what was done.
    /// - Throws: As ``AuthClient/move(_:from:to:replacing:)``. An error does not change the current user.
    @discardableResult
    public func move(
        _ provider: ProviderID,
        from source: Merge.Side,
        to target: Merge.Side,
        replacing: Bool = false
    ) async throws(AuthError) -> Merge.Result {
        await setCurrentUser(try await client.move(provider, from: source, to: target, replacing: replacing))
    }

    /// Merges the current user's anonymous account into the existing one that a link conflicted with.
    ///
    /// The identity or number that caused the conflict verifies the existing account, so this is only for the conflict
    /// of ``AuthErrorCode/credentialAlreadyInUse``. After ``AuthErrorCode/emailAlreadyInUse`` the identity belongs to
    /// no account yet and verifies none. Then let the person sign in as before, merge with that by
    /// ``mergeCurrentUser(into:)-(Merge.Side)``, and link ``Conflict/credential``:
    ///
    /// ```swift
    /// let owner = try await auth.verify(await existing())
    /// let merged = try await auth.mergeCurrentUser(into: .verified(owner))
    /// try await merged.result.user.link(with: conflict.credential)
    /// ```
    ///
    /// - Parameter conflict: The conflict, from the error ``AuthErrorCode/credentialAlreadyInUse`` of the link.
    /// - Returns: The user of the existing account, who is the current user from now on, and what was done.
    /// - Throws: ``AuthErrorCode/noCurrentUser`` if no user is signed in, ``AuthErrorCode/secondFactorRequired`` with
    ///   the challenge if the existing account has a second factor: continue with
    ///   ``mergeCurrentUser(into:)-(Merge.Side)`` and ``Merge/Side/answering(_:_:)``; or an error of
    ///   ``AuthClient/verify(_:)`` or ``AuthClient/merge(_:into:choices:)``. An error does not change the current user.
    @discardableResult
    public func mergeCurrentUser(into conflict: Conflict) async throws(AuthError) -> Merge.Result {
        // Another user may be signed in while the conflict is verified.
        guard let user = currentUser else { throw AuthError(.noCurrentUser) }
        return try await merge(.anonymous(user), into: .verified(try await verify(conflict.credential)))
    }

    /// Merges the current user's anonymous account into an existing one.
    ///
    /// - Parameter target: The existing account.
    /// - Returns: The user of the existing account, who is the current user from now on, and what was done.
    /// - Throws: ``AuthErrorCode/noCurrentUser`` if no user is signed in, or an error of
    ///   ``AuthClient/merge(_:into:choices:)``. An error does not change the current user.
    @discardableResult
    public func mergeCurrentUser(into target: Merge.Side) async throws(AuthError) -> Merge.Result {
        guard let user = currentUser else { throw AuthError(.noCurrentUser) }
        return try await merge(.anonymous(user), into: target)
    }

    /// Undoes a merge or move, and signs in to the account of the side that was verified, if it can be signed in to
    /// with that.
    ///
    /// ```swift
    /// let side = Merge.Side.verified(try await auth.verify(credential))
    /// let undone = try await auth.undoMerge(id, verifiedBy: side)
    /// print(undone.plan)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The merge, from its ``Merge/Result`` or from the code of a notice about it (``ActionCode/merge``).
    ///   - side: A new verification of a method that one of the sides had before the merge.
    /// - Returns: What was undone.
    /// - Throws: As ``AuthClient/undoMerge(_:verifiedBy:)``.
    @discardableResult
    public func undoMerge(_ id: Merge.ID, verifiedBy side: Merge.Side) async throws(AuthError) -> Merge.UndoResult {
        let undone = try await client.undoMerge(id, verifiedBy: side)
        if let result = undone.result { _ = await setCurrentUser(result) } else { await noticeEndedSession() }
        return undone
    }

    private func setCurrentUser(_ merged: Merge.Result) async -> Merge.Result {
        _ = await setCurrentUser(merged.result)
        return merged
    }
}
