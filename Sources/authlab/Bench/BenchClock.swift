internal import AuthCore
internal import AuthCoreFoundation
internal import Synchronization

/// The system's clock, which can be set forward: a time-based code works once in its time step, and the bench does not
/// wait.
final class BenchClock: Sendable {
    private let ahead = Atomic<Int>(0)

    var now: Date { Date().addingTimeInterval(Double(ahead.load(ordering: .relaxed))) }

    var timestamp: Timestamp { Timestamp(now) }

    func advance(seconds: Int) { ahead.add(seconds, ordering: .relaxed) }
}
