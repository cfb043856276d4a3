public import AuthCore

extension AuthEnvironment {
    /// An environment whose time a test controls and whose random numbers are the same in every run.
    ///
    /// Waiting takes no time: it lets other tasks continue.
    public static func manual(_ clock: ManualClock, seed: UInt64 = 1) -> AuthEnvironment {
        AuthEnvironment(clock: { clock.now }, randomness: SeededGenerator(seed: seed)) { _ in
            for _ in 0..<100 { await Task.yield() }
        }
    }
}
