extension AuthService {
    /// The events after this place in the log, oldest first.
    public func events(after sequence: UInt64 = 0, limit: Int = 100) async throws(AuthError) -> Store.EventPage {
        do {
            return try await store.events(after: sequence, limit: limit)
        } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Everything that happens after this place in the log, or from now on, in the order of the commits.
    ///
    /// Once the call returns, nothing that is committed is left out without being told: a subscriber that lets more than
    /// `buffering` events wait is told from where on they are missing, and the stream goes on. It ends when the task that
    /// reads it is cancelled, or with the service; each call makes a stream for one loop.
    public func eventStream(
        after sequence: UInt64? = nil,
        buffering: Int = 256
    ) async throws(AuthError) -> some AsyncSequence<EventUpdate, Never> & Sendable {
        try await drainer.subscribe(after: sequence, limit: buffering)
    }

    /// Tells subscribers what others committed to the same store; what this service commits is told without it.
    public func drainEvents() async throws(AuthError) {
        try await drainer.drain()
    }
}
