/// Keeps the device of an app and its signed-in session, so that both are still there after a relaunch.
public protocol UserPersistence: Sendable {
    /// Returns what was saved last; nil if nothing was saved.
    func load() async throws -> PersistedDevice?

    /// Saves the device and its signed-in session, in place of what was saved before.
    func save(_ record: PersistedDevice) async throws
}

/// A device, and the session that is signed in there.
public struct PersistedDevice: Sendable, Hashable, Codable {
    /// The device, which accounts still know after a sign-out.
    public let device: DeviceID
    /// The signed-in user; nil if there is none.
    public let user: PersistedUser?

    /// Creates a record of a device.
    public init(device: DeviceID, user: PersistedUser?) {
        self.device = device
        self.user = user
    }
}

/// A signed-in session: enough to find the session again.
public struct PersistedUser: Sendable, Hashable, Codable {
    /// The session.
    public let session: SessionID
    /// The account.
    public let account: AccountID

    /// Creates a record of a session.
    public init(session: SessionID, account: AccountID) {
        self.session = session
        self.account = account
    }
}

/// Why a saved session cannot be read.
public enum UserPersistenceError: Error, Sendable, Hashable {
    /// The file was not written with this key: an attacker may have changed it, or the key is a different one.
    case tampered
    /// The file could not be read or written.
    case unreadable(String)
}
