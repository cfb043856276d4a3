internal import AuthCore
internal import Synchronization

/// What a replay uses: one of the library's APIs, with a few devices.
///
/// For each device it keeps the handle of the last successful sign-in there, also after refusals and revocations.
protocol ReplayFace: Sendable {
    /// Does what the step says, and returns the result.
    func perform(_ step: Trace.Step) async -> ReplayOutcome

    /// All stored accounts, oldest first.
    func accounts() async -> [Account]

    /// Whether an account's address counts as verified.
    func isEmailVerified(_ account: Account) -> Bool

    /// Moves the clock by the time between two steps.
    func advanceClock()

    /// Sets the name that the trace uses for an account.
    func name(_ account: AccountID, _ name: String)
}

/// The result of a step.
struct ReplayOutcome: Sendable {
    var error: String?
    var account: AccountID?
    var isNewUser: Bool?
    var methods: [String]?
    var email: String?

    static let done = ReplayOutcome()

    static func failed(_ error: AuthError) -> ReplayOutcome {
        ReplayOutcome(error: error.code.name, email: error.conflict?.email)
    }
}

/// Seeds of which no two traces of a process have the same.
///
/// What still goes on of one trace must not end a session of the next, which is in the same database.
enum ReplaySeeds {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
