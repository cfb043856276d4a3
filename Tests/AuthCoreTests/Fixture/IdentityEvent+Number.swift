@testable import AuthCore

extension IdentityEvent {
    /// The number in the event's position: the in-memory store numbers events from 1 without gaps.
    var number: UInt64 { position.number }

    /// An event with the methods before and after a change.
    init(
        _ kind: Kind,
        at: Timestamp,
        account: AccountID,
        actor: Actor,
        reasons: [Reason],
        evidence: [Evidence] = [],
        methods: MethodsChange?
    ) {
        self.init(
            kind,
            at: at,
            account: account,
            actor: actor,
            reasons: reasons,
            evidence: evidence,
            before: methods?.before,
            after: methods?.after
        )
    }
}

extension IdentityEvent.Position {
    /// The position of the event with this number in the in-memory store.
    static func number(_ number: UInt64) -> IdentityEvent.Position { IdentityEvent.Position(number: number) }
}
