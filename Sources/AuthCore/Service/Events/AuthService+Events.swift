extension AuthService {
    /// Returns the events after this position in the log, oldest first.
    public func events(
        after position: IdentityEvent.Position = .start,
        limit: Int = 100
    ) async throws(AuthError) -> Store.EventPage {
        try await ask { store in try await store.events(after: position, limit: limit) }
    }

    /// Returns a stream of the events after this position in the log, or from now on, in the order of the commits.
    ///
    /// Once the call returns, no committed event is dropped silently: a subscriber that lets more than `buffering`
    /// events wait receives the position after which events are missing, and the stream continues. It ends when the task
    /// that reads it is cancelled, or with the service; each call makes a stream for one loop.
    public func eventStream(
        after position: IdentityEvent.Position? = nil,
        buffering: Int = 256
    ) async throws(AuthError) -> some AsyncSequence<IdentityEvent.Update, Never> & Sendable {
        try requireSecretKey()
        return try await drainer.subscribe(after: position, limit: buffering)
    }

    /// Publishes the events that other services committed to the same store; this service's own events need no call.
    public func drainEvents() async throws(AuthError) {
        try requireSecretKey()
        try await drainer.drain()
    }
}
