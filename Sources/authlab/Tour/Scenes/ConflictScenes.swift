internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let gitHubConflict = Scene(
        title: "GitHub brings an address that belongs to a Google account",
        about: "GitHub does not vouch for the address, so this may be anybody. The error carries what is needed to go "
            + "on: who owns the address, and the GitHub identity, kept for ten minutes."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .ann)).user
        }
        try await stage.calls("auth.signOut()") { try await auth.signOut() }
        let error = try await stage.isRefused(
            "auth.signIn(with: .gitHub(accessToken: token))",
            as: .accountExistsWithDifferentCredential
        ) {
            try await auth.signIn(with: stage.credential(.gitHub, .ann))
        }
        let conflict = try stage.unwraps(error.conflict, "the error carries a conflict")
        stage.checks("it is about ann@example.com", conflict.email == "ann@example.com")
        stage.checks("whose owner signs in with Google", conflict.existingProviders == [.google])
        stage.checks("nobody is signed in", auth.currentUser == nil)
        try await stage.shows(ann)

        stage.tells("The app asks Ann to sign in the way she used to, and links the kept identity on the way.")
        let result = try await stage.calls("auth.resolve(conflict, signingInWith: .google(idToken: token))") {
            try await auth.resolve(conflict, signingInWith: stage.credential(.google, .ann))
        }
        stage.checks("Ann is in her account", result.user.uid == ann.uid)
        try await stage.shows(result.user)
        let again = try await stage.calls("auth.signIn(with: .gitHub(accessToken: token))") {
            try await auth.signIn(with: stage.credential(.gitHub, .ann)).user
        }
        stage.checks("from now on GitHub opens it, too", again.uid == ann.uid)
    }

    static let handOver = Scene(
        title: "The identity already has an account: go over to it",
        about: "A guest wants to link the Google identity that they used long ago. It cannot have two owners, so the "
            + "guest may go where it belongs, without a second visit to Google."
    ) { stage in
        let ann = try await stage.calls("oldPhone.signIn(with: .google(idToken: token))") {
            try await stage.app("old phone").signIn(with: stage.credential(.google, .ann)).user
        }
        let auth = stage.app("new phone")
        let guest = try await stage.calls("newPhone.signInAnonymously()") {
            try await auth.signInAnonymously().user
        }
        let error = try await stage.isRefused(
            "guest.link(with: .google(idToken: token))",
            as: .credentialAlreadyInUse
        ) {
            try await guest.link(with: stage.credential(.google, .ann))
        }
        stage.checks("the guest is who they were", auth.currentUser === guest && guest.isAnonymous)
        let conflict = try stage.unwraps(error.conflict, "the error carries a conflict")
        try await stage.isRefused(
            "stranger.signIn(with: conflict.credential)",
            as: .seatMismatch
        ) {
            try await stage.app("a stranger's phone").signIn(with: conflict.credential)
        }
        let result = try await stage.calls("newPhone.signIn(with: conflict.credential)") {
            try await auth.signIn(with: conflict.credential)
        }
        stage.checks("this is Ann's account", result.user.uid == ann.uid && !result.isNewUser)
        try await stage.shows(result.user)
        try await stage.isRefused("newPhone.signIn(with: conflict.credential)", as: .invalidCredential) {
            try await auth.signIn(with: conflict.credential)
        }
        stage.tells("It worked once.")
    }
}
