/// The command that plays sign-in flows in a terminal: `authlab tour`.
struct Tour: Sendable {
    /// The scenes in the order in which they are played.
    static let programme: [Scene] =
        [.signUp, .passwordReset]
        + [.anonymousUpgrade, .googleAndFacebook, .unlink]
        + [.gitHubConflict, .handOver]
        + [.join, .strip]
        + [.emailLink, .phone]
        + [.reauthentication]
        + [.secondFactors, .recoveryCode]
        + [.sessions, .disabledAccount]
        + [.squatter, .merge]

    var scenes = programme
    var layout = NarrationLayout()
    /// Emptied before every scene.
    var store = LabStore.memory

    /// Plays every scene; returns true if everything was as expected.
    func run(print: (String) -> Void) async -> Bool {
        var failures = 0
        for (index, scene) in scenes.enumerated() {
            print(layout.text(of: .title(index + 1, scene.title)))
            print(layout.text(of: .aside(scene.about)))
            let stage = Stage(scene.policy, store: store)
            do {
                try await store.empty()
                try await scene.play(stage)
            } catch {
                stage.fails("the scene runs to its end")
            }
            stage.finishes()
            for line in stage.lines { print(layout.text(of: line)) }
            failures += stage.failures
        }
        try? await store.empty()
        print(
            "\(scenes.count) scenes, \(failures == 0 ? "everything as expected" : "not as expected: \(failures)")"
        )
        return failures == 0
    }
}
