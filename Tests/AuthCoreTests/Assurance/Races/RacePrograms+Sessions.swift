@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting

extension RaceProgram {
    /// Races of what ends a session, or uses something up, with what needs it.
    static let sessions: [RaceProgram] = [AuthPolicy.firebase, .standard].flatMap { ending($0) + using($0) }

    private static func ending(_ policy: AuthPolicy) -> [RaceProgram] {
        [
            RaceProgram("sign in and delete", policy) { stage in
                let ann = try await stage.signUpVerified()
                let entered = Left<User>()
                return (
                    [
                        { await entered.keep(try await stage.service.client().signIn(with: stage.password()).user) },
                        { try await ann.delete() },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "the deletion goes through")
                        outcome.expect(0, refusedOnlyWith: .userNotFound, .wrongPassword, .invalidCredential)
                        let account = try await stage.account(ann)
                        let isAlive = await stage.isAlive(await entered.value)
                        // A sign-in that came later takes the deletion back; one that came earlier ends with it.
                        outcome.expect(isAlive == (account != nil && account?.deletedUntil == nil), "all or nothing")
                    }
                )
            },
            RaceProgram("change the password and sign in with the old one", policy) { stage in
                let ann = try await stage.signUp()
                let entered = Left<User>()
                return (
                    [
                        { await entered.keep(try await stage.service.client().signIn(with: stage.password()).user) },
                        { try await ann.updatePassword(to: "battery staple") },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "the change goes through")
                        outcome.expect(0, refusedOnlyWith: .wrongPassword, .invalidCredential)
                        let isAlive = await stage.isAlive(await entered.value)
                        outcome.expect(!isAlive, "the old password opens nothing that lasts")
                    }
                )
            },
            RaceProgram("reset the password and link", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await stage.service.client().sendPasswordReset(to: "ann@example.com")
                let code = stage.code(to: "ann@example.com", .resetPassword)
                return (
                    [
                        { try await ann.link(with: stage.credential(.gitHub)) },
                        {
                            try await stage.service.client().confirmPasswordReset(
                                code: code,
                                newPassword: "battery staple"
                            )
                        },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "the reset goes through")
                        outcome.expect(0, refusedOnlyWith: .userTokenExpired)
                        let entered = try? await stage.service.client().signIn(with: stage.credential(.gitHub))
                        outcome.expect(entered?.user.uid != ann.uid, "nothing that was linked before opens it")
                    }
                )
            },
            RaceProgram("prove the address and change it", policy) { stage in
                let ann = try await stage.signUp()
                try await ann.sendEmailVerification()
                let code = stage.code(to: "ann@example.com")
                return (
                    [
                        { try await stage.service.client().applyActionCode(code, openedIn: ann.handle) },
                        { try await ann.updateEmail(to: "new@example.com") },
                    ],
                    { outcome in
                        outcome.expect(0, refusedOnlyWith: .invalidActionCode)
                        outcome.expect(1, refusedOnlyWith: .emailChangeNeedsVerification)
                        let account = try await stage.account(ann)
                        let isOld = account?.email?.text == "ann@example.com"
                        let isVerified = account?.isEmailVerified(under: policy)
                        outcome.expect(isVerified == isOld, "only what was verified counts as verified")
                    }
                )
            },
            RaceProgram("enrol a factor and sign in without one", policy) { stage in
                let ann = try await stage.signUpVerified()
                let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
                let digits = stage.digits(enrollment)
                let entered = Left<User>()
                return (
                    [
                        { await entered.keep(try await stage.service.client().signIn(with: stage.password()).user) },
                        { try await ann.multiFactor.enroll(enrollment, code: digits) },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "the enrollment goes through")
                        outcome.expect(0, refusedOnlyWith: .secondFactorRequired)
                        let isAlive = await stage.isAlive(await entered.value)
                        outcome.expect(!isAlive || policy.lastMethod != .kept, "nobody is in without the factor")
                    }
                )
            },
            RaceProgram("shut the account and sign in", policy) { stage in
                let ann = try await stage.signUp()
                let entered = Left<User>()
                return (
                    [
                        { await entered.keep(try await stage.service.client().signIn(with: stage.password()).user) },
                        { _ = try await stage.service.setDisabled(true, account: ann.account.id) },
                    ],
                    { outcome in
                        outcome.expect(0, refusedOnlyWith: .userDisabled)
                        let isAlive = await stage.isAlive(await entered.value)
                        outcome.expect(!isAlive, "nobody is in")
                    }
                )
            },
            RaceProgram("reset the password, link and sign in", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await stage.service.client().sendPasswordReset(to: "ann@example.com")
                let code = stage.code(to: "ann@example.com", .resetPassword)
                let entered = Left<User>()
                return (
                    [
                        { try await ann.link(with: stage.credential(.gitHub)) },
                        {
                            try await stage.service.client().confirmPasswordReset(
                                code: code,
                                newPassword: "battery staple"
                            )
                        },
                        { await entered.keep(try await stage.service.client().signIn(with: stage.password()).user) },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "the reset goes through")
                        let isAlive = await stage.isAlive(await entered.value)
                        outcome.expect(!isAlive, "the old password opens nothing that lasts")
                    }
                )
            },
        ]
    }

    private static func using(_ policy: AuthPolicy) -> [RaceProgram] {
        [
            RaceProgram("one reset code is used twice", policy) { stage in
                try await _ = stage.signUpVerified()
                try await stage.service.client().sendPasswordReset(to: "ann@example.com")
                let code = stage.code(to: "ann@example.com", .resetPassword)
                let words = ["battery staple", "purple monkey"]
                return (
                    words.map { word in
                        { _ = try await stage.service.client().confirmPasswordReset(code: code, newPassword: word) }
                    },
                    { outcome in
                        outcome.oneWins(.invalidActionCode)
                        let word = outcome.codes[0] == nil ? words[0] : words[1]
                        try await stage.service.client().signIn(with: stage.password(word))
                    }
                )
            },
            RaceProgram("one mailed link is opened twice", policy) { stage in
                let link = try await stage.mailedLink(at: "phone")
                return (
                    (0..<2).map { _ in { try await stage.service.client(stage.at("phone")).signIn(with: link) } },
                    { outcome in
                        outcome.oneWins(.invalidActionCode)
                        outcome.expect(outcome.view.sessions.count == 1, "one session")
                    }
                )
            },
            RaceProgram("the digits of a number are typed twice", policy) { stage in
                let id = try await stage.service.client(stage.at("phone")).sendPhoneCode(to: "+15550001111")
                let digits = AuthCredential.phone(verificationID: id, code: stage.code(to: "+15550001111"))
                return (
                    (0..<2).map { _ in { try await stage.service.client(stage.at("phone")).signIn(with: digits) } },
                    { outcome in
                        outcome.oneWins(.invalidVerificationID)
                        outcome.expect(outcome.view.accounts.count == 1, "one account")
                    }
                )
            },
            RaceProgram("one code of an app answers two challenges", policy) { stage in
                let ann = try await stage.signUpVerified()
                let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
                try await ann.multiFactor.enroll(enrollment, code: stage.digits(enrollment))
                stage.clock.advance(by: .seconds(60))
                let digits = stage.digits(enrollment)
                var challenges: [SecondFactor.Challenge] = []
                for _ in 0..<2 {
                    let error = await authError { try await stage.service.client().signIn(with: stage.password()) }
                    if let challenge = error?.secondFactor { challenges.append(challenge) }
                }
                return (
                    challenges.map { challenge in
                        { try await stage.service.client().resolve(challenge, with: .totp(digits)) }
                    },
                    { outcome in outcome.oneWins(.invalidVerificationCode, .secondFactorRequired) }
                )
            },
            RaceProgram("refresh and sign out", policy) { stage in
                let ann = try await stage.signUp()
                let first = try await ann.issueTokens()
                let second = Left<Session.Tokens>()
                return (
                    [
                        { await second.keep(try await stage.service.client().refresh(first.refreshToken)) },
                        { try await ann.signOut() },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "signing out goes through")
                        outcome.expect(0, refusedOnlyWith: .userTokenExpired)
                        for pair in [first, await second.value ?? first] {
                            let again = try? await stage.service.client().refresh(pair.refreshToken)
                            outcome.expect(again == nil, "nothing goes on")
                        }
                    }
                )
            },
            RaceProgram("one refresh token is exchanged twice", policy) { stage in
                let ann = try await stage.signUp()
                let pair = try await ann.issueTokens()
                return (
                    (0..<2).map { _ in { _ = try await stage.service.client().refresh(pair.refreshToken) } },
                    { outcome in
                        outcome.oneWins(.userTokenExpired)
                        let isAlive = await stage.isAlive(ann)
                        outcome.expect(!isAlive, "a token that comes back ends the session")
                    }
                )
            },
            RaceProgram("two confirm one change of address", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
                let code = stage.code(to: "new@example.com", .changeEmail)
                return (
                    [
                        { try await stage.service.client().applyActionCode(code) },
                        { try await stage.service.client().applyActionCode(code) },
                        { _ = try await stage.signUp("new@example.com", at: "desk") },
                    ],
                    { outcome in
                        let applied = outcome.codes[..<2].count { $0 == nil }
                        let owners = outcome.view.accounts.filter { $0.email?.text == "new@example.com" }
                        outcome.expect(applied <= 1, "a code works once")
                        outcome.expect(owners.count == 1, "one owner")
                        outcome.expect(outcome.codes[2] == nil || applied == 1, "somebody gets it")
                    }
                )
            },
        ]
    }
}

extension RaceStage {
    /// What the authenticator app shows now.
    func digits(_ enrollment: MultiFactor.TOTPEnrollment) -> String {
        let seed = Base32.decode(enrollment.sharedSecret) ?? []
        return TimeBasedCode().code(forStep: TimeBasedCode().step(at: clock.timestamp.seconds), secret: seed)
    }
}
