public import AuthCore

/// A database of attempts that the conformance suite tests: how it is opened, and whether it can be opened again.
public struct AttemptStoreSubject: Sendable {
    let open: @Sendable () async throws -> any AttemptStore
    let reopen: (@Sendable () async throws -> any AttemptStore)?

    /// Creates a subject of an empty database.
    ///
    /// - Parameters:
    ///   - open: Opens the database; each call returns a further handle, as another process would have.
    ///   - reopen: Closes every handle as if its process had ended, and opens the database again.
    public init(
        open: @escaping @Sendable () async throws -> any AttemptStore,
        reopen: (@Sendable () async throws -> any AttemptStore)? = nil
    ) {
        self.open = open
        self.reopen = reopen
    }

    /// Creates a subject of a store in memory, which has one handle and cannot be reopened.
    public init(_ store: any AttemptStore) {
        self.init(open: { store })
    }
}
