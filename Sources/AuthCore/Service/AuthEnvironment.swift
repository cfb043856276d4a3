import AuthCoreCrypto
public import AuthCoreFoundation

/// The clock and the random source of a service; use fixed ones in tests.
public struct AuthEnvironment: Sendable {
    private let clock: @Sendable () -> Date
    private let random: RandomBlocks
    private let pause: @Sendable (Duration) async throws -> Void

    /// Creates an environment with this clock, this source of random numbers and this way to wait.
    ///
    /// Random bytes are read in blocks, so the generator need not be fast per call. In a product it must be
    /// cryptographically secure, as the system's generator is.
    public init(
        clock: @escaping @Sendable () -> Date = { Date() },
        randomness: sending any RandomNumberGenerator = SystemRandomNumberGenerator(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.clock = clock
        pause = sleep
        random = RandomBlocks(randomness)
    }

    /// The system's clock and randomness.
    public static var system: AuthEnvironment { AuthEnvironment() }

    /// The current time.
    package var now: Timestamp { Timestamp(clock()) }

    /// Waits for this long; throws if the task is canceled.
    func sleep(for duration: Duration) async throws { try await pause(duration) }

    /// Returns this many random bytes.
    package func randomBytes(_ count: Int) -> [UInt8] { random.bytes(count) }

    /// Returns the new IDs that one decision may need.
    package func freshIdentifiers() -> FreshIdentifiers { random.draw { FreshIdentifiers(drawing: $0) } }

    /// Returns the ID of a new operation or message.
    package func newOperationID() -> OperationID { OperationID(at: now, IdentifierWords(bits: randomBits())) }

    /// Returns 128 random bits.
    package func randomBits() -> UInt128 { random.bits() }
}
