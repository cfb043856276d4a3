extension AuthPolicy {
    /// How often things that can be guessed may be tried, and how many messages may be requested.
    ///
    /// A known device is one on which a sign-in to the account was completed, or a new password was set by mail.
    /// Strangers cannot use up what a known device may do. Where a number of digits is reached, the person waits; NIST
    /// 800-63B-4 (3.2.2) disables the number instead, which would let strangers keep a person out. A number below one
    /// counts as one; to refuse a method altogether, see ``AuthPolicy/disabledProviders``.
    public struct AttemptLimits: Sendable, Hashable {
        /// Wrong passwords for one address that cause no wait, on unknown devices together.
        public var passwords = 5
        /// Wrong passwords for one address that cause no wait, on one known device.
        public var passwordsOnKnownDevice = 10
        /// Wrong passwords and digits from one origin that cause no wait, on unknown devices; and, for each provider
        /// apart and on every device, access tokens and codes that the provider refuses.
        public var guessesFromOrigin = 50
        /// Wrong answers after which a code, a challenge or a conflict is over, and failed codes after which a visit
        /// is.
        public var wrongCodes = 5
        /// Wrong digits for one number on unknown devices, after which none are accepted there for the time of
        /// `numberPause`; right digits on a known device start the count again.
        public var digitsForNumber = 100
        /// How long digits for a number are not accepted on unknown devices after `digitsForNumber` wrong ones.
        public var numberPause = Duration.hours(24)
        /// Wrong answers to the factors of an account that cause no wait, on one known device.
        public var factorAnswersOnKnownDevice = 20
        /// Wrong answers to the factors of an account in a day, on unknown devices together.
        public var factorAnswersInDay = 10
        /// Wrong answers to the factors of an account on unknown devices together, after which none are accepted until
        /// a factor is presented on a known device or the password changes.
        public var factorAnswers = 100
        /// Mails of one kind to one address in an hour: on one known device, and on unknown devices together.
        public var mails = 5
        /// Mails from one origin in an hour, on unknown devices.
        public var mailsFromOrigin = 100
        /// Texts to one number in an hour: on one known device, and on unknown devices together.
        public var texts = 5
        /// Texts to one number in an hour, on all known devices together.
        public var textsOnKnownDevices = 20
        /// Texts to the factors of one account in an hour, and to one number that is a factor of several accounts: on
        /// known devices together, and on unknown devices together.
        public var factorTexts = 10
        /// Texts from one origin in an hour, except those to a verified number on a known device.
        public var textsFromOrigin = 20
        /// New accounts with a password or without a method from one origin in a day.
        public var accountsFromOrigin = 100
        /// New passwords, addresses, sets of recovery codes and seeds of authenticator apps that one session sets, or
        /// tries to set, in an hour; all sessions of an account together may set five times as many, and one reset code
        /// may be tried with as many passwords as one session.
        public var newPasswords = 20
        /// Visits to providers, nonces for signing in, merges, and conflicts and second-factor challenges that wait
        /// for their answers: how many of these one origin may begin in ten minutes, except on a device that the
        /// account knows; of codes of visits that a provider refuses, a fifth as many are allowed.
        public var visitsFromOrigin = 1000
        /// The same in one session, or on one device that the account knows, in ten minutes; for an account, five
        /// times as many.
        public var visitsOfAccount = 50
        /// All requests of unknown origin share one count: it allows this many times what one origin may do.
        public var unknownOriginFactor = 100
        /// The first wait; each further wrong attempt doubles it.
        public var firstWait = Duration.seconds(1)
        /// The longest wait.
        public var longestWait = Duration.minutes(15)
        /// The longest wait of an origin.
        public var longestOriginWait = Duration.minutes(1)
        /// The time in which a count of wrong attempts halves.
        public var halfLife = Duration.hours(1)

        /// Creates the default limits.
        public init() {}

        /// So many free attempts, then waits.
        func waits(after free: Int, atMost longest: Duration? = nil) -> Store.Allowance {
            .waits(free: free, first: firstWait, longest: longest ?? longestWait, halving: halfLife)
        }
    }
}
