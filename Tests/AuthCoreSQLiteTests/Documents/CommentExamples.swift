#if SQLite
import AuthCore
import AuthCoreSQLite

/// The examples in the comments of AuthCoreSQLite, compiled.
enum CommentExamples {
    static func configuration(path: String, secretKey: [UInt8]) async throws -> AuthConfiguration {
        let store = try await SQLiteStore(path: path)
        return AuthConfiguration(store: store, secretKey: secretKey)
    }

    static func backUp(_ store: SQLiteStore, day: String) async throws {
        try await store.backup(to: "/var/backups/accounts-\(day).sqlite")
    }
}
#endif
