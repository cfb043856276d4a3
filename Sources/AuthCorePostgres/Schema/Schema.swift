#if PostgreSQL
internal import AuthCoreSQL

/// The schema of the database, and how it came to be.
///
/// All of it is in one schema of PostgreSQL. Functions are called as `schema.function`, and find the rest there
/// themselves.
struct Schema: Sendable, CustomStringConvertible {
    /// The name of the schema.
    let name: String

    /// The name as it stands in a statement: in quotes, since it may be a keyword.
    var description: String { "\"\(name)\"" }

    /// Nil unless the name needs no quotes, or needs them only because it is a keyword.
    init?(name: String) {
        let isLetter = { (byte: UInt8) in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard (1...63).contains(name.utf8.count), let first = name.utf8.first, isLetter(first),
            name.utf8.allSatisfy({ isLetter($0) || isDigit($0) }), !name.hasPrefix("pg_")
        else { return nil }
        self.name = name
    }

    /// Every step that led to the newest version.
    ///
    /// Processes of the version before go on beside a step. Where it changes what a function takes, answers or does, it
    /// drops that function and makes one of another name, so that those processes notice.
    static let migrations = Migrations([
        Migration(
            version: 1,
            purpose: "accounts, sessions, one-time records, events, messages and attempts",
            statements: tables + [load, firstReferences, commit, exchangeAttempts] + operators
        )
    ])

    /// The statements before every migration, in the same transaction.
    ///
    /// The lock is released with the transaction, so that of several processes one migrates and the others find it
    /// done.
    var preparation: [String] {
        [
            "SELECT pg_advisory_xact_lock(1094926336, hashtext('\(name)'))",
            // Not `IF NOT EXISTS`, which needs the right to make schemas even where there is nothing to make.
            "DO $$ BEGIN IF to_regnamespace('\(self)') IS NULL THEN CREATE SCHEMA \(self); END IF; END $$",
            "SET LOCAL search_path = \(self), pg_catalog",
            "SET LOCAL client_min_messages = warning",
            "CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY)",
        ]
    }

    /// The statement that notes a version.
    static func note(_ version: Int) -> String {
        "INSERT INTO schema_version VALUES (\(version))"
    }
}
#endif
