import Synchronization

/// Random numbers, taken from the generator one block at a time.
package final class RandomBlocks: Sendable {
    private struct State {
        private static let size = 128
        var generator: any RandomNumberGenerator
        var block = [UInt64](repeating: 0, count: size)
        /// The index of the next unused word; the end of the block if there is none.
        var next = size

        // A decision takes ten words.
        @inline(__always)
        mutating func word() -> UInt64 {
            if next == block.count {
                refill()
                next = 0
            }
            defer {
                // A number that was handed out must not be found in memory later.
                block[next] = 0
                next += 1
            }
            return block[next]
        }

        mutating func bits() -> UInt128 { UInt128(word()) << 64 | UInt128(word()) }

        private mutating func refill() {
            if generator is SystemRandomNumberGenerator, block.randomizeFromSystem() { return }
            for index in block.indices { block[index] = generator.next() }
        }
    }

    private let state: Mutex<State>

    /// Takes the numbers from this generator.
    package init(_ generator: sending any RandomNumberGenerator) {
        state = Mutex(State(generator: generator))
    }

    /// Returns 128 random bits.
    package func bits() -> UInt128 { state.withLock { $0.bits() } }

    /// Calls the body with a function that returns 128 random bits at each call.
    package func draw<Answer: Sendable>(_ body: (_ next: () -> UInt128) -> Answer) -> Answer {
        state.withLock { state in body { state.bits() } }
    }

    /// Returns this many random bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var word: UInt64 = 0
            return (0..<count).map { place in
                word = place % 8 == 0 ? state.word() : word >> 8
                return UInt8(truncatingIfNeeded: word)
            }
        }
    }
}
