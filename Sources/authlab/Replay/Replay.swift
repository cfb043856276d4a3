internal import AuthCore

/// Replays traces and compares every outcome, and everything stored after every step.
struct Replay: Sendable {
    /// One difference from the recording.
    struct Difference: Sendable, CustomStringConvertible {
        let trace: String
        /// The number of the step; 0 if the store was not empty before the first, or after the last trace.
        let step: Int
        let operation: String
        let expected: String
        let got: String

        var description: String {
            let place = step > 0 ? "\(trace) step \(step) \(operation)" : trace
            return "\(place)\n  expected \(expected)\n  got      \(got)"
        }
    }

    /// The result of a replay.
    struct Report: Sendable {
        var traces = 0
        var steps = 0
        var skipped = 0
        var differences: [Difference] = []

        /// The last line of a replay.
        var summary: String {
            "traces \(traces), steps \(steps), differences \(differences.count), skipped \(skipped)"
        }
    }

    /// Makes the API that a trace with these settings is replayed against.
    let face: @Sendable (AuthPolicy) -> any ReplayFace
    /// The policy that the trace's settings are applied to.
    let policy: AuthPolicy
    /// Empties what the face of every trace stores in.
    var empty: @Sendable () async throws -> Void = {}
    var progress = ProgressLog.silent

    func replay(_ traces: [Trace]) async -> Report {
        var report = Report()
        for (index, trace) in traces.enumerated() {
            progress.begins("replaying trace \(index + 1) of \(traces.count), \(trace.name)")
            await replay(trace, into: &report)
        }
        progress.begins("emptying the store")
        await requireEmpty("after the last trace", in: &report)
        return report
    }

    /// Empties the store; false if it cannot, which is a difference.
    @discardableResult
    private func requireEmpty(_ place: String, in report: inout Report) async -> Bool {
        do {
            try await empty()
            return true
        } catch {
            report.differences.append(
                Difference(trace: place, step: 0, operation: "", expected: "an empty store", got: "\(error)")
            )
            return false
        }
    }

    /// What a trace's protection means under the policy that it is replayed with.
    private func disclosure(of trace: Trace) -> AuthPolicy.Disclosure {
        guard trace.isProtected ?? (policy.disclosure == .protected) else { return .detailed }
        return policy.disclosure == .detailed ? .protected : policy.disclosure
    }

    private func replay(_ trace: Trace, into report: inout Report) async {
        report.traces += 1
        var policy = policy
        policy.accountsPerEmail = trace.accountsPerEmail
        policy.disclosure = disclosure(of: trace)
        guard await requireEmpty(trace.name, in: &report) else { return }
        let face = face(policy)
        var names: [AccountID: String] = [:]
        var expectedState: [String: ClaimValue] = [:]
        for (index, step) in trace.steps.enumerated() {
            report.steps += 1
            face.advanceClock()
            let outcome = await face.perform(step)
            let stored = await face.accounts()
            for account in stored where names[account.id] == nil {
                let name = "u\(names.count + 1)"
                names[account.id] = name
                face.name(account.id, name)
            }
            for (name, state) in step.changes { expectedState[name] = state.isNull ? nil : state }
            let got = comparable(outcome, like: step.expectation, names)
            let expected = ClaimValue.object(step.expectation)
            var gotState: [String: ClaimValue] = [:]
            for account in stored {
                guard let name = names[account.id] else { continue }
                gotState[name] = .recorded(account, isEmailVerified: face.isEmailVerified(account))
            }
            func differ(_ expected: ClaimValue, _ got: ClaimValue) {
                report.differences.append(
                    Difference(
                        trace: trace.name,
                        step: index + 1,
                        operation: step.operation,
                        expected: expected.text,
                        got: got.text
                    )
                )
            }
            if got != expected { differ(expected, got) }
            for name in Set(expectedState.keys).union(gotState.keys).sorted()
            where expectedState[name] != gotState[name] {
                differ([name: expectedState[name] ?? .null], [name: gotState[name] ?? .null])
            }
        }
    }

    /// The outcome in the form of the recording, without what the recording does not mention.
    private func comparable(
        _ outcome: ReplayOutcome,
        like expectation: [String: ClaimValue],
        _ names: [AccountID: String]
    ) -> ClaimValue {
        var got: [String: ClaimValue] = [:]
        if let error = outcome.error { got["error"] = .string(error) }
        if expectation["email"] != nil, let email = outcome.email { got["email"] = .string(email) }
        if outcome.error != nil { return .object(got) }
        if expectation["user"] != nil, let account = outcome.account, let name = names[account] {
            got["user"] = .string(name)
        }
        if expectation["isNewUser"] != nil, let isNew = outcome.isNewUser { got["isNewUser"] = .bool(isNew) }
        if expectation["methods"] != nil, let methods = outcome.methods {
            got["methods"] = .array(methods.map { .string($0) })
        }
        return .object(got)
    }
}

extension ClaimValue {
    fileprivate var text: String { String(decoding: json(), as: UTF8.self) }

    /// An account in the form of the recordings.
    static func recorded(_ account: Account, isEmailVerified: Bool) -> ClaimValue {
        var state: [String: ClaimValue] = [:]
        if let email = account.email {
            state["email"] = .string(email.text)
            state["emailVerified"] = .bool(isEmailVerified)
        }
        if let number = account.phoneNumber { state["phoneNumber"] = .string(number.text) }
        if let name = account.displayName { state["displayName"] = .string(name) }
        let kinds = account.methods.map(\.kind.methodKind)
        if kinds.contains(.password) { state["hasPassword"] = true }
        if kinds.contains(.emailLink) { state["emailLink"] = true }
        if account.isDisabled { state["disabled"] = true }
        let numbers = account.factors.compactMap(\.phoneNumber).sorted()
        if !numbers.isEmpty { state["secondFactors"] = .array(numbers.map { .string($0.text) }) }
        state["providers"] = .array(
            account.providerData
                .sorted { $0.provider < $1.provider }
                .map { entry in
                    var shown: [String: ClaimValue] = [
                        "id": .string(entry.provider.rawValue), "uid": .string(entry.uid),
                    ]
                    if let email = entry.email { shown["email"] = .string(email) }
                    return .object(shown)
                }
        )
        return .object(state)
    }
}
