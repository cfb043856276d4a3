import Synchronization

/// All subscribers of one stream.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var buffers: [UInt64: StreamBuffer<Element>] = [:]
        var lastID: UInt64 = 0
        var isOver = false
    }

    private let state = Mutex(State())
    /// The number of subscribers, read without the lock: without subscribers, publishing costs nothing.
    private let listeners = Atomic<Int>(0)

    init() {}

    /// Whether there are subscribers.
    var isHeard: Bool { listeners.load(ordering: .sequentiallyConsistent) > 0 }

    /// Returns a new subscription, and whether it is the only one.
    func subscribe(
        limit: Int,
        gap: @escaping StreamBuffer<Element>.Gap
    ) -> (subscription: Subscription<Element>, isOnly: Bool) {
        let buffer = StreamBuffer(limit: limit, gap: gap)
        let (id, isOnly, isOver) = state.withLock { state in
            state.lastID += 1
            if !state.isOver { state.buffers[state.lastID] = buffer }
            listeners.store(state.buffers.count, ordering: .sequentiallyConsistent)
            return (state.lastID, state.buffers.count == 1, state.isOver)
        }
        if isOver { buffer.finish() }
        return (Subscription(buffer) { [self] in remove(id) }, isOnly)
    }

    /// Sends an element to all subscribers, with no lock held.
    func publish(_ element: Element) {
        for buffer in state.withLock({ Array($0.buffers.values) }) { buffer.offer(element) }
    }

    /// Ends all streams.
    func finish() {
        let buffers = state.withLock { state in
            state.isOver = true
            defer { state.buffers = [:] }
            listeners.store(0, ordering: .sequentiallyConsistent)
            return Array(state.buffers.values)
        }
        for buffer in buffers { buffer.finish() }
    }

    private func remove(_ id: UInt64) {
        state.withLock { state in
            state.buffers[id] = nil
            listeners.store(state.buffers.count, ordering: .sequentiallyConsistent)
        }
    }
}

/// One subscriber; its subscription ends when its task is cancelled or nothing refers to it any more.
final class Subscription<Element: Sendable>: Sendable {
    private let buffer: StreamBuffer<Element>
    private let leave: @Sendable () -> Void

    init(_ buffer: StreamBuffer<Element>, leave: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.leave = leave
    }

    deinit { end() }

    /// Waits for the next element; returns nil when the stream is over or the task was cancelled.
    func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        let element = await withTaskCancellationHandler {
            await buffer.next()
        } onCancel: {
            end()
        }
        return Task.isCancelled ? nil : element
    }

    /// Ends the subscription, and resumes a task that waits.
    func end() {
        leave()
        buffer.finish()
    }
}

/// A subscription as a sequence; several loops over it share its elements.
struct SubscribedSequence<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription<Element>

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await subscription.next(isolation: actor)
        }
    }

    let subscription: Subscription<Element>

    init(_ subscription: Subscription<Element>) { self.subscription = subscription }

    func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}
