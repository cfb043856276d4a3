internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let emailLink = Scene(
        title: "A mailed link instead of a password",
        about: "Whoever can read the mail owns the mailbox. The link works once, and only with the address it was "
            + "mailed to."
    ) { stage in
        let auth = stage.app()
        try await stage.calls(#"auth.sendSignInLink(to: "ann@example.com")"#) {
            try await auth.sendSignInLink(to: "ann@example.com")
        }
        stage.checks("no account is made before the link comes back", await stage.accountCount() == 0)
        let link = stage.mailedLink(to: "ann@example.com")
        try await stage.isRefused(
            #"auth.signIn(with: .emailLink(email: "eve@example.com", link: link))"#,
            as: .invalidEmail
        ) {
            try await auth.signIn(with: .emailLink(email: "eve@example.com", link: link))
        }
        let result = try await stage.calls(
            #"auth.signIn(with: .emailLink(email: "ann@example.com", link: link))"#
        ) {
            try await auth.signIn(with: .emailLink(email: "ann@example.com", link: link))
        }
        stage.checks("a new account, its address proved", result.isNewUser && result.user.isEmailVerified)
        try await stage.shows(result.user)
        try await stage.isRefused(
            #"auth.signIn(with: .emailLink(email: "ann@example.com", link: link))"#,
            as: .invalidActionCode
        ) {
            try await auth.signIn(with: .emailLink(email: "ann@example.com", link: link))
        }
    }

    static let phone = Scene(
        title: "Six digits to a telephone",
        about: "The digits prove the number. A typing error costs nothing, and the number belongs to one account."
    ) { stage in
        let auth = stage.app()
        let id = try await stage.calls(#"id = auth.sendPhoneCode(to: "+15550001234")"#) {
            try await auth.sendPhoneCode(to: "+15550001234")
        }
        let code = stage.mailedCode(to: "+15550001234")
        let typo = code == "000000" ? "000001" : "000000"
        try await stage.isRefused(
            #"auth.signIn(with: .phone(verificationID: id, code: "\#(typo)"))"#,
            as: .invalidVerificationCode
        ) {
            try await auth.signIn(with: .phone(verificationID: id, code: typo))
        }
        let result = try await stage.calls(#"auth.signIn(with: .phone(verificationID: id, code: "\#(code)"))"#) {
            try await auth.signIn(with: .phone(verificationID: id, code: code))
        }
        stage.checks("a new account with that number", result.isNewUser)
        try await stage.shows(result.user)
        try await stage.calls("ann.link(with: .google(idToken: token))") {
            try await result.user.link(with: stage.credential(.google, .ann))
        }
        stage.checks("it has an address now, on Google's word", result.user.isEmailVerified)
        try await stage.shows(result.user)
        try await stage.isRefused(#"auth.sendPhoneCode(to: "0555 1234")"#, as: .invalidPhoneNumber) {
            try await auth.sendPhoneCode(to: "0555 1234")
        }
    }
}
