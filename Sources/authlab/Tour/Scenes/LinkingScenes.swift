internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let anonymousUpgrade = Scene(
        title: "First without an account, then with one",
        about: "Somebody tries the app before they sign up. What they did meanwhile must not be lost, so the account "
            + "that they get is the one they had."
    ) { stage in
        let auth = stage.app()
        let guest = try await stage.calls("auth.signInAnonymously()") {
            try await auth.signInAnonymously().user
        }
        stage.checks("an account that only this seat holds", guest.isAnonymous)
        let uid = guest.uid
        try await stage.shows(guest)
        try await stage.calls(#"guest.link(with: .password(email: "ann@example.com", password: "correct horse"))"#) {
            try await guest.link(with: .password(email: "ann@example.com", password: "correct horse"))
        }
        stage.checks("the guest is a guest no more", !guest.isAnonymous)
        stage.checks("the uid is the same", guest.uid == uid)
        try await stage.shows(guest)
        let later = try await stage.calls(
            #"auth.signIn(with: .password(email: "ann@example.com", password: "correct horse"))"#
        ) {
            try await auth.signIn(with: .password(email: "ann@example.com", password: "correct horse")).user
        }
        stage.checks("on the next day, too", later.uid == uid)
    }

    static let googleAndFacebook = Scene(
        title: "Google and Facebook open the same account",
        about: "One person, two buttons. After the link either of them leads to the same uid."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .ann)).user
        }
        stage.checks("Google says that the address is Ann's", ann.isEmailVerified)
        try await stage.shows(ann)
        try await stage.calls("ann.link(with: .facebook(accessToken: token))") {
            try await ann.link(with: stage.credential(.facebook, .ann))
        }
        try await stage.shows(ann)
        try await stage.calls("auth.signOut()") { try await auth.signOut() }
        stage.checks("nobody sits here", auth.currentUser == nil)
        let result = try await stage.calls("auth.signIn(with: .facebook(accessToken: token))") {
            try await auth.signIn(with: stage.credential(.facebook, .ann))
        }
        stage.checks("the same account, and it is not new", result.user.uid == ann.uid && !result.isNewUser)
        try await stage.isRefused("ann.link(with: .facebook(accessToken: tokenOfBen))", as: .providerAlreadyLinked) {
            try await result.user.link(with: stage.credential(.facebook, .ben))
        }
    }

    static let unlink = Scene(
        title: "Take a way in off the account",
        about: "What is unlinked opens nothing any more; the account and its other ways in stay."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .ann)).user
        }
        try await stage.calls("ann.link(with: .facebook(accessToken: token))") {
            try await ann.link(with: stage.credential(.facebook, .ann))
        }
        try await stage.shows(ann)
        try await stage.calls("ann.unlink(.facebook)") { try await ann.unlink(.facebook) }
        stage.checks("Google is left", ann.providerData.map(\.provider) == [.google])
        try await stage.shows(ann)
        try await stage.isRefused("ann.unlink(.facebook)", as: .noSuchProvider) {
            try await ann.unlink(.facebook)
        }
        try await stage.isRefused(
            "auth.signIn(with: .facebook(accessToken: token))",
            as: .accountExistsWithDifferentCredential
        ) {
            try await stage.app("another phone").signIn(with: stage.credential(.facebook, .ann))
        }
        stage.tells("Facebook does not vouch for the address, so it does not lead back into the account by itself.")
    }
}
