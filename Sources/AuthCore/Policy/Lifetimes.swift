extension AuthPolicy {
    /// The lifetimes of one-time records and ID tokens.
    public struct Lifetimes: Sendable, Hashable {
        /// A mailed code that verifies an address, changes the address, or sets a password.
        public var mailCode: Duration = .hours(1)
        /// A sign-in link.
        public var signInLink: Duration = .hours(1)
        /// A code that was sent to a number.
        public var phoneCode: Duration = .minutes(10)
        /// What was verified and is kept after a conflict: an identity, a mailbox or a number; also a visit to a
        /// provider.
        public var pendingIdentity: Duration = .minutes(10)
        /// A nonce for an ID token.
        public var nonce: Duration = .minutes(10)
        /// A challenge for a second factor, and the seed of an authenticator app that is not enrolled yet.
        public var factorChallenge: Duration = .minutes(10)
        /// The code that undoes an address change.
        public var emailRecovery: Duration = .days(14)
        /// The code that reports an unauthorized change.
        public var notice: Duration = .days(14)

        /// The time in which a merge's hooks must prepare, during which both accounts have a merge lock.
        public var mergeIntent: Duration = .minutes(15)
        /// The time in which a merge can be undone; if it is 0, no undo record is kept.
        public var mergeUndo: Duration = .days(7)

        /// An ID token; it expires no later than its session.
        public var idToken: Duration = .hours(1)

        /// Creates the lifetimes of ``AuthPolicy/firebase``; to change one of another preset, set its property.
        public init() {}
    }
}
