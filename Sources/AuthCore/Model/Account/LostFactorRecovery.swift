public import AuthCoreFoundation

extension SecondFactor {
    /// The result of a request to remove lost factors.
    public enum Recovery: Sendable, Hashable {
        /// The factors were removed; sign in without one.
        case removed
        /// The factors are removed by a second request after this time, unless a session that has presented one cancels
        /// the recovery. The request must come before as much time again has passed; after that, a recovery begins
        /// anew.
        case waiting(until: Date)
    }
}
