internal import AuthCore
internal import AuthCoreSQLite

/// The store that a command works on: `--store memory|sqlite:PATH|postgres:URL`.
enum StoreChoice: Sendable, Hashable {
    case memory
    case sqlite(path: String)
    case postgres(url: String)

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

    /// Takes the option out of the words of a command.
    init(takenFrom words: inout [String]) throws(UsageError) {
        guard let place = words.firstIndex(of: "--store") else {
            self = .memory
            return
        }
        guard words.indices.contains(place + 1) else { throw UsageError("--store needs a store") }
        try self.init(words[place + 1])
        words.removeSubrange(place...place + 1)
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
                throw UsageError("\(error)", needsUsage: false)
            }
            #else
            throw Self.isMissing("SQLite")
            #endif
        case .postgres:
            throw Self.isMissing("PostgreSQL")
        }
    }

    private static func isMissing(_ trait: String) -> UsageError {
        UsageError(
            "This authlab was built without that store; build it with --traits \(trait).",
            needsUsage: false
        )
    }
}
