public import AuthCore

extension AuthEnvironment {
    /// An environment whose time a test controls and whose random numbers are the same in every run.
    public static func manual(_ clock: ManualClock, seed: UInt64 = 1) -> AuthEnvironment {
        AuthEnvironment(clock: { clock.now }, randomness: SeededGenerator(seed: seed))
    }
}
