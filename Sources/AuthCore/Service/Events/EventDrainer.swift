import Synchronization

/// Reads the log for all subscribers of a service, and sends them the events in the order of the commits.
final class EventDrainer: Sendable {
    private struct State {
        /// The place up to which all events were published; nil while there are no subscribers.
        var published: UInt64?
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

    /// Subscribes from a place in the log on, or from its end.
    func subscribe(after place: UInt64?, limit: Int) async throws(AuthError) -> EventSequence {
        let (subscription, isOnly) = broadcast.subscribe(limit: limit, gap: IdentityEvent.Update.gap)
        // The place was not kept up to date while there were no subscribers.
        if isOnly { state.withLock { $0.published = nil } }
        if let error = await start().value {
            subscription.end()
            throw error
        }
        let live = state.withLock { $0.published } ?? 0
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
                let end = try await store.endOfEvents()
                state.withLock { $0.published = $0.published ?? end }
                continue
            }
            let page = try await store.events(after: place, limit: 256)
            let next = max(page.events.last?.sequence ?? place, page.oldest - 1)
            let isCurrent = state.withLock { state in
                guard state.published == place else { return false }
                state.published = next
                return true
            }
            if !isCurrent { continue }
            if page.oldest > place + 1 { broadcast.publish(.missed(from: place + 1)) }
            for event in page.events { broadcast.publish(.event(event)) }
            if page.events.isEmpty { return }
        }
    }
}

extension IdentityStore {
    /// Returns the place of the newest event, found in a few reads even in a long log.
    fileprivate func endOfEvents() async throws -> UInt64 {
        let first = try await events(after: 0, limit: 1)
        guard var low = first.events.first?.sequence else { return first.oldest - 1 }
        var step: UInt64 = 1
        while let event = try await events(after: low + step, limit: 1).events.first {
            low = event.sequence
            step *= 2
        }
        var high = low + step
        while low < high {
            let middle = low + (high - low) / 2
            if let event = try await events(after: middle, limit: 1).events.first {
                low = event.sequence
            } else {
                high = middle
            }
        }
        return low
    }
}
