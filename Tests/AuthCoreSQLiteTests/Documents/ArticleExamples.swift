#if SQLite
import AuthCore
import AuthCoreMigration
import AuthCoreSQLite
import AuthCoreTesting

// What stands between the marks stands in the articles, letter for letter; `ArticleTests` compares them.

enum AuthCoreSQLiteExample {
    // AuthCoreSQLite.md begins
    static func makeService(path: String, secretKey: [UInt8]) async throws -> AuthService {
        let store = try await SQLiteStore(path: path)
        return AuthService(AuthConfiguration(store: store, secretKey: secretKey))
    }
    // AuthCoreSQLite.md ends
}

enum KeepingAccountsInSQLiteExample {
    // KeepingAccountsInSQLite.md begins
    static func openAccounts(secretKey: [UInt8]) async throws -> AuthConfiguration {
        var options = SQLiteStore.Options()
        options.events = .lasting(.seconds(400 * 86_400))
        let store = try await SQLiteStore(path: "/var/lib/shop/accounts.sqlite", options: options)
        return AuthConfiguration(store: store, secretKey: secretKey)
    }
    // KeepingAccountsInSQLite.md ends

    // KeepingAccountsInSQLite.md begins
    static func backUp(_ store: SQLiteStore, day: String) async throws {
        try await store.backup(to: "/var/backups/shop/accounts-\(day).sqlite")
    }
    // KeepingAccountsInSQLite.md ends

    // KeepingAccountsInSQLite.md begins
    static func rotate(_ configuration: inout AuthConfiguration, to new: [UInt8], from old: [UInt8]) {
        configuration.setSecretKey(new, former: [old])
    }
    // KeepingAccountsInSQLite.md ends

    // KeepingAccountsInSQLite.md begins
    static func move(from old: AuthService, to new: AuthService) async throws -> Int {
        var lines: [String] = []
        for try await exported in old.exportAccounts() { lines.append(exported.line) }
        let file = AsyncStream { file in
            for line in lines { file.yield(line) }
            file.finish()
        }
        return try await new.importAccounts(file).created
    }
    // KeepingAccountsInSQLite.md ends
}
#endif
