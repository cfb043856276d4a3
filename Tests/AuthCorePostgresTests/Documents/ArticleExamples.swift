#if PostgreSQL
import AuthCore
import AuthCoreMigration
import AuthCorePostgres
import AuthCoreTesting

// What stands between the marks stands in the articles, letter for letter; `PostgresArticleTests` compares them.

enum AuthCorePostgresExample {
    // AuthCorePostgres.md begins
    static func makeService(secretKey: [UInt8]) async throws -> AuthService {
        let store = try await PostgresStore("host=db.example dbname=accounts user=authcore sslmode=verify-full")
        return AuthService(AuthConfiguration(store: store, secretKey: secretKey))
    }
    // AuthCorePostgres.md ends
}

enum KeepingAccountsInPostgreSQLExample {
    // KeepingAccountsInPostgreSQL.md begins
    static func openAccounts(secretKey: [UInt8]) async throws -> AuthConfiguration {
        var options = PostgresStore.Options()
        options.connections = 16
        let store = try await PostgresStore(
            "host=db.example dbname=accounts user=authcore sslmode=verify-full",
            options: options
        )
        return AuthConfiguration(store: store, secretKey: secretKey)
    }
    // KeepingAccountsInPostgreSQL.md ends

    // KeepingAccountsInPostgreSQL.md begins
    static func rotate(_ configuration: inout AuthConfiguration, to new: [UInt8], from old: [UInt8]) {
        configuration.setSecretKey(new, former: [old])
    }
    // KeepingAccountsInPostgreSQL.md ends

    // KeepingAccountsInPostgreSQL.md begins
    static func move(from old: AuthService, to new: AuthService) async throws -> Int {
        var lines: [String] = []
        for try await exported in old.exportAccounts() { lines.append(exported.line) }
        let file = AsyncStream { file in
            for line in lines { file.yield(line) }
            file.finish()
        }
        return try await new.importAccounts(file).created
    }
    // KeepingAccountsInPostgreSQL.md ends
}
#endif
