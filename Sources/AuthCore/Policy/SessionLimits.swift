extension AuthPolicy {
    /// How long sessions last, and how many an account may have; nil for no limit.
    public struct SessionLimits: Sendable, Hashable {
        /// How long a session may be unused; its last use is known to within an hour, or a tenth of this if that is
        /// shorter.
        public var idle: Duration?
        /// How long a session lasts after the person last authenticated in it, used or not.
        public var absolute: Duration?
        /// How long a session of an anonymous account may be unused; there, it is the only limit.
        public var guestIdle: Duration?
        /// The maximum number of sessions per account; a further sign-in ends the one that was unused longest.
        public var perAccount: Int?

        /// Creates no limits at all.
        public init() {}
    }
}

extension AuthPolicy.SessionLimits {
    /// When a session of this account, used and logged in to at these times, ends if it is not used before.
    func end(on account: Account, activeAt: Timestamp, loginAt: Timestamp) -> Timestamp? {
        let unused = longestUnused(on: account).map { activeAt + $0 }
        let old = account.isAnonymous ? nil : absolute.map { loginAt + $0 }
        guard let unused, let old else { return unused ?? old }
        return min(unused, old)
    }

    /// Whether another use has to be recorded: after a tenth of the time that the session may be unused.
    func mustRecordUse(after unused: Duration, on account: Account) -> Bool {
        longestUnused(on: account).map { unused.attoseconds * 10 >= $0.attoseconds } ?? false
    }

    private func longestUnused(on account: Account) -> Duration? { account.isAnonymous ? guestIdle : idle }
}
