#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Remembers a seat in a file that is written as a whole and refused if anybody else wrote it.
public struct FileUserPersistence: UserPersistence {
    private let path: String
    private let sealer: KeyedSecretSealer

    /// Remembers in this file; the key, 32 random bytes, belongs where the platform keeps secrets.
    public init(path: String, key: [UInt8]) throws(SealingError) {
        self.path = path
        sealer = try KeyedSecretSealer(key: key)
    }

    /// What was remembered last.
    public func load() async throws -> PersistedUser? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UserPersistenceError.unreadable("the file cannot be read")
        }
        if data.isEmpty { throw UserPersistenceError.tampered }
        guard let plain = try? sealer.open(Array(data), context: Self.context),
            let records = try? JSONDecoder().decode([PersistedUser].self, from: Data(plain))
        else { throw UserPersistenceError.tampered }
        return records.first
    }

    /// Remembers who sits there now; nobody is remembered as nobody, so that an older file cannot come back unnoticed.
    public func save(_ record: PersistedUser?) async throws {
        do {
            let plain = try JSONEncoder().encode(record.map { [$0] } ?? [])
            let sealed = sealer.seal(Array(plain), context: Self.context)
            try Data(sealed).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw UserPersistenceError.unreadable("\(error)")
        }
    }

    private static let context = "AuthCore device 1"
}
