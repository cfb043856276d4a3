public import AuthCore

extension AuthEnvironment {
    /// An environment whose time a test controls and whose random numbers are the same in every run.
    ///
    /// Waiting takes no time: it lets other tasks continue. Environments of one clock and one seed draw from the same
    /// sequence, so that two services over one store do not make the same IDs.
    public static func manual(_ clock: ManualClock, seed: UInt64 = 1) -> AuthEnvironment {
        AuthEnvironment(clock: { clock.now }, randomness: SharedSequence(clock: clock, seed: seed)) { _ in
            for _ in 0..<100 { await Task.yield() }
        }
    }
}

/// The numbers of a seed that were not drawn yet on a clock.
private struct SharedSequence: RandomNumberGenerator, Sendable {
    let clock: ManualClock
    let seed: UInt64

    func next() -> UInt64 { clock.next(ofSeed: seed) }
}
