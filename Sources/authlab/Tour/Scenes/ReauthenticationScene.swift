internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let reauthentication = Scene(
        name: "reauthenticate",
        title: "Reauthenticate",
        about: "Before a sensitive change the app asks for the credential again. Another person's credential must be "
            + "refused and change nothing, and must not make an account."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        stage.clock.advance(by: .seconds(3600))
        stage.tells("An hour later, Ben has Ann's phone.")
        let refusal: AuthErrorCode = stage.policy.disclosure == .protected ? .invalidCredential : .userMismatch
        try await stage.isRefused("ann.reauthenticate(with: .google(idToken: tokenOfBen))", as: refusal) {
            try await ann.reauthenticate(with: stage.credential(.google, .benAtGmail))
        }
        stage.checks("no account was made for Ben", await stage.accountCount() == 1)
        stage.checks("Ann is still signed in", auth.currentUser === ann)
        try await stage.calls("ann.reauthenticate(with: .google(idToken: token))") {
            try await ann.reauthenticate(with: stage.credential(.google, .annAtGmail))
        }
        stage.checks("the time of the last login is now", ann.session.authenticatedAt == stage.clock.timestamp)
        try await stage.shows(ann)
    }
}
