extension SignInMethod {
    /// The sign-in methods of one account according to its events: the current ones and the former ones.
    ///
    /// Add the account's events in their order, beginning with the first one.
    public struct History: Sendable, Hashable {
        /// The account.
        public let account: AccountID
        /// The methods after the last event.
        public private(set) var methods: [Summary] = []
        /// The events that changed the methods, oldest first, each with its actor, its reasons, and the methods before
        /// and after.
        public private(set) var changes: [IdentityEvent] = []
        /// The positions of events whose methods before differ from those after the previous event: an event is missing
        /// there.
        public private(set) var gaps: [IdentityEvent.Position] = []

        /// Creates an empty history of an account.
        public init(of account: AccountID) { self.account = account }

        /// Creates the history of an account from these events.
        public init(of account: AccountID, events: some Sequence<IdentityEvent>) {
            self.init(of: account)
            for event in events { add(event) }
        }

        /// Adds an event; those of other accounts, and those that changed no method, are ignored.
        public mutating func add(_ event: IdentityEvent) {
            guard event.account == account, let before = event.before, let after = event.after else { return }
            if before != methods { gaps.append(event.position) }
            methods = after
            changes.append(event)
        }
    }
}
