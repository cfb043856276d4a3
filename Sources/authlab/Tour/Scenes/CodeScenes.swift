internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let emailLink = Scene(
        name: "mailed-link",
        title: "A mailed link instead of a password",
        about: "A person who can open the link owns the mailbox. The link works once, and only with the address that "
            + "it was sent to."
    ) { stage in
        let auth = stage.app()
        try await stage.calls(#"auth.sendSignInLink(to: "ann@gmail.com")"#) {
            try await auth.sendSignInLink(to: "ann@gmail.com")
        }
        stage.checks("no account exists before the link is opened", await stage.accountCount() == 0)
        let link = stage.mailedLink(to: "ann@gmail.com")
        try await stage.isRefused(
            #"auth.signIn(with: .emailLink(email: "eve@gmail.com", link: link))"#,
            as: .invalidEmail
        ) {
            try await auth.signIn(with: .emailLink(email: "eve@gmail.com", link: link))
        }
        let result = try await stage.calls(
            #"auth.signIn(with: .emailLink(email: "ann@gmail.com", link: link))"#
        ) {
            try await auth.signIn(with: .emailLink(email: "ann@gmail.com", link: link))
        }
        stage.checks("a new account, and its address is verified", result.isNewUser && result.user.isEmailVerified)
        try await stage.shows(result.user)
        try await stage.isRefused(
            #"auth.signIn(with: .emailLink(email: "ann@gmail.com", link: link))"#,
            as: .invalidActionCode
        ) {
            try await auth.signIn(with: .emailLink(email: "ann@gmail.com", link: link))
        }
    }

    static let phone = Scene(
        name: "phone-code",
        title: "A code by text message",
        about: "The six digits verify the phone number. After a typing error the code still works."
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
            try await result.user.link(with: stage.credential(.google, .annAtGmail))
        }
        stage.checks("it has an address now, and Google is authoritative for it", result.user.isEmailVerified)
        try await stage.shows(result.user)
        try await stage.isRefused(#"auth.sendPhoneCode(to: "0555 1234")"#, as: .invalidPhoneNumber) {
            try await auth.sendPhoneCode(to: "0555 1234")
        }
    }
}
