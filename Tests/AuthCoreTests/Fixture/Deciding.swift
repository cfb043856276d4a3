@testable import AuthCore
import AuthCoreTesting

extension AuthService {
    /// What the rules would decide now, with the reasons of what they grant; nothing is written.
    func decision<O: Operation>(
        of operation: O,
        under other: AuthPolicy? = nil,
        context: RequestContext = RequestContext()
    ) async throws -> Decision<O.Outcome> {
        operation.decision(
            on: try await load(for: operation, request(under: other, context: context)),
            decisionContext(under: other, context: context)
        )
    }

    func decisionContext(under other: AuthPolicy? = nil, context: RequestContext = RequestContext()) -> DecisionContext
    {
        DecisionContext(
            request(under: other, context: context),
            now: environment.now,
            fresh: environment.freshIdentifiers()
        )
    }

    func request(under other: AuthPolicy? = nil, context: RequestContext = RequestContext()) -> Request {
        Request(SharedPolicy(other ?? policy), context)
    }
}

extension Decision {
    var changes: ChangeSet { transaction.changes }

    var reasons: [Reason] { transaction.reasons }

    /// The refusal; nil for what is granted.
    var refusal: Refusal? {
        guard case .failure(let refusal) = result else { return nil }
        return refusal
    }
}

extension User {
    /// The handle that the person's operations act with.
    var acting: ActingHandle { ActingHandle(session: session.id, account: account.id) }
}
