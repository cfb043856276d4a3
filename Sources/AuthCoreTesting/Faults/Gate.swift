internal import Synchronization

/// Makes tasks wait until a test opens it, and counts the tasks that have arrived.
///
/// It ignores cancellation: a canceled task still waits, so that the test decides when the task continues.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a gate that is closed.
    public init() {}

    /// Reaches the gate, and waits until it is open.
    public func pass() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let freed = state.withLock { state in
                state.arrived += 1
                let arrived = state.arrived
                var freed = state.watchers.filter { $0.count <= arrived }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrived }
                if state.isOpen { freed.append(continuation) } else { state.waiting.append(continuation) }
                return freed
            }
            for continuation in freed { continuation.resume() }
        }
    }

    /// Lets all waiting tasks continue, and all later ones too.
    public func open() {
        let freed = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in freed { continuation.resume() }
    }

    /// Waits until this many tasks have reached the gate.
    public func waitForArrivals(_ count: Int = 1) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = state.withLock { state in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
