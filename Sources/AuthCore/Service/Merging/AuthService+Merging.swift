extension AuthService {
    /// Merges one account into another: everything that can move does, and the source is closed.
    ///
    /// Both sides prove themselves anew. Where both have a method of the same provider the target's stays, unless the
    /// provider is among the choices. A factor that is owed is the error `secondFactorRequired`, whose reason says for
    /// which side; come again with that side `answering`.
    @discardableResult
    public func merge(
        _ source: MergeSide,
        into target: MergeSide,
        choices: Set<ProviderID> = [],
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> MergeResult {
        try await merge(try await beginning(source, target, nil, choices, context), target, context)
    }

    /// Says what a merge would do, and does none of it: no account changes and no code is used up.
    public func previewMerge(
        _ source: MergeSide,
        into target: MergeSide,
        choices: Set<ProviderID> = [],
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> MergePlan {
        try await walk(PreviewMerge(try await beginning(source, target, nil, choices, context)), context).outcome
    }

    /// Moves one identity from an account to another; both stay.
    ///
    /// The person ends up on the account that received. With `replacing`, an identity of the same provider there makes
    /// room; otherwise it is the error `providerAlreadyLinked`.
    @discardableResult
    public func move(
        _ provider: ProviderID,
        from source: MergeSide,
        to target: MergeSide,
        replacing: Bool = false,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> MergeResult {
        let choices: Set<ProviderID> = replacing ? [provider] : []
        return try await merge(try await beginning(source, target, provider, choices, context), target, context)
    }

    /// Says what moving an identity would do, and does none of it.
    public func previewMove(
        _ provider: ProviderID,
        from source: MergeSide,
        to target: MergeSide,
        replacing: Bool = false,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> MergePlan {
        let choices: Set<ProviderID> = replacing ? [provider] : []
        let merge = try await beginning(source, target, provider, choices, context)
        return try await walk(PreviewMerge(merge), context).outcome
    }

    /// The account into which a merged one went, by way of any number of merges; nil if it was not merged.
    ///
    /// This is for servers: a stranger who holds an old id learns no other one from it.
    public func successor(of account: AccountID) async throws(AuthError) -> AccountID? {
        var successor: AccountID?
        var id = account
        for _ in 0..<64 {
            guard let next = try await load([.account(id)]).successor(of: id) else { break }
            (successor, id) = (next, next)
        }
        return successor
    }

    private func merge(
        _ beginning: BeginMerge,
        _ target: MergeSide,
        _ context: RequestContext
    ) async throws(AuthError) -> MergeResult {
        switch try await walk(beginning, context).outcome {
        case .done(let done):
            return try result(of: done, target, isFinished: true)
        case .begun(let id, let plan, let arrival):
            let run = MergeRun(id: id, parties: MergeParties(source: plan.source, target: plan.target), plan: plan)
            do {
                try await prepare(run, prepared: [], context)
                let done = try await complete(run, arrival, context)
                return try result(of: done, target, isFinished: (try? await tellCommit(run, context)) != nil)
            } catch {
                if error.callsOffMerge { try await callOff(run, context) }
                throw error
            }
        }
    }

    private func result(
        of done: MergeDone,
        _ target: MergeSide,
        isFinished: Bool
    ) throws(AuthError) -> MergeResult {
        guard let signedIn = done.signedIn else { throw AuthError(.internalError, reasons: [.factsContradict]) }
        let session = signedIn.session
        var additional: AdditionalUserInfo?
        if case .proved(let verified) = target { additional = verified.additional }
        return MergeResult(
            result: result(of: signedIn, provider: session.basis.provider, additional: additional),
            plan: done.plan,
            id: done.id,
            undoableUntil: done.undoableUntil?.date,
            isFinished: isFinished
        )
    }
}
