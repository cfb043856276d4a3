internal import AuthCore
internal import AuthCoreSQLite

/// The store that a command works on: `--store memory|sqlite:PATH|postgres:URL`.
enum StoreChoice: Sendable, Hashable {
    case memory
    case sqlite(path: String)
    case postgres(url: String)

    static let option = Option(name: "--store", value: "STORE", help: "memory (default), sqlite:PATH or postgres:URL")

    /// Reads the word after `--store`.
    init(_ word: String) throws(UsageError) {
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("memory", nil): self = .memory
        case ("sqlite", let path?): self = .sqlite(path: path)
        case ("postgres", _?), ("postgresql", _?): self = .postgres(url: word)
        default: throw UsageError("--store takes memory, sqlite:PATH or postgres:URL, not \(word)")
        }
    }

    /// The store that the words of a command name.
    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments[Self.option] else {
            self = .memory
            return
        }
        try self.init(word)
    }

    /// Opens the store, which must be empty: commands write people of their own, and remove them.
    func open() async throws(UsageError) -> LabStore {
        switch self {
        case .memory: return .memory
        case .sqlite(let path):
            #if SQLite
            do {
                let store = try await SQLiteStore(path: path)
                return try await LabStore(store, store, called: path) { try await store.removeEverything() }
            } catch let error as UsageError {
                throw error
            } catch {
                throw UsageError("\(error)")
            }
            #else
            throw Self.isMissing("SQLite")
            #endif
        case .postgres:
            throw Self.isMissing("PostgreSQL")
        }
    }

    private static func isMissing(_ trait: String) -> UsageError {
        UsageError("this authlab was built without that store; build it with --traits \(trait)")
    }
}
