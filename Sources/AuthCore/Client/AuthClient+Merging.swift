extension AuthClient {
    /// Merges one account into another: moves everything that can move, and closes the source.
    ///
    /// Both sides must be verified again. Where both accounts have a method of the same provider, the target's stays,
    /// unless the provider is among the choices.
    ///
    /// ```swift
    /// let source = Merge.Side.verified(try await client.verify(old))
    /// let target = Merge.Side.verified(try await client.verify(new))
    /// let merged = try await client.merge(source, into: target)
    /// print(merged.plan, merged.isFinished)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The account that is closed.
    ///   - target: The account that stays.
    ///   - choices: The providers whose method comes from the source.
    /// - Returns: The user of the target, in a new session, and what was done.
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` if a side requires a second factor; the reason says which.
    ///   Call again with that side as ``Merge/Side/answering(_:_:)``. ``AuthErrorCode/outcomeUnknown`` if a merge with
    ///   hooks was interrupted after it began: the service resumes it. ``AuthErrorCode/unverifiedEmail`` if factors
    ///   would move to an account without a verified address, or a verified account into one that can be adopted.
    ///   ``AuthErrorCode/lastMethod`` if nothing could sign in afterwards. ``AuthErrorCode/mergeHookFailed`` if a hook
    ///   could not prepare. ``AuthErrorCode/sealedSecretUnreadable`` if the key of a moving seed is gone.
    ///   ``AuthErrorCode/mergeNotPossible``, ``AuthErrorCode/mergeInProgress``, ``AuthErrorCode/tooManyRequests``, or
    ///   the code that says what is wrong with a side.
    @discardableResult
    public func merge(
        _ source: Merge.Side,
        into target: Merge.Side,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> Merge.Result {
        try await carryOut(try await beginning(source, target, nil, choices), target)
    }

    /// Returns what a merge would do now, and changes nothing.
    ///
    /// If a side requires a second factor, the preview reports only that, and creates no challenge:
    /// ``merge(_:into:choices:)`` does.
    ///
    /// - Parameters:
    ///   - source: The account that would be closed.
    ///   - target: The account that would stay.
    ///   - choices: The providers whose method would come from the source.
    /// - Returns: The plan of the merge.
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` without a challenge if a side requires a second factor, or
    ///   another error of ``merge(_:into:choices:)`` that a decision gives.
    public func previewMerge(
        _ source: Merge.Side,
        into target: Merge.Side,
        choices: Set<ProviderID> = []
    ) async throws(AuthError) -> Merge.Plan {
        let merge = try await beginning(source, target, nil, choices, forPreview: true)
        return try await service.previewedOutcome(of: merge, context).outcome.plan
    }

    /// Moves one identity from an account to another; both accounts stay.
    ///
    /// - Parameters:
    ///   - provider: The identity's provider.
    ///   - source: The account that has the identity.
    ///   - target: The account that gets it.
    ///   - replacing: Whether an identity of the same provider on the target is removed.
    /// - Returns: The user of the target, in a new session, and what was done.
    /// - Throws: ``AuthErrorCode/noSuchProvider`` if the source has no such method,
    ///   ``AuthErrorCode/providerAlreadyLinked`` if the target has an identity of the provider and nothing is
    ///   to be replaced, or an error of ``merge(_:into:choices:)``.
    @discardableResult
    public func move(
        _ provider: ProviderID,
        from source: Merge.Side,
        to target: Merge.Side,
        replacing: Bool = false
    ) async throws(AuthError) -> Merge.Result {
        try await carryOut(try await beginning(source, target, provider, replacing ? [provider] : []), target)
    }

    /// Returns what moving an identity would do now, and changes nothing.
    ///
    /// - Parameters:
    ///   - provider: The identity's provider.
    ///   - source: The account that has the identity.
    ///   - target: The account that would get it.
    ///   - replacing: Whether an identity of the same provider on the target would be removed.
    /// - Returns: The plan of the move.
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` without a challenge if a side requires a second factor, or
    ///   another error of ``move(_:from:to:replacing:)`` that a decision gives.
    public func previewMove(
        _ provider: ProviderID,
        from source: Merge.Side,
        to target: Merge.Side,
        replacing: Bool = false
    ) async throws(AuthError) -> Merge.Plan {
        let move = try await beginning(source, target, provider, replacing ? [provider] : [], forPreview: true)
        return try await service.previewedOutcome(of: move, context).outcome.plan
    }

    /// Undoes a merge or move.
    ///
    /// What moved and is still on the target, unchanged, goes back; a closed account is restored with its own ID. What
    /// did not move when the accounts were merged cannot be restored.
    ///
    /// ```swift
    /// let side = Merge.Side.verified(try await client.verify(credential))
    /// let undone = try await client.undoMerge(id, verifiedBy: side)
    /// print(undone.plan, undone.isFinished)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The merge, from its ``Merge/Result`` or from the code of a notice about it (``ActionCode/merge``).
    ///   - side: A new verification of a method that one of the sides had before the merge.
    /// - Returns: What was undone.
    /// - Throws: ``AuthErrorCode/secondFactorRequired`` if the side requires a second factor: call again with it as
    ///   ``Merge/Side/answering(_:_:)``. ``AuthErrorCode/lastMethod`` or ``AuthErrorCode/unverifiedEmail`` if the
    ///   account that stays would have no method, or no address for its factors, ``AuthErrorCode/mergeInProgress``,
    ///   ``AuthErrorCode/mergeNotPossible`` if the time for it is over, ``AuthErrorCode/mergeHookFailed`` if a hook of
    ///   an earlier merge that must end first fails, or the code that says what is wrong with the side.
    @discardableResult
    public func undoMerge(_ id: Merge.ID, verifiedBy side: Merge.Side) async throws(AuthError) -> Merge.UndoResult {
        let run = try await service.undoable(id, context)
        let (undone, isFinished) = try await service.undo(run, by: try await party(side, in: "UndoMerge"), context)
        return Merge.UndoResult(
            result: undone.signedIn.map { result($0, by: $0.session.basis.provider) },
            plan: undone.plan,
            isFinished: isFinished
        )
    }

    /// Returns the requested merge, with both sides looked up; one that is not only previewed is counted.
    func beginning(
        _ source: Merge.Side,
        _ target: Merge.Side,
        _ moving: ProviderID?,
        _ choices: Set<ProviderID>,
        forPreview isPreview: Bool = false
    ) async throws(AuthError) -> BeginMerge {
        let giver = try await party(source, in: "BeginMerge")
        let receiver = try await party(target, in: "BeginMerge")
        if !isPreview {
            let ids = [giver, receiver].compactMap(\.account)
            let accounts = try await service.abortOverdueMerges(of: ids, context)
            let account = accounts.first { $0.id == receiver.account }
            let handle: ActingHandle? = if case .session(let guest) = giver { guest } else { nil }
            try await service.countVisit(by: handle, about: account, "BeginMerge", context)
        }
        var merge = try await service.beginning(giver, receiver, moving, choices)
        merge.isPreview = isPreview
        return merge
    }

    private func carryOut(_ merge: BeginMerge, _ target: Merge.Side) async throws(AuthError) -> Merge.Result {
        let (done, isFinished) = try await service.merge(merge, context)
        guard let signedIn = done.signedIn else { throw AuthError(.internalError, reasons: [.factsContradict]) }
        var additional: AdditionalUserInfo?
        if case .verified(let verified) = target { additional = verified.additional }
        return Merge.Result(
            result: result(signedIn, by: signedIn.session.basis.provider, additional),
            plan: done.plan,
            id: done.id,
            undoableUntil: done.undoableUntil?.date,
            isFinished: isFinished
        )
    }

    /// Returns one side of a merge, with the account that its proof appears to belong to.
    private func party(_ side: Merge.Side, in operation: String) async throws(AuthError) -> MergeParty {
        switch side {
        case .anonymous(let user): .session(user.handle)
        case .verified(let verified): try await service.party(verified)
        case .answering(let challenge, let assertion):
            try await service.party(challenge, assertion, in: operation, context)
        }
    }
}
