#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

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

    /// The time, in whole milliseconds, which is what stores keep.
    package var now: Date {
        let milliseconds = (clock().timeIntervalSince1970 * 1000).rounded(.down)
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Random bytes, this many.
    package func randomBytes(_ count: Int) -> [UInt8] { random.bytes(count) }

    /// The names that one decision may need.
    package func freshIdentifiers() -> FreshIdentifiers { random.identifiers() }

    /// 128 random bits.
    package func randomBits() -> UInt128 { random.bits() }
}

/// Random numbers drawn from the generator a block at a time.
private final class RandomBlocks: Sendable {
    private struct State {
        var generator: any RandomNumberGenerator
        var block: [UInt64] = []

        mutating func word() -> UInt64 {
            if block.isEmpty { block = (0..<128).map { _ in generator.next() } }
            return block.removeLast()
        }

        mutating func bits() -> UInt128 { UInt128(word()) << 64 | UInt128(word()) }
    }

    private let state: Mutex<State>

    init(_ generator: sending any RandomNumberGenerator) {
        state = Mutex(State(generator: generator))
    }

    func bits() -> UInt128 { state.withLock { $0.bits() } }

    func identifiers() -> FreshIdentifiers {
        state.withLock { state in
            FreshIdentifiers(
                operation: state.bits(),
                account: state.bits(),
                session: state.bits(),
                capability: state.bits(),
                message: state.bits()
            )
        }
    }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            while bytes.count < count {
                var word = state.word()
                for _ in 0..<min(8, count - bytes.count) {
                    bytes.append(UInt8(truncatingIfNeeded: word))
                    word >>= 8
                }
            }
            return bytes
        }
    }
}
