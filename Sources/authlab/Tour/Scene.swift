internal import AuthCore

/// One flow, played on a service of its own.
struct Scene: Sendable {
    /// The name on the command line.
    let name: String
    /// What happens, in a few words.
    let title: String
    /// What the scene shows.
    let about: String
    /// The policy that the scene is about; nil if it can be played under any.
    var policy: NamedPolicy?
    /// Plays the scene; the stage reports the result of every call and whether it was expected.
    let play: @Sendable (Stage) async throws -> Void
}

/// A scene stopped because a call had an unexpected result; the stage has already reported it.
struct SceneStopped: Error, Sendable {}
