import Synchronization

/// Reads the log for all subscribers of a service, and sends them the events in the order of the commits.
final class EventDrainer: Sendable {
    private struct State {
        /// The position up to which all events were published; nil while there are no subscribers.
        var published: IdentityEvent.Position?
        var running: Task<AuthError?, Never>?
        /// A drain that has not begun to read; a commit before it begins does not need another one.
        var waiting: Task<AuthError?, Never>?
    }

    private let store: any IdentityStore
    private let broadcast = Broadcast<IdentityEvent.Update>()
    private let state = Mutex(State())

    init(store: any IdentityStore) { self.store = store }

    deinit { broadcast.finish() }

    /// Starts a drain after a commit, without waiting for it; without subscribers it costs nothing.
    func nudge() {
        if broadcast.isHeard { _ = start() }
    }

    /// Publishes everything that was committed before the call, by this service or another one.
    func drain() async throws(AuthError) {
        if broadcast.isHeard, let error = await start().value { throw error }
    }

    /// Subscribes from a position in the log on, or from its end.
    func subscribe(after place: IdentityEvent.Position?, limit: Int) async throws(AuthError) -> EventSequence {
        let (subscription, isOnly) = broadcast.subscribe(limit: limit, gap: IdentityEvent.Update.gap)
        // The place was not kept up to date while there were no subscribers.
        if isOnly { state.withLock { $0.published = nil } }
        if let error = await start().value {
            subscription.end()
            throw error
        }
        let live = state.withLock { $0.published } ?? .start
        return EventSequence(subscription: subscription, store: store, start: place ?? live, live: live)
    }

    /// Returns a drain that will read everything committed until now; drains run one after another.
    private func start() -> Task<AuthError?, Never> {
        state.withLock { state in
            if let waiting = state.waiting { return waiting }
            let running = state.running
            let task = Task { [self] () async -> AuthError? in
                _ = await running?.value
                self.state.withLock { state in
                    state.running = state.waiting
                    state.waiting = nil
                }
                do {
                    try await publish()
                    return nil
                } catch {
                    return AuthError(storeFailure: error)
                }
            }
            state.waiting = task
            return task
        }
    }

    private func publish() async throws {
        while broadcast.isHeard {
            guard let place = state.withLock({ $0.published }) else {
                let end = try await store.events(after: .start, limit: 0).end
                state.withLock { $0.published = $0.published ?? end }
                continue
            }
            let page = try await store.events(after: place, limit: 256)
            let next = max(page.events.last?.position ?? place, page.removed)
            let isCurrent = state.withLock { state in
                guard state.published == place else { return false }
                state.published = next
                return true
            }
            if !isCurrent { continue }
            if page.removed > place { broadcast.publish(.missed(through: page.removed)) }
            for event in page.events { broadcast.publish(.event(event)) }
            if page.events.isEmpty { return }
        }
    }
}
