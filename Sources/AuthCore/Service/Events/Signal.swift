import Synchronization

/// Says that there is something new to read; each listener reads it for itself, at its own pace.
final class Signal: Sendable {
    private struct State {
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())
    /// The number of listeners; read without the lock, since every commit asks.
    private let listenerCount = Atomic<Int>(0)

    /// Whether there is a listener.
    ///
    /// A listener that starts listening before it looks misses nothing.
    var isHeard: Bool { listenerCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Starts to listen; what is raised while the listener is busy becomes one element.
    func listen() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.lastID += 1
                state.listeners[state.lastID] = continuation
                listenerCount.store(state.listeners.count, ordering: .sequentiallyConsistent)
                return state.lastID
            }
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        }
    }

    func raise() { for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() } }

    /// Ends what the listeners listen to.
    func finish() { for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() } }

    private func remove(_ id: UInt64) {
        state.withLock { state in
            state.listeners[id] = nil
            listenerCount.store(state.listeners.count, ordering: .sequentiallyConsistent)
        }
    }
}
