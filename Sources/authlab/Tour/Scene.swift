internal import AuthCore

/// One flow that a person may meet, played on a service of its own.
struct Scene: Sendable {
    /// What happens, in a few words.
    let title: String
    /// What there is to see.
    let about: String
    /// The policy that is in force.
    var policy = AuthPolicy.firebase
    /// Plays it; the stage says what came of every call and whether that was expected.
    let play: @Sendable (Stage) async throws -> Void
}

/// That a scene cannot go on, because a call that should have gone through did not; the stage has said why.
struct SceneStopped: Error, Sendable {}
