extension AuthService {
    /// Resumes a merge that stopped between two steps, and completes it or aborts it.
    ///
    /// A merge that has not been committed continues if both accounts are as they were when it began and its time is
    /// not over; otherwise it is aborted.
    ///
    /// - Parameter id: The merge, from its ``Merge/Result``, or as its hooks got it.
    /// - Returns: How the merge ended.
    /// - Throws: ``AuthErrorCode/mergeHookFailed`` with the hook's error as its cause,
    ///   ``AuthErrorCode/storeUnavailable``, ``AuthErrorCode/canceled``, ``AuthErrorCode/outcomeUnknown`` or
    ///   ``AuthErrorCode/mergeInProgress`` if another call carries out the same merge. Then resume again, until nothing
    ///   is thrown. A code such as
    ///   ``AuthErrorCode/mergeNotPossible`` says why the merge was aborted.
    @discardableResult
    public func resumeMerge(_ id: Merge.ID) async throws(AuthError) -> Merge.Ending {
        try await resumeMerge(id, RequestContext())
    }

    /// Resumes a merge on behalf of a request.
    @discardableResult
    func resumeMerge(_ id: Merge.ID, _ context: RequestContext) async throws(AuthError) -> Merge.Ending {
        guard let (run, intent) = try await run(of: id) else { return .nothingLeft }
        switch intent.phase {
        case .preparing, .prepared: return try await goOn(with: run, intent, context)
        case .committed:
            try await notifyCommit(run, context)
            return .merged
        case .aborted:
            try await notifyAbort(run, intent, context)
            return .aborted
        case .undone:
            try await notifyUndo(run, context)
            return .undone
        }
    }

    /// Resumes every merge that stopped between two steps, and returns how each of them ended.
    ///
    /// Call it when a service starts; ``run(every:reportingTo:)`` calls it from time to time. It looks only at accounts
    /// for which something is due. A merge whose hooks fail, or that cannot be read, does not delay the others; the
    /// next call resumes it again.
    ///
    /// - Parameter age: How long ago a merge must have begun, so that those that are being carried out are left alone.
    /// - Returns: How each merge ended.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the accounts cannot be read, or, once all others are resumed,
    ///   what kept the first merge from ending, such as ``AuthErrorCode/mergeHookFailed`` with the hook's error as the
    ///   cause.
    @discardableResult
    public func resumeMerges(olderThan age: Duration = .zero) async throws(AuthError) -> [Merge.ID: Merge.Ending] {
        var found: Set<Merge.ID> = []
        var last: Account?
        while true {
            let page = try await accounts(dueBy: environment.now - age, after: last, limit: 200)
            for account in page { if let lock = account.mergeLock { found.insert(Merge.ID(lock.intent)) } }
            guard let furthest = page.last else { break }
            last = furthest
        }
        var endings: [Merge.ID: Merge.Ending] = [:]
        var failure: AuthError?
        for id in found.sorted() {
            do {
                endings[id] = try await resumeMerge(id)
            } catch {
                // A hook may throw the error of a canceled task although this one is not.
                if Task.isCancelled { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return endings
    }

    private func goOn(
        with run: MergeRun,
        _ intent: MergeIntent,
        _ context: RequestContext
    ) async throws(AuthError) -> Merge.Ending {
        let snapshot = try await load(run.lookups)
        if !snapshot.isAsBegun(run.id, at: environment.now) {
            let aborted = try await perform(AbortMerge(run: run), context)
            try await notifyAbort(run, aborted, context)
            return .aborted
        }
        _ = try await carryOut(run, prepared: intent.phase == .preparing ? intent.prepared : nil, nil, context)
        try await notifyCommit(run, context)
        return .merged
    }

    /// Returns the stored state of a merge; nil once it is over.
    private func run(of id: Merge.ID) async throws(AuthError) -> (MergeRun, MergeIntent)? {
        let snapshot = try await load([.record(id.intentKey), .record(id.planKey)])
        guard let intent = snapshot.intent(id), let plan = snapshot.plan(id) else { return nil }
        return (MergeRun(id: id, plan: plan), intent)
    }
}
