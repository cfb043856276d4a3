// Shows what the thread sanitizer sees: a counter that a lock guards is counted in silence, one without a lock is
// reported.
import Synchronization

/// A counter as the library would write it.
final class Guarded: Sendable {
    private let count = Mutex(0)

    func increment() { count.withLock { $0 += 1 } }
}

/// A counter as nobody may write it.
// The promise is false on purpose: the race that it hides from the compiler is what the sanitizer must report.
final class Unguarded: @unchecked Sendable {
    private var count = 0

    func increment() { count += 1 }
}

@main
struct Counters {
    static func main() async {
        let guarded = Guarded()
        let unguarded = Unguarded()
        let isGuarded = CommandLine.arguments.contains("guarded")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<50_000 { if isGuarded { guarded.increment() } else { unguarded.increment() } }
                }
            }
        }
    }
}
