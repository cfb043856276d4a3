#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The only door to the outside world: time and randomness.
public struct AuthEnvironment: Sendable {
    private let clock: @Sendable () -> Date
    private let random: RandomBlocks

    /// An environment with this clock and this source of random numbers.
    ///
    /// Randomness is drawn in blocks, so the generator need not be fast per call; for a product it must be
    /// cryptographically secure, as the system's is.
    public init(
        clock: @escaping @Sendable () -> Date = { Date() },
        randomness: sending any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.clock = clock
        random = RandomBlocks(randomness)
    }

    /// The system's clock and randomness.
    public static var system: AuthEnvironment { AuthEnvironment() }

    /// The time.
    package var now: Timestamp { Timestamp(clock()) }

    /// Random bytes, this many.
    package func randomBytes(_ count: Int) -> [UInt8] { random.bytes(count) }

    /// The names that one decision may need.
    package func freshIdentifiers() -> FreshIdentifiers { random.identifiers() }

    /// 128 random bits.
    package func randomBits() -> UInt128 { random.bits() }
}
