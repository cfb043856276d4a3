#if PostgreSQL
import AuthCore
import AuthCorePostgres

/// The examples in the comments of AuthCorePostgres, compiled.
enum CommentExamples {
    static func configuration(secretKey: [UInt8]) async throws -> AuthConfiguration {
        let store = try await PostgresStore("host=db.example dbname=accounts user=authcore sslmode=verify-full")
        return AuthConfiguration(store: store, secretKey: secretKey)
    }
}
#endif
