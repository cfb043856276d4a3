/// Remembers who sits in a seat, so that a relaunched app goes on where it stopped.
public protocol SeatPersistence: Sendable {
    /// What was remembered last; nil for nothing, or for nobody.
    func load() async throws -> SeatRecord?

    /// Remembers who sits there now; nil for nobody.
    func save(_ record: SeatRecord?) async throws
}

/// Who sits in a seat: enough to find the session again, and nothing secret beyond its name.
public struct SeatRecord: Sendable, Hashable, Codable {
    /// The seat's key.
    public let seat: SeatID
    /// The session.
    public let session: SessionID
    /// The account.
    public let account: AccountID

    /// A record of this session in this seat.
    public init(seat: SeatID, session: SessionID, account: AccountID) {
        self.seat = seat
        self.session = session
        self.account = account
    }
}

/// Why a remembered seat cannot be read.
public enum SeatPersistenceError: Error, Sendable, Hashable {
    /// The file is not one that was written with this key; somebody changed it, or the key is another.
    case tampered
    /// The file could not be read or written.
    case unreadable(String)
}
