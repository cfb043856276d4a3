internal import Synchronization

/// Holds tasks until a test opens it, and tells how many have come.
///
/// It does not heed cancellation: a task that was cancelled waits on, so that the test decides when it goes.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// A gate that is shut.
    public init() {}

    /// How many tasks have come to the gate, whether they have passed it or not.
    public var arrivals: Int { state.withLock { $0.arrived } }

    /// Comes to the gate, and waits there until it is open.
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

    /// Lets all who wait go, and whoever comes later.
    public func open() {
        let freed = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in freed { continuation.resume() }
    }

    /// Waits until this many tasks have come.
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
