/// What asking for the removal of lost factors came to.
public enum LostFactorRecovery: Sendable, Hashable {
    /// The factors are off the account; sign in without one.
    case removed
    /// They go when it is asked again after this moment, unless a session that has shown one objects.
    case waiting(until: Timestamp)
}
