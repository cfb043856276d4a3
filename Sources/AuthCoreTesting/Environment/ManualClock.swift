public import AuthCore
public import AuthCoreFoundation
internal import Synchronization

/// A clock that moves only when a test moves it.
public final class ManualClock: Sendable {
    private let time: Mutex<Date>
    private let sequences = Mutex<[UInt64: SeededGenerator]>([:])

    /// Creates a clock that shows this time, by default the first moment of 2026 in UTC.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        time = Mutex(start)
    }

    /// The time that the clock shows.
    public var now: Date { time.withLock { $0 } }

    /// The time that the clock shows, as a store keeps it.
    public var timestamp: Timestamp { Timestamp(now) }

    /// Moves the clock by this duration, or back if it is negative.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0.addingTimeInterval(duration / .seconds(1)) }
    }

    /// Sets the clock to this time.
    public func set(_ date: Date) {
        time.withLock { $0 = date }
    }

    /// The next number of a seed's sequence, of which each number is drawn once on this clock.
    func next(ofSeed seed: UInt64) -> UInt64 {
        sequences.withLock { $0[seed, default: SeededGenerator(seed: seed)].next() }
    }
}
