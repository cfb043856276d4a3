#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

extension LimitedTestCase {
    /// The kind of the database's error that is thrown, or nil if none is.
    static func kind(_ body: () async throws -> Void) async -> PostgresError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return ((error as? AuthError)?.cause as? PostgresError)?.kind
        }
    }
}
#endif
