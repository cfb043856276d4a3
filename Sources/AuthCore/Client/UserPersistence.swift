/// Remembers who sits in a seat, so that a relaunched app goes on where it stopped.
public protocol UserPersistence: Sendable {
    /// What was remembered last; nil for nothing, or for nobody.
    func load() async throws -> PersistedUser?

    /// Remembers who sits there now; nil for nobody.
    func save(_ record: PersistedUser?) async throws
}

/// Who sits in a seat: enough to find the session again, and nothing secret beyond its name.
public struct PersistedUser: Sendable, Hashable, Codable {
    /// The seat's key.
    public let device: DeviceID
    /// The session.
    public let session: SessionID
    /// The account.
    public let account: AccountID

    /// A record of this session in this seat.
    public init(device: DeviceID, session: SessionID, account: AccountID) {
        self.device = device
        self.session = session
        self.account = account
    }
}

/// Why a remembered seat cannot be read.
public enum UserPersistenceError: Error, Sendable, Hashable {
    /// The file is not one that was written with this key; somebody changed it, or the key is another.
    case tampered
    /// The file could not be read or written.
    case unreadable(String)
}
