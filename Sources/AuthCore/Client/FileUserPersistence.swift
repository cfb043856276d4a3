import AuthCoreFoundation

/// Keeps the device and its signed-in session in one file, written as a whole and refused if another program wrote it.
///
/// ```swift
/// let place = try FileUserPersistence(path: path, key: key)
/// let auth = Auth(service: service, persistence: place)
/// try await auth.restore()
/// ```
public struct FileUserPersistence: UserPersistence {
    private let path: String
    private let sealer: KeyedSecretSealer

    /// Creates a persistence over a file; keep the key where the platform keeps secrets.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist yet; nor need its folder.
    ///   - key: The key that seals the file, 32 random bytes.
    /// - Throws: ``Secret/SealingError/keyLength`` if the key does not have 32 bytes.
    public init(path: String, key: [UInt8]) throws(Secret.SealingError) {
        // A URL takes a tilde for the home folder, and the file manager for a name.
        self.path = URL(filePath: path).path(percentEncoded: false)
        sealer = try KeyedSecretSealer(key: key)
    }

    /// Returns what was saved last.
    ///
    /// - Returns: The device and its session; nil if the file does not exist.
    /// - Throws: ``User/PersistenceError/failed(_:)`` if the file cannot be read, ``User/PersistenceError/tampered`` if
    ///   it is empty, was not written with this key, or cannot be decoded.
    public func load() async throws -> Auth.Persisted? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw User.PersistenceError.failed("the file cannot be read")
        }
        if data.isEmpty { throw User.PersistenceError.tampered }
        guard let plain = try? sealer.open(Array(data), context: Self.context),
            let record = try? JSONDecoder().decode(Auth.Persisted.self, from: Data(plain))
        else { throw User.PersistenceError.tampered }
        return record
    }

    /// Saves the device and its signed-in session.
    ///
    /// That no user is signed in is saved, too. A person who puts back an older file is signed in by it until its
    /// session ends. A sign-out ends the session.
    ///
    /// - Parameter record: The device and its session.
    /// - Throws: ``User/PersistenceError/failed(_:)`` if the file cannot be written.
    public func save(_ record: Auth.Persisted) async throws {
        do {
            let plain = try JSONEncoder().encode(record)
            let sealed = sealer.seal(Array(plain), context: Self.context)
            let file = URL(filePath: path)
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(sealed).write(to: file, options: .atomic)
        } catch {
            throw User.PersistenceError.failed("\(error)")
        }
    }

    private static let context = "AuthCore device 1"
}
