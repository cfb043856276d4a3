extension Auth {
    /// Merges one account into another and seats its person; see the service's `merge`.
    @discardableResult
    public func merge(
        _ source: MergeSide,
        into target: MergeSide,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> MergeResult {
        await seat(try await service.merge(source, into: target, choices: choices, context: context))
    }

    /// Says what a merge would do, and does none of it.
    public func previewMerge(
        _ source: MergeSide,
        into target: MergeSide,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> MergePlan {
        try await service.previewMerge(source, into: target, choices: choices, context: context)
    }

    /// Moves one identity from an account to another, and seats the person on the one that received.
    @discardableResult
    public func move(
        _ provider: ProviderID,
        from source: MergeSide,
        to target: MergeSide,
        replacing: Bool = false
    ) async throws(AuthError) -> MergeResult {
        await seat(
            try await service.move(provider, from: source, to: target, replacing: replacing, context: context)
        )
    }

    /// Merges the anonymous account of this seat into the existing one that a link met.
    ///
    /// The identity that met the conflict proves the existing account. If that has a second factor, the error carries
    /// the challenge: go on with `mergeCurrentUser(into: .answering(challenge, assertion))`.
    @discardableResult
    public func mergeCurrentUser(into conflict: Conflict) async throws(AuthError) -> MergeResult {
        guard currentUser != nil else { throw AuthError(.nullUser) }
        return try await mergeCurrentUser(into: .proved(try await verify(conflict.credential)))
    }

    /// Merges the anonymous account of this seat into an existing one.
    @discardableResult
    public func mergeCurrentUser(into target: MergeSide) async throws(AuthError) -> MergeResult {
        guard let user = currentUser else { throw AuthError(.nullUser) }
        return try await merge(.anonymous(user), into: target)
    }

    /// Takes a merge or move back, and seats the person of the side that was proved.
    @discardableResult
    public func undoMerge(_ id: MergeID, provedBy side: MergeSide) async throws(AuthError) -> MergeUndoResult {
        let undone = try await service.undoMerge(id, provedBy: side, context: context)
        if let result = undone.result { _ = await seat(result) }
        return undone
    }

    private func seat(_ merged: MergeResult) async -> MergeResult {
        _ = await seat(merged.result)
        return merged
    }
}
