internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let anonymousUpgrade = Scene(
        name: "guest",
        title: "Upgrade an anonymous account",
        about: "A person tries the app before signing up. Their data must not be lost, so signing up keeps the same "
            + "account."
    ) { stage in
        let auth = stage.app()
        let guest = try await stage.calls("auth.signInAnonymously()") {
            try await auth.signInAnonymously().user
        }
        stage.checks("an anonymous account, which only this app can open", guest.isAnonymous)
        let uid = guest.uid
        try await stage.shows(guest)
        try await stage.calls(#"guest.link(with: .password(email: "ann@gmail.com", password: "correct horse"))"#) {
            try await guest.link(with: .password(email: "ann@gmail.com", password: "correct horse"))
        }
        stage.checks("the account is no longer anonymous", !guest.isAnonymous)
        stage.checks("the uid is the same", guest.uid == uid)
        try await stage.shows(guest)
        let later = try await stage.calls(
            #"auth.signIn(with: .password(email: "ann@gmail.com", password: "correct horse"))"#
        ) {
            try await auth.signIn(with: .password(email: "ann@gmail.com", password: "correct horse")).user
        }
        stage.checks("a later sign-in opens the same account", later.uid == uid)
    }

    static let googleAndFacebook = Scene(
        name: "link",
        title: "Google and Facebook open the same account",
        about: "After the link, both providers sign in to the same uid."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        stage.checks("Google verifies that the address is Ann's", ann.isEmailVerified)
        try await stage.shows(ann)
        try await stage.calls("ann.link(with: .facebook(accessToken: token))") {
            try await ann.link(with: stage.credential(.facebook, .annAtGmail))
        }
        try await stage.shows(ann)
        try await stage.calls("auth.signOut()") { try await auth.signOut() }
        stage.checks("no user is signed in", auth.currentUser == nil)
        let result = try await stage.calls("auth.signIn(with: .facebook(accessToken: token))") {
            try await auth.signIn(with: stage.credential(.facebook, .annAtGmail))
        }
        stage.checks("the same account, and it is not new", result.user.uid == ann.uid && !result.isNewUser)
        try await stage.isRefused("ann.link(with: .facebook(accessToken: tokenOfBen))", as: .providerAlreadyLinked) {
            try await result.user.link(with: stage.credential(.facebook, .benAtGmail))
        }
    }

    static let unlink = Scene(
        name: "unlink",
        title: "Remove a sign-in method",
        about: "An unlinked identity cannot sign in any more. The account and its other sign-in methods stay."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        try await stage.calls("ann.link(with: .facebook(accessToken: token))") {
            try await ann.link(with: stage.credential(.facebook, .annAtGmail))
        }
        try await stage.shows(ann)
        try await stage.calls("ann.unlink(.facebook)") { try await ann.unlink(.facebook) }
        stage.checks("only Google is left", ann.providerData.map(\.provider) == [.google])
        try await stage.shows(ann)
        try await stage.isRefused("ann.unlink(.facebook)", as: .noSuchProvider) {
            try await ann.unlink(.facebook)
        }
        try await stage.isRefused(
            "auth.signIn(with: .facebook(accessToken: token))",
            as: .accountExistsWithDifferentCredential
        ) {
            try await stage.app("another phone").signIn(with: stage.credential(.facebook, .annAtGmail))
        }
        stage.tells("Facebook is not authoritative for the address, so it does not join the account automatically.")
    }
}
