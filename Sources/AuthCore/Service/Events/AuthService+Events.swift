import Synchronization

extension AuthService {
    /// Returns the events after this position in the log, oldest first.
    ///
    /// - Parameters:
    ///   - position: The position of the last event that was read; by default the start of the log.
    ///   - limit: How many events at most.
    /// - Returns: The events, the position up to which the log holds none any more, and the end of the log.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the log cannot be read.
    public func events(
        after position: IdentityEvent.Position = .start,
        limit: Int = 100
    ) async throws(AuthError) -> Store.EventPage {
        try await ask { store in try await store.events(after: position, limit: limit) }
    }

    /// Returns a stream of the events after this position in the log, or from now on, in the order of the commits.
    ///
    /// The stream reads the log page by page, at the pace of the loop: a slow subscriber delays nothing and misses
    /// nothing, as long as the store keeps the events. It ends when the task that reads it is canceled, or with the
    /// service; each call makes a stream for one loop.
    ///
    /// ```swift
    /// for await update in try await service.eventStream(after: position) {
    ///     switch update {
    ///     case .event(let event): await handle(event)
    ///     case .missed(let end): print("the log no longer holds the events up to", end)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter position: The position of the last event that was read; nil for the end of the log.
    /// - Returns: The stream, which throws nothing: if it cannot read the log, it waits and reads again, and
    ///   ``publishEvents()`` throws the error.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the end of the log cannot be read.
    public func eventStream(
        after position: IdentityEvent.Position? = nil
    ) async throws(AuthError) -> some AsyncSequence<IdentityEvent.Update, Never> & Sendable {
        let news = eventNews.listen()
        let end = try await events(limit: 0).end
        let store = try store
        return NewsSequence(start: EventPlace(position ?? end), news: news) { [weak self] place in
            do { return try await place.next(in: store) } catch {
                // The stream reads again at the next news; until then the app learns of it by `publishEvents()`.
                if !Task.isCancelled { self?.streamFailure.withLock { $0 = AuthError(storeFailure: error) } }
                return nil
            }
        }
    }

    /// Has the streams look for events that other services committed to the same store; for this service's own events
    /// they look without a call.
    ///
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the log cannot be read, or if a stream could not read it since
    ///   the last call, such as an event of a later version. The streams wait there and read again.
    public func publishEvents() async throws(AuthError) {
        try requireSecretKey()
        if !eventNews.isHeard { return }
        eventNews.raise()
        let failure = streamFailure.withLock { failure in
            defer { failure = nil }
            return failure
        }
        if let failure { throw failure }
        _ = try await events(limit: 0)
    }
}
