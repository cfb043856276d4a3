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

        package init(purpose: Purpose, hash: UInt64) {
            self.purpose = purpose
            self.hash = hash
        }
    }
}

extension Store {
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
