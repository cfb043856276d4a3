import Synchronization

/// Lets no task continue before all have arrived, so that the first is not finished before the last has started.
final class StartingLine: Sendable {
    private let missing: Mutex<Int>

    init(runners: Int) {
        missing = Mutex(runners)
    }

    func arrive() async {
        missing.withLock { $0 -= 1 }
        while missing.withLock({ $0 }) > 0 { await Task.yield() }
    }
}
