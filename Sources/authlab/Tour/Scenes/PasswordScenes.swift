internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let signUp = Scene(
        name: "sign-up",
        title: "Sign up with a password, and verify the address",
        about: "An address that is not verified is only a claim. The mailed code verifies it."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls(#"auth.signUp(email: "Ann@Gmail.com", password: "correct horse")"#) {
            try await auth.signUp(email: "Ann@Gmail.com", password: "correct horse").user
        }
        stage.checks("a new account, and Ann is signed in", auth.currentUser === ann)
        stage.checks("letter case of the address does not matter", ann.email == "ann@gmail.com")
        stage.checks("the address is not verified yet", !ann.isEmailVerified)
        try await stage.shows(ann)

        try await stage.isRefused(
            #"auth.signUp(email: "ann@gmail.com", password: "battery staple")"#,
            as: .emailAlreadyInUse
        ) {
            try await stage.app("another phone").signUp(email: "ann@gmail.com", password: "battery staple")
        }
        try await stage.calls("ann.sendEmailVerification()") {
            try await ann.sendEmailVerification()
        }
        stage.checks("an email was sent to Ann", stage.outbox.last(to: "ann@gmail.com", .verifyEmail) != nil)
        let code = stage.mailedCode(to: "ann@gmail.com")
        try await stage.calls("auth.applyActionCode(codeFromTheMail)") {
            try await auth.applyActionCode(code)
        }
        try await stage.calls("ann.reload()") { try await ann.reload() }
        stage.checks("the address is verified", ann.isEmailVerified)
        try await stage.shows(ann)
        try await stage.isRefused("auth.applyActionCode(codeFromTheMail)", as: .invalidActionCode) {
            try await auth.applyActionCode(code)
        }
    }

    static let passwordReset = Scene(
        name: "password-reset",
        title: "A forgotten password",
        about: "The owner of the mailbox recovers the account. Every session ends, and what the mailbox does not vouch "
            + "for can no longer sign in, because another person may have linked it."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await auth.signIn(with: stage.credential(.google, .annAtGmail)).user
        }
        try await stage.calls(#"ann.link(with: .password(email: "ann@gmail.com", password: "soon forgotten"))"#) {
            try await ann.link(with: .password(email: "ann@gmail.com", password: "soon forgotten"))
        }
        try await stage.shows(ann)
        try await stage.isRefused(
            #"auth.signIn(with: .password(email: "ann@gmail.com", password: "what was it"))"#,
            as: stage.wrongPassword
        ) {
            try await auth.signIn(with: .password(email: "ann@gmail.com", password: "what was it"))
        }
        try await stage.calls(#"auth.sendPasswordReset(to: "ann@gmail.com")"#) {
            try await auth.sendPasswordReset(to: "ann@gmail.com")
        }
        let code = stage.mailedCode(to: "ann@gmail.com")
        let action = try await stage.calls("auth.checkActionCode(codeFromTheMail)") {
            try await auth.checkActionCode(code)
        }
        stage.checks("it resets the password of ann@gmail.com", action.kind == .resetPassword)
        try await stage.isRefused(
            #"auth.confirmPasswordReset(code: codeFromTheMail, newPassword: "short")"#,
            as: .weakPassword
        ) {
            try await auth.confirmPasswordReset(code: code, newPassword: "short")
        }
        stage.tells("A refused attempt does not use up the code.")
        try await stage.calls(#"auth.confirmPasswordReset(code: codeFromTheMail, newPassword: "written down")"#) {
            try await auth.confirmPasswordReset(code: code, newPassword: "written down")
        }
        try await stage.isRefused("ann.reload()", as: .userTokenExpired) {
            try await ann.reload()
        }
        let back = try await stage.calls(
            #"auth.signIn(with: .password(email: "ann@gmail.com", password: "written down"))"#
        ) {
            try await auth.signIn(with: .password(email: "ann@gmail.com", password: "written down")).user
        }
        stage.checks("the same account", back.uid == ann.uid)
        let left = back.providerData.map(\.provider)
        switch stage.policy.passwordReset {
        case .removesFederated: stage.checks("only the password can sign in", left == [.password])
        case .suspendsDoubtful: stage.checks("Google runs the mailbox, so it stays", left == [.google, .password])
        }
        try await stage.shows(back)
    }
}
