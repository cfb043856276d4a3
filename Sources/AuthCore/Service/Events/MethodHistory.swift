/// The methods of one account as its events tell them: what it has, and what it ever had.
///
/// Feed it the account's events in their order, from the first one on.
public struct MethodHistory: Sendable, Hashable {
    /// The account.
    public let account: AccountID
    /// The methods after the last event.
    public private(set) var methods: [MethodSummary] = []
    /// Every event that changed them, oldest first, with who did it, why, and both sides.
    public private(set) var changes: [IdentityEvent] = []
    /// The places of events that begin with other methods than the one before ended with: something is missing there.
    public private(set) var gaps: [UInt64] = []

    /// The history of an account, with nothing in it yet.
    public init(of account: AccountID) { self.account = account }

    /// The history of an account that these events tell.
    public init(of account: AccountID, events: some Sequence<IdentityEvent>) {
        self.init(of: account)
        for event in events { add(event) }
    }

    /// Takes an event in; those of other accounts, and those that changed no method, say nothing.
    public mutating func add(_ event: IdentityEvent) {
        guard event.account == account, let before = event.before, let after = event.after else { return }
        if before != methods { gaps.append(event.sequence) }
        methods = after
        changes.append(event)
    }
}
