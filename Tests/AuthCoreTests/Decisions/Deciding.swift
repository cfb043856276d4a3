@testable import AuthCore
import AuthCoreTesting

extension AuthService {
    /// What the rules would decide now, with the reasons of what they grant; nothing is written.
    func decision<O: Operation>(
        of operation: O,
        under other: AuthPolicy? = nil,
        context: RequestContext = RequestContext()
    ) async throws -> Decision<O.Outcome> {
        let decision = operation.judge(
            try await load(for: operation, request(under: other, context: context)),
            by: ruling(under: other, context: context)
        )
        Journal.note(decision.changes, decision.reasons)
        return decision
    }

    func ruling(under other: AuthPolicy? = nil, context: RequestContext = RequestContext()) -> Ruling {
        Ruling(request(under: other, context: context), now: environment.now, fresh: environment.freshIdentifiers())
    }

    func request(under other: AuthPolicy? = nil, context: RequestContext = RequestContext()) -> Request {
        Request(Rulebook(other ?? policy), context)
    }
}

extension Decision {
    /// The refusal; nil for what is granted.
    var refusal: Refusal? {
        guard case .refused(let refusal) = verdict else { return nil }
        return refusal
    }
}

extension User {
    /// The handle that the person's operations act with.
    var acting: ActingHandle { ActingHandle(session: session.id, account: account.id) }
}
