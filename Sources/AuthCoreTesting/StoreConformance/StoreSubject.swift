public import AuthCore

/// A database that the conformance suite tests: how it is opened, and what else can be done to it.
public struct StoreSubject: Sendable {
    let open: @Sendable () async throws -> any IdentityStore
    let reopen: (@Sendable () async throws -> any IdentityStore)?
    let interrupt: (@Sendable (_ afterStatement: Int) async throws -> Void)?

    /// Creates a subject of an empty database.
    ///
    /// - Parameters:
    ///   - open: Opens the database; each call returns a further handle, as another process would have. It is called
    ///     twice at the beginning, and again after each interruption.
    ///   - reopen: Closes every handle as if its process had ended, and opens the database again.
    ///   - interrupt: Lets the next commit, by whichever handle it is made, end after this many of its statements as if
    ///     its process or connection had died: the commit throws. If it has no more statements than that, it is carried
    ///     out.
    public init(
        open: @escaping @Sendable () async throws -> any IdentityStore,
        reopen: (@Sendable () async throws -> any IdentityStore)? = nil,
        interrupt: (@Sendable (_ afterStatement: Int) async throws -> Void)? = nil
    ) {
        self.open = open
        self.reopen = reopen
        self.interrupt = interrupt
    }

    /// Creates a subject of a store in memory, which has one handle and cannot be reopened or interrupted.
    ///
    /// Clauses about two handles use it as both.
    public init(_ store: any IdentityStore) {
        self.init(open: { store })
    }
}
