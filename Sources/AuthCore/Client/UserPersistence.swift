/// Keeps the signed-in session of an app, so that the user is still signed in after a relaunch.
public protocol UserPersistence: Sendable {
    /// Returns what was saved last; nil if nothing was saved or no user was signed in.
    func load() async throws -> User.Persisted?

    /// Saves the signed-in session; nil if no user is signed in.
    func save(_ record: User.Persisted?) async throws
}

extension User {
    /// The signed-in session of a device: enough to find the session again, and no secret beyond its id.
    public struct Persisted: Sendable, Hashable, Codable {
        /// The device's key.
        public let device: DeviceID
        /// The session.
        public let session: SessionID
        /// The account.
        public let account: AccountID

        /// Creates a record of a session on a device.
        public init(device: DeviceID, session: SessionID, account: AccountID) {
            self.device = device
            self.session = session
            self.account = account
        }
    }

    /// Why a saved session cannot be read.
    public enum PersistenceError: Error, Sendable, Hashable {
        /// The file was not written with this key: an attacker may have changed it, or the key is a different one.
        case tampered
        /// The file could not be read or written.
        case unreadable(String)
    }
}
