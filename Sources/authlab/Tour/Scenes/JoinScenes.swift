internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let join = Scene(
        name: "google-joins",
        title: "The address is verified on both sides: Google joins the account",
        about: "Ann verified her address in the app, and Google is authoritative for the same address. The identity "
            + "joins the account, and all its sign-in methods stay."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls(#"auth.signUp(email: "ann@gmail.com", password: "correct horse")"#) {
            try await auth.signUp(email: "ann@gmail.com", password: "correct horse").user
        }
        try await stage.calls("ann.sendEmailVerification(); auth.applyActionCode(codeFromTheMail)") {
            try await ann.sendEmailVerification()
            try await auth.applyActionCode(stage.mailedCode(to: "ann@gmail.com"))
        }
        try await stage.shows(ann)
        let result = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail))
        }
        stage.checks("no new account", result.user.uid == ann.uid && !result.isNewUser)
        stage.checks("the password still works", result.user.providerData.map(\.provider) == [.password, .google])
        try await stage.shows(result.user)
        try await stage.calls("ann.reload()") { try await ann.reload() }
        stage.checks("the earlier session still works, too", ann.account == result.user.account)
    }

    static let takeOver = Scene(
        name: "take-over",
        title: "The address was never verified: its owner takes over the account",
        about: "Eve signed up with Ann's address and never verified it. She hopes to share the account with Ann later. "
            + "Then Ann signs in with Google, which is authoritative for the address."
    ) { stage in
        let evesPhone = stage.app("Eve's phone")
        let eve = try await stage.calls(#"evesPhone.signUp(email: "ann@gmail.com", password: "I wait here")"#) {
            try await evesPhone.signUp(email: "ann@gmail.com", password: "I wait here").user
        }
        try await stage.shows(eve)
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        stage.checks("the account with the address is Ann's now", ann.uid == eve.uid && ann.isEmailVerified)
        stage.checks("Eve's password was removed", ann.providerData.map(\.provider) == [.google])
        try await stage.shows(ann)
        try await stage.isRefused("eve.reload()", as: .userTokenExpired) {
            try await eve.reload()
        }
        try await stage.isRefused(
            #"evesPhone.signIn(with: .password(email: "ann@gmail.com", password: "I wait here"))"#,
            as: stage.wrongPassword
        ) {
            try await evesPhone.signIn(with: .password(email: "ann@gmail.com", password: "I wait here"))
        }
    }
}
