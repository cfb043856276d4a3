/// Counts wrong attempts, in bounded memory; it contains no account data.
///
/// Keys are keyed hashes, so an attacker who reads the store learns nothing. Servers that share a load share one store.
public protocol AttemptStore: Sendable {
    /// Returns the record of each key, in the order of the keys.
    func records(for keys: [Store.AttemptKey]) async throws -> [Store.AttemptRecord]

    /// Counts one more attempt for each key; `AttemptRecord.raised(at:halfLife:)` is the resulting record.
    func count(_ keys: [Store.AttemptKey], at now: Timestamp) async throws

    /// Removes the records of these keys.
    func forget(_ keys: [Store.AttemptKey]) async throws
}

extension Store {
    /// What an attempt is counted for: a purpose, and a keyed hash of the subject.
    public struct AttemptKey: Sendable, Hashable, Codable {
        /// What is counted.
        public enum Purpose: UInt8, Sendable, Hashable, Codable, CaseIterable {
            /// Wrong passwords for an address, whether or not it has an account.
            case address
            /// Wrong passwords for an account.
            case account
            /// Wrong attempts from an origin.
            case origin
            /// Wrong passwords for an account from a known device.
            case knownDevice
            /// Sign-ins to an account from a device: after them, the device is known.
            case deviceSignIns
            /// Wrong answers to one code or challenge.
            case code
            /// Messages to a mailbox or number.
            case message
        }

        /// What is counted.
        public let purpose: Purpose
        /// The keyed hash of the subject.
        public let hash: UInt64
    }

    /// The number of attempts, and the time of the last one.
    public struct AttemptRecord: Sendable, Hashable, Codable {
        /// The number of attempts; older ones count less.
        public var count: Double
        /// When the last attempt was made; nil for never.
        public var lastAt: Timestamp?

        /// Creates a record with these values.
        public init(count: Double = 0, lastAt: Timestamp? = nil) {
            self.count = count
            self.lastAt = lastAt
        }
    }
}

extension AttemptRecord {
    /// The record after one more attempt; what was counted before halves in this time.
    public func raised(at now: Timestamp, halfLife: Duration) -> Store.AttemptRecord {
        let older = lastAt.map { count * Self.wear(since: $0, now, halfLife: halfLife) } ?? count
        return AttemptRecord(count: older + 1, lastAt: now)
    }

    /// What is left of a count after the time since it was last raised; all of it where the half-life is no time at all.
    static func wear(since last: Timestamp, _ now: Timestamp, halfLife: Duration) -> Double {
        guard halfLife > .zero else { return 1 }
        let halves = max(.zero, now - last) / halfLife
        // Halving by whole and broken steps without an exponential function: good enough for a count, and the same everywhere.
        let whole = min(64, halves.rounded(.down))
        let rest = 1 - (min(halves, 64) - whole) / 2
        return rest / Double(UInt64(1) << UInt64(min(63, whole)))
    }
}
