internal import AuthCore
internal import AuthCoreTesting

extension Scene {
    static let secondFactors = Scene(
        name: "second-factor",
        title: "A second factor: a text message or an authenticator app",
        about: "Once a factor is enrolled, the password alone is not enough. It gives a challenge that lists the "
            + "factors, and any one of them can answer it."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.signUpWithVerifiedAddress(auth)
        let id = try await stage.calls(#"id = ann.multiFactor.sendPhoneCode(to: "+15550001234")"#) {
            try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        }
        try await stage.calls("ann.multiFactor.enroll(phoneVerificationID: id, code: digits)") {
            try await ann.multiFactor.enroll(
                phoneVerificationID: id,
                code: stage.mailedCode(to: "+15550001234"),
                displayName: "my phone"
            )
        }
        let enrollment = try await stage.enrollAuthenticator(ann)
        try await stage.shows(ann)

        let challenge = try await stage.meetsChallenge(auth)
        stage.checks("it lists both factors", challenge.hints.map(\.kind) == [.phone, .totp])
        let hint = try stage.unwraps(challenge.hints.first, "the challenge has hints")
        stage.checks("it shows only the last digits of the number", hint.maskedPhoneNumber == "+*******1234")
        let sent = try await stage.calls("id = auth.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)") {
            try await auth.sendPhoneCode(for: challenge, factor: hint.id)
        }
        let result = try await stage.calls(
            "auth.resolve(challenge, with: .phone(verificationID: id, code: digits))"
        ) {
            try await auth.resolve(
                challenge,
                with: .phone(verificationID: sent, code: stage.mailedCode(to: "+15550001234"))
            )
        }
        stage.checks("Ann is signed in", result.user.uid == ann.uid && result.user.session.factor?.kind == .phone)

        stage.clock.advance(by: .seconds(86400))
        stage.tells("The next day Ann uses the authenticator app.")
        let second = try await stage.meetsChallenge(auth)
        let digits = stage.digits(of: enrollment)
        try await stage.calls("auth.resolve(challenge, with: .totp(digits))") {
            try await auth.resolve(second, with: .totp(digits))
        }
        let third = try await stage.meetsChallenge(auth)
        try await stage.isRefused("auth.resolve(challenge, with: .totp(digits))", as: .invalidVerificationCode) {
            try await auth.resolve(third, with: .totp(digits))
        }
        stage.tells("The same code does not work twice, even if another person saw it.")
    }

    static let recoveryCode = Scene(
        name: "recovery-code",
        title: "Sign in with a recovery code",
        about: "If every factor is lost, a recovery code can replace it. Each code works once."
    ) { stage in
        let auth = stage.app()
        let ann = try await stage.signUpWithVerifiedAddress(auth)
        _ = try await stage.enrollAuthenticator(ann)
        let codes = try await stage.calls("codes = ann.multiFactor.makeRecoveryCodes()") {
            try await ann.multiFactor.makeRecoveryCodes()
        }
        stage.checks("ten codes to write down", codes.count == 10)
        let code = try stage.unwraps(codes.first, "there is a code")
        let challenge = try await stage.meetsChallenge(auth)
        let result = try await stage.calls("auth.resolve(challenge, with: .recoveryCode(codes[0]))") {
            try await auth.resolve(challenge, with: .recoveryCode(code))
        }
        stage.checks("Ann is signed in", result.user.uid == ann.uid)
        stage.checks("nine codes are left", result.user.multiFactor.remainingRecoveryCodeCount == 9)
        let again = try await stage.meetsChallenge(auth)
        try await stage.isRefused(
            "auth.resolve(challenge, with: .recoveryCode(codes[0]))",
            as: .invalidVerificationCode
        ) {
            try await auth.resolve(again, with: .recoveryCode(code))
        }
        try await stage.shows(ann)
    }
}

extension Stage {
    fileprivate func signUpWithVerifiedAddress(_ auth: Auth) async throws(SceneStopped) -> User {
        try await calls(#"ann = auth.signUp(…); ann.sendEmailVerification(); auth.applyActionCode(codeFromTheMail)"#) {
            let ann = try await auth.signUp(email: "ann@gmail.com", password: "correct horse").user
            try await ann.sendEmailVerification()
            try await auth.applyActionCode(mailedCode(to: "ann@gmail.com"))
            return ann
        }
    }

    fileprivate func enrollAuthenticator(_ user: User) async throws(SceneStopped) -> MultiFactor.TOTPEnrollment {
        let enrollment = try await calls(#"enrollment = ann.multiFactor.startTOTP(issuer: "Lake Boats")"#) {
            try await user.multiFactor.startTOTP(issuer: "Lake Boats")
        }
        checks("the app reads otpauth://totp/Lake%20Boats:…", enrollment.provisioningURI.contains("Lake%20Boats"))
        try await calls("ann.multiFactor.enroll(enrollment, code: digits)") {
            try await user.multiFactor.enroll(enrollment, code: digits(of: enrollment), displayName: "my app")
        }
        return enrollment
    }

    fileprivate func meetsChallenge(_ auth: Auth) async throws(SceneStopped) -> SecondFactor.Challenge {
        let error = try await isRefused(
            #"auth.signIn(with: .password(email: "ann@gmail.com", password: "correct horse"))"#,
            as: .secondFactorRequired
        ) {
            try await auth.signIn(with: .password(email: "ann@gmail.com", password: "correct horse"))
        }
        return try unwraps(error.secondFactor, "the error has a challenge")
    }
}
