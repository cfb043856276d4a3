/// Counts attempts at what can be guessed, and messages, before they are made; it contains no account data.
///
/// Keys are keyed hashes, so an attacker who reads the store learns nothing. Servers that share a load share one store.
/// What counts is in ``Store/AttemptRecord``: a store keeps one record per key, answers as the record answers, and
/// changes the records of one call in one atomic step. It must not calculate by itself, even if that would be more
/// exact. A record may be removed once ``Store/AttemptRecord/isEmpty(_:at:)`` says that it counts as none under the
/// allowance of its key, as it then always will; until then it stays, however old it is.
///
/// Any function may throw any error. If ``take(_:at:)`` fails, the operation does, with
/// ``AuthErrorCode/canceled`` for a `CancellationError`, with the code of an ``AuthError``, and otherwise with
/// ``AuthErrorCode/storeUnavailable``. If ``keep(_:at:)``
/// fails, nothing is reported, and the attempt stays in flight. If ``refund(_:clearing:at:)`` fails, a right answer to
/// something that can be guessed fails in the same way, and any other operation succeeds.
public protocol AttemptStore: Sendable {
    /// Counts an attempt under every key, or under none if one of them does not allow it; what is refused changes
    /// nothing.
    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer

    /// Records that attempts have failed: they stay counted, and are no longer in flight.
    ///
    /// An attempt that is not in flight changes nothing, here and in `refund`. `takenAt` names the attempt that ends:
    /// otherwise one whose process was killed could not be told from others, and would stay.
    func keep(_ takes: [Store.Take], at now: Timestamp) async throws

    /// Gives back attempts that succeeded, exactly as many as were taken, and clears the counts of some keys.
    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws
}

extension Store {
    /// What an attempt is counted for: a purpose, and a keyed hash of the subject.
    public struct AttemptKey: Sendable, Hashable, Codable {
        /// What is counted.
        public enum Purpose: UInt8, Sendable, Hashable, Codable, CaseIterable {
            /// Passwords for an address, whether or not it has an account, on unknown devices together.
            case password
            /// Passwords for an address on one known device.
            case passwordOnDevice
            /// Passwords and digits from one origin, on unknown devices, or its proofs about which one provider must be
            /// asked.
            case guessesOfOrigin
            /// Answers to one code, challenge or conflict, and codes of one visit to a provider.
            case code
            /// Digits that were sent to a number, on unknown devices together.
            case number
            /// Answers to the factors of an account on one known device.
            case factorOnDevice
            /// Answers to the factors of an account on unknown devices together, in a day.
            case factorDaily
            /// Answers to the factors of an account on unknown devices together, without a success on a known one.
            case factor
            /// Mails of one kind to an address, requested on unknown devices.
            case mail
            /// Mails of one kind to an address, requested on one known device.
            case mailOnDevice
            /// Mails requested from one origin, on unknown devices.
            case mailOfOrigin
            /// Texts to a number, requested on unknown devices.
            case text
            /// Texts to a number, requested on one known device, or on all of them.
            case textOnDevice
            /// Texts to the factors of an account, or to a number that is a factor.
            case factorText
            /// Texts requested from one origin.
            case textOfOrigin
            /// New accounts from one origin.
            case accountOfOrigin
            /// Visits to providers, nonces and merges from one origin, and conflicts and challenges that wait for an
            /// answer.
            case visitOfOrigin
            /// The same in one session, on one device that the account knows, or for one account.
            case visitOfAccount
            /// New passwords, addresses, recovery codes and seeds that one session set, or one account or reset code.
            case newPassword
        }

        /// What is counted.
        public let purpose: Purpose
        /// The keyed hash of the subject.
        public let hash: UInt64

        /// Creates the key of a purpose and a hash.
        public init(purpose: Purpose, hash: UInt64) {
            self.purpose = purpose
            self.hash = hash
        }
    }

    /// One attempt to be counted under one key.
    public struct Take: Sendable, Hashable, Codable {
        /// The key.
        public let key: AttemptKey
        /// How many attempts the key allows.
        public let allowance: Allowance
        /// Whether it counts at once, as a message does, instead of being in flight until it failed or succeeded.
        public let isSettled: Bool
        /// When it was taken, which tells it from others in flight when it is kept or given back.
        public let takenAt: Timestamp?

        /// Creates an attempt under this key.
        public init(_ key: AttemptKey, _ allowance: Allowance, isSettled: Bool = false, takenAt: Timestamp? = nil) {
            self.key = key
            self.allowance = allowance
            self.isSettled = isSettled
            self.takenAt = takenAt
        }
    }

    /// How many attempts are allowed.
    public enum Allowance: Sendable, Hashable, Codable {
        /// `free` attempts, then one after each wait, which doubles up to `longest`; counts halve in `halving`.
        case waits(free: Int, first: Duration, longest: Duration, halving: Duration)
        /// So many in any window of this length, wherever it begins.
        case number(Int, each: Duration)
        /// So many without a success, then none for a time after the last one; nil for none until the key is cleared.
        case consecutive(Int, then: Duration?)
    }

    /// Whether attempts were counted.
    public enum TakeAnswer: Sendable, Hashable {
        /// They were counted, under every key.
        case taken
        /// None was counted, only because of attempts in flight: once they succeed, there is room.
        case inFlight
        /// None was counted, and none will be before this time; nil for an unknown time.
        case refused(until: Timestamp?)
    }
}

extension Store.TakeAnswer {
    /// The answer to several takes, from the answers to each: all or nothing.
    public init(_ answers: some Sequence<Store.TakeAnswer>) {
        var result = Store.TakeAnswer.taken
        for answer in answers {
            switch (answer, result) {
            case (.refused(let until), .refused(let other)):
                result = .refused(until: until.flatMap { until in other.map { max(until, $0) } })
            case (.refused, _), (.inFlight, .taken): result = answer
            default: break
            }
        }
        self = result
    }
}
