internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let reauthentication = Scene(
        title: "Prove again who you are",
        about: "Before something delicate the app asks once more. Somebody else's credential must neither pass nor "
            + "change anything, not even make that person an account."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .ann)).user
        }
        stage.clock.advance(by: 3600)
        stage.tells("An hour later, somebody holds Ann's phone.")
        try await stage.isRefused("ann.reauthenticate(with: .google(idToken: tokenOfBen))", as: .userMismatch) {
            try await ann.reauthenticate(with: stage.credential(.google, .ben))
        }
        stage.checks("Ben got no account by this", await stage.accountCount() == 1)
        stage.checks("Ann still sits here", auth.currentUser === ann)
        try await stage.calls("ann.reauthenticate(with: .google(idToken: token))") {
            try await ann.reauthenticate(with: stage.credential(.google, .ann))
        }
        stage.checks("the session is proved as of now", ann.session.authenticatedAt == stage.clock.timestamp)
        try await stage.shows(ann)
    }
}
