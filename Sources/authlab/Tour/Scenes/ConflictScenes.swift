internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let gitHubConflict = Scene(
        name: "github-conflict",
        title: "GitHub states an address that belongs to a Google account",
        about: "GitHub does not run the mailbox, so this may be another person. The error has what the app needs to "
            + "continue: the GitHub identity, kept for ten minutes."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        try await stage.calls("auth.signOut()") { try await auth.signOut() }
        let error = try await stage.isRefused(
            "auth.signIn(with: .gitHub(accessToken: token))",
            as: .accountExistsWithDifferentCredential
        ) {
            try await auth.signIn(with: stage.credential(.gitHub, .annAtGmail))
        }
        let conflict = try stage.unwraps(error.conflict, "the error has a conflict")
        stage.checks("it is about ann@gmail.com", conflict.email == "ann@gmail.com")
        if stage.policy.disclosure != .uniform {
            stage.checks("the owner of the address signs in with Google", conflict.existingProviders == [.google])
        } else {
            stage.checks("a stranger does not learn how the owner signs in", conflict.existingProviders.isEmpty)
        }
        stage.checks("no user is signed in", auth.currentUser == nil)
        try await stage.shows(ann)

        stage.tells("The app asks Ann to sign in as she did before, and links the GitHub identity in the same step.")
        let result = try await stage.calls("auth.resolve(conflict, signingInWith: .google(idToken: token))") {
            try await auth.resolve(conflict, signingInWith: stage.credential(.google, .annAtGmail))
        }
        stage.checks("Ann is signed in to her account", result.user.uid == ann.uid)
        try await stage.shows(result.user)
        let again = try await stage.calls("auth.signIn(with: .gitHub(accessToken: token))") {
            try await auth.signIn(with: stage.credential(.gitHub, .annAtGmail)).user
        }
        stage.checks("from now on GitHub signs in to this account, too", again.uid == ann.uid)
    }

    static let handOver = Scene(
        name: "switch-account",
        title: "The identity already has an account: switch to it",
        about: "An anonymous user wants to link a Google identity that already has an account. An identity has only "
            + "one owner, so the user can switch to that account, without asking Google a second time."
    ) { stage in
        let ann = try await stage.calls("oldPhone.signIn(with: .google(idToken: token))") {
            try await stage.app("old phone").signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        let auth = stage.app("new phone")
        let guest = try await stage.calls("newPhone.signInAnonymously()") {
            try await auth.signInAnonymously().user
        }
        let error = try await stage.isRefused(
            "guest.link(with: .google(idToken: token))",
            as: .credentialAlreadyInUse
        ) {
            try await guest.link(with: stage.credential(.google, .annAtGmail))
        }
        stage.checks("the user is still anonymous and signed in", auth.currentUser === guest && guest.isAnonymous)
        let conflict = try stage.unwraps(error.conflict, "the error has a conflict")
        try await stage.isRefused(
            "stranger.signIn(with: conflict.credential)",
            as: .deviceMismatch
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
        stage.tells("The credential works only once.")
    }
}
