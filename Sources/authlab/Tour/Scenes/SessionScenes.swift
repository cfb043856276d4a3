internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let sessions = Scene(
        name: "sessions",
        title: "See and end your sessions",
        about: "Every sign-in makes a session. The person can list the sessions and end each of them."
    ) { stage in
        let phone = stage.app("Ann's phone")
        let laptop = stage.app("a laptop in the library")
        let ann = try await stage.calls("phone.signIn(with: .google(idToken: token))") {
            try await phone.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        stage.clock.advance(by: .seconds(60))
        let away = try await stage.calls("laptop.signIn(with: .google(idToken: token))") {
            try await laptop.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        let sessions = try await stage.calls("ann.sessions()") { try await ann.sessions() }
        stage.checks(
            "one on Ann's phone, and one on a laptop in the library",
            sessions.map(\.deviceName) == ["Ann's phone", "a laptop in the library"]
        )
        let other = try stage.unwraps(sessions.first { $0.id != ann.session.id }, "there is another session")
        stage.tells("Ann forgot to sign out in the library.")
        try await stage.calls("ann.revokeSession(laptop.id)") {
            try await ann.revokeSession(other.id)
        }
        try await stage.isRefused("userOnTheLaptop.reload()", as: .userTokenExpired) {
            try await away.reload()
        }
        let left = try await stage.calls("ann.sessions()") { try await ann.sessions() }
        stage.checks("only the session on her phone is left", left.map(\.id) == [ann.session.id])
        try await stage.shows(ann)
    }

    static let disabledAccount = Scene(
        name: "disabled",
        title: "An administrator disables an account",
        about: "Nothing is deleted, but the account cannot be used until it is enabled again."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        try await stage.calls("service.setDisabled(true, account: ann.account.id)") {
            try await stage.service.setDisabled(true, account: ann.account.id)
        }
        try await stage.shows(ann)
        try await stage.isRefused("ann.updateProfile(displayName: .set(\"Annie\"))", as: .userDisabled) {
            try await ann.updateProfile(displayName: .set("Annie"))
        }
        try await stage.isRefused("auth.signIn(with: .google(idToken: token))", as: .userDisabled) {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail))
        }
        try await stage.calls("service.setDisabled(false, account: ann.account.id)") {
            try await stage.service.setDisabled(false, account: ann.account.id)
        }
        var user = ann
        if stage.policy.revokesSessionsOn.contains(.accountEnabled) {
            try await stage.isRefused("ann.updateProfile(displayName: .set(\"Annie\"))", as: .userTokenExpired) {
                try await user.updateProfile(displayName: .set("Annie"))
            }
            user = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
                try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
            }
        }
        try await stage.calls("ann.updateProfile(displayName: .set(\"Annie\"))") {
            try await user.updateProfile(displayName: .set("Annie"))
        }
        try await stage.shows(user)
    }
}
