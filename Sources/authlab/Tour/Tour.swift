/// Sign-in flows, played for a terminal.
struct Tour: Sendable {
    /// The scenes in the order in which they are played.
    static let program: [Scene] =
        [.signUp, .passwordReset]
        + [.anonymousUpgrade, .googleAndFacebook, .unlink]
        + [.gitHubConflict, .handOver]
        + [.join, .takeOver]
        + [.emailLink, .phone]
        + [.reauthentication]
        + [.secondFactors, .recoveryCode]
        + [.sessions, .disabledAccount]
        + [.squatter, .merge]
        + [.firebaseDiffers]

    var scenes = program
    /// The policy of every scene that has none of its own.
    var policy = NamedPolicy.standard
    var layout = NarrationLayout()
    /// Emptied before every scene.
    var store = LabStore.memory
    var progress = ProgressLog.silent
    /// What happens before each scene and each call but the very first.
    var wait: @Sendable () -> Void = {}

    /// Plays every scene; returns true if everything was as expected.
    func run(print: (String) -> Void) async -> Bool {
        var failures = 0
        for (index, scene) in scenes.enumerated() {
            var isFirst = index == 0
            if !isFirst { wait() }
            progress.begins("playing scene \(index + 1) of \(scenes.count), \(scene.name)")
            let policy = scene.policy ?? policy
            let number = (Self.program.firstIndex { $0.name == scene.name } ?? index) + 1
            print(layout.text(of: .title(number, scene.title, policy: policy.name)))
            print(layout.text(of: .aside(scene.about)))
            let stage = Stage(policy.policy, store: store)
            do {
                try await store.empty()
                try await scene.play(stage)
            } catch is SceneStopped {
                stage.fails("the scene runs to its end")
            } catch {
                stage.fails("the scene runs to its end (\(error))")
            }
            stage.finishes()
            for line in stage.lines {
                if case .call = line {
                    if !isFirst { wait() }
                    isFirst = false
                }
                print(layout.text(of: line))
            }
            failures += stage.failures
        }
        progress.begins("emptying the store")
        do {
            try await store.empty()
        } catch {
            failures += 1
            print(layout.text(of: .failure("the store is emptied again (\(error))")))
        }
        let count = "\(scenes.count) scene\(scenes.count == 1 ? "" : "s")"
        print("\(count), \(failures == 0 ? "everything as expected" : "not as expected: \(failures)")")
        return failures == 0
    }
}
