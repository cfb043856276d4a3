/// Keeps the device of an app and its signed-in session, so that both are still there after a relaunch.
///
/// Use each place for one ``Auth`` only: an `Auth` that finds its session over saves that no user is signed in.
///
/// ``FileUserPersistence`` keeps them in a file. Conform to this protocol to keep them elsewhere, such as in a
/// keychain. This one keeps them in memory:
///
/// ```swift
/// actor KeptInMemory: UserPersistence {
///     private var saved: Auth.Persisted?
///
///     func load() async throws -> Auth.Persisted? { saved }
///     func save(_ record: Auth.Persisted) async throws { saved = record }
/// }
/// ```
public protocol UserPersistence: Sendable {
    /// Returns what was saved last; nil if nothing was saved.
    ///
    /// - Throws: Any error if it cannot be read. ``Auth/restore()`` then throws
    ///   ``AuthErrorCode/savedSessionUnreadable`` with the error as the cause; a `CancellationError` becomes
    ///   ``AuthErrorCode/canceled``. Where `Auth` reads it before it saves, the error is not reported.
    func load() async throws -> Auth.Persisted?

    /// Saves the device and its signed-in session, in place of what was saved before.
    ///
    /// - Parameter record: The device and its session.
    /// - Throws: Any error if it cannot be saved. Unless what was saved last has the same user, `Auth` then tries once
    ///   to save that no user is signed in. Only ``Auth/signOut()`` reports an error, as
    ///   ``AuthErrorCode/savedSessionUnreadable``, and only if no user was signed in; every other operation succeeds.
    func save(_ record: Auth.Persisted) async throws
}

extension Auth {
    /// A device, and the session that is signed in there.
    public struct Persisted: Sendable, Hashable, Codable {
        /// The device, which accounts still know after a sign-out.
        public let device: DeviceID
        /// The signed-in user; nil if there is none.
        public let user: User.Persisted?

        /// Creates a record of a device.
        public init(device: DeviceID, user: User.Persisted?) {
            self.device = device
            self.user = user
        }
    }
}

extension User {
    /// A signed-in session: enough to find the session again.
    public struct Persisted: Sendable, Hashable, Codable {
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

    /// Why a session cannot be saved or read.
    public enum PersistenceError: Error, Sendable, Hashable {
        /// The file was not written with this key: an attacker may have changed it, or the key is a different one.
        case tampered
        /// The file could not be read or written.
        case failed(String)
    }
}
