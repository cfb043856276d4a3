import Synchronization

/// The elements that one subscriber has not read yet: a bounded queue, and at its end one element that replaces all
/// that were dropped.
final class StreamBuffer<Element: Sendable>: Sendable {
    /// Returns the element that replaces a dropped one, given the replacement of those dropped before.
    typealias Gap = @Sendable (_ gap: Element?, _ element: Element) -> Element

    private struct State {
        var queue: [Element] = []
        var head = 0
        var gap: Element?
        var waiting: [CheckedContinuation<Element?, Never>] = []
        var isOver = false

        /// Removes and returns the next element, if there is one.
        mutating func take() -> Element? {
            guard head < queue.count else {
                defer { gap = nil }
                return gap
            }
            let element = queue[head]
            head += 1
            if head == queue.count {
                queue.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 64, head * 2 >= queue.count {
                queue.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private enum Answer {
        case element(Element?)
        case later
    }

    private let limit: Int
    private let gap: Gap
    private let state = Mutex(State())

    init(limit: Int, gap: @escaping Gap) {
        self.limit = max(1, limit)
        self.gap = gap
    }

    /// Passes an element to the waiting task, or keeps it; the lock is released before a task is resumed.
    func offer(_ element: Element) {
        let waiting = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            if state.isOver { return nil }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if state.gap != nil || state.queue.count - state.head >= limit {
                state.gap = gap(state.gap, element)
            } else {
                state.queue.append(element)
            }
            return nil
        }
        waiting?.resume(returning: element)
    }

    /// Waits for the next element; returns nil when the stream is over and empty.
    func next() async -> Element? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Answer in
                if let element = state.take() { return .element(element) }
                if state.isOver { return .element(nil) }
                state.waiting.append(continuation)
                return .later
            }
            if case .element(let element) = answer { continuation.resume(returning: element) }
        }
    }

    /// Ends the stream: elements that were kept can still be read, and no more are added.
    func finish() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }
}
