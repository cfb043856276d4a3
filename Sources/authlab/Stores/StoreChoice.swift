internal import AuthCore
internal import AuthCorePostgres
internal import AuthCoreSQLite

/// The store that a command works on: `--store memory|sqlite:PATH|postgres:URL`.
enum StoreChoice: Sendable, Hashable {
    case memory
    case sqlite(path: String)
    case postgres(url: String)

    static let option = Option(
        name: "--store",
        value: "STORE",
        help: "memory (default), sqlite:PATH or postgres:URL; an empty database, which is emptied again"
    )

    /// The store that the words of a command choose.
    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments[Self.option] else {
            self = .memory
            return
        }
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("memory", nil): self = .memory
        case ("sqlite", let path?): self = .sqlite(path: path)
        case ("postgres", _?), ("postgresql", _?): self = .postgres(url: word)
        default:
            throw UsageError(
                "\(arguments.command): there is no store \(word)",
                hint: "--store memory, --store sqlite:PATH or --store postgres:URL"
            )
        }
    }

    /// Opens the store, which must be empty: commands write people of their own, and remove them.
    func open() async throws -> LabStore {
        switch self {
        case .memory: return .memory
        case .sqlite(let path):
            #if SQLite
            let store = try await SQLiteStore(path: path)
            return try await LabStore(store, store, called: path) { try await store.removeEverything() }
            #else
            throw Self.isMissing("SQLite")
            #endif
        case .postgres(let url):
            #if PostgreSQL
            let store = try await PostgresStore(url)
            // Not by its URL, which can have a password.
            return try await LabStore(store, store, called: "the database") { try await store.removeEverything() }
            #else
            throw Self.isMissing("PostgreSQL")
            #endif
        }
    }

    private static func isMissing(_ trait: String) -> CommandFailure {
        CommandFailure("this authlab was built without that store; build it with --traits \(trait)")
    }
}

/// Why a command that was understood cannot be carried out.
struct CommandFailure: Error, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
