#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Remembers a seat in a file that is written as a whole and refused if anybody else wrote it.
public struct FileSeatPersistence: SeatPersistence {
    private let path: String
    private let sealer: KeyedSecretSealer

    /// Remembers in this file; the key, 32 random bytes, belongs where the platform keeps secrets.
    public init(path: String, key: [UInt8]) throws(SealingError) {
        self.path = path
        sealer = try KeyedSecretSealer(key: key)
    }

    /// What was remembered last.
    public func load() async throws -> SeatRecord? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SeatPersistenceError.unreadable("the file cannot be read")
        }
        if data.isEmpty { throw SeatPersistenceError.tampered }
        guard let plain = try? sealer.open(Array(data), context: Self.context),
            let records = try? JSONDecoder().decode([SeatRecord].self, from: Data(plain))
        else { throw SeatPersistenceError.tampered }
        return records.first
    }

    /// Remembers who sits there now; nobody is remembered as nobody, so that an older file cannot come back unnoticed.
    public func save(_ record: SeatRecord?) async throws {
        do {
            let plain = try JSONEncoder().encode(record.map { [$0] } ?? [])
            let sealed = sealer.seal(Array(plain), context: Self.context)
            try Data(sealed).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw SeatPersistenceError.unreadable("\(error)")
        }
    }

    private static let context = "AuthCore seat 1"
}
