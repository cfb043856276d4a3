internal import AuthCore

/// What a replay drives: some face of the library with a few seats.
///
/// A face keeps, for each seat, the handle of the last successful sign-in there, also after refusals and revocations.
protocol ReplayFace: Sendable {
    /// Does what the step says and tells what came of it.
    func perform(_ step: Trace.Step) async -> ReplayOutcome

    /// Everything that is stored, oldest account first.
    func accounts() async -> [Account]

    /// Whether an account's address counts as verified.
    func isEmailVerified(_ account: Account) -> Bool

    /// Lets the time between two steps pass.
    func advanceClock()

    /// Tells the face the name that the trace gives an account.
    func name(_ account: AccountID, _ name: String)
}

/// What came of a step.
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
