/// The steps of a merge between which hooks are called; the process may crash after each of them.
extension AuthService {
    /// Calls `prepare` of the hooks that have not prepared yet, unless `prepared` is nil, and commits the merge.
    ///
    /// An error that aborts the merge does so before it is thrown; if the store fails then, `outcomeUnknown` is
    /// thrown, and the merge is left to be resumed.
    func carryOut(
        _ run: MergeRun,
        prepared: [String]?,
        _ sides: VerifiedSides?,
        _ context: RequestContext
    ) async throws(AuthError) -> MergeDone {
        do {
            if let prepared { try await prepare(run, prepared: prepared, context) }
            return try await complete(run, sides, context)
        } catch {
            guard error.abortsMerge else { throw error }
            let intent: MergeIntent?
            // Also where the caller was canceled, which a hook may tell by an error of its own.
            do { intent = try await shielded { try await self.perform(AbortMerge(run: run), context) } } catch {
                // A refusal says what has become of the merge elsewhere.
                if let refusal = error as? AuthError, refusal.abortsMerge { throw refusal }
                throw AuthError(.outcomeUnknown, cause: error)
            }
            // A hook that fails to abort is notified again when the merge is resumed.
            try? await shielded { try await self.notifyAbort(run, intent, context) }
            throw error
        }
    }

    /// Calls `prepare` of every hook that has not prepared yet, and records each success.
    private func prepare(_ run: MergeRun, prepared: [String], _ context: RequestContext) async throws(AuthError) {
        let hooks = configuration.mergeHooks
        for (index, hook) in hooks.enumerated() {
            let isLast = index == hooks.count - 1
            // Of several hooks with one name, the record says of the first only that it prepared.
            let isFirst = !hooks[..<index].contains { $0.name == hook.name }
            if isFirst, !isLast, prepared.contains(hook.name) { continue }
            try await call { try await hook.prepare(run.plan, id: run.id) }
            // While the hook was slow, another process may have prepared and notified all.
            let note = NotePreparation(run: run, hook: hook.name, isLast: isLast)
            guard try await perform(note, context) else { return }
        }
    }

    /// Commits the merge, after all hooks have prepared.
    private func complete(
        _ run: MergeRun,
        _ sides: VerifiedSides?,
        _ context: RequestContext
    ) async throws(AuthError) -> MergeDone {
        // A move leaves the factors where they are.
        let isMove = run.plan.identity != nil
        let seeds = isMove ? [:] : try reseal(try await load([.account(run.source)])[run.source], for: run.target)
        return try await perform(CompleteMerge(run: run, sides: sides, seeds: seeds), context)
    }

    /// Notifies every hook that the merge is committed, and releases the merge lock.
    func notifyCommit(_ run: MergeRun, _ context: RequestContext) async throws(AuthError) {
        for hook in configuration.mergeHooks {
            // While the one before was slow, another process may have notified all, and the merge may even be undone. A
            // store that fails now keeps no hook from being notified.
            let seen = try? await load([.record(run.id.intentKey)])
            if let seen, seen.intent(run.id)?.phase != .committed { return }
            try await call { try await hook.commit(run.plan, id: run.id) }
        }
        try await perform(FinishMerge(run: run, phase: .committed), context)
    }

    /// Notifies every hook, in the reverse order, that the merge is undone, and releases the merge lock.
    func notifyUndo(_ run: MergeRun, _ context: RequestContext) async throws(AuthError) {
        for hook in configuration.mergeHooks.reversed() {
            try await call { try await hook.undo(run.plan, id: run.id) }
        }
        try await perform(FinishMerge(run: run, phase: .undone), context)
    }

    /// Notifies every hook that may have begun to prepare that the merge is aborted, in the reverse order.
    ///
    /// All of them if another attempt is done with that, since one may have prepared afterwards.
    func notifyAbort(_ run: MergeRun, _ intent: MergeIntent?, _ context: RequestContext) async throws(AuthError) {
        let hooks = configuration.mergeHooks
        // The hook after the last one that prepared may have been called; others may stand before them since.
        let prepared = hooks.lastIndex { intent?.prepared.contains($0.name) ?? true }.map { $0 + 1 } ?? 0
        for hook in hooks.prefix(prepared + 1).reversed() {
            try await call { try await hook.abort(run.plan, id: run.id) }
        }
        try await perform(FinishMerge(run: run, phase: .aborted), context)
    }

    private func call(_ hook: () async throws -> Void) async throws(AuthError) {
        do { try await hook() } catch { throw AuthError(failure: error, .mergeHookFailed) }
    }
}

extension AuthError {
    /// Whether the error aborts the merge; after a failure with an unknown outcome, the merge is left to be resumed.
    var abortsMerge: Bool { ![.canceled, .storeUnavailable, .outcomeUnknown, .mergeInProgress].contains(code) }
}
