internal import AuthCore
internal import AuthCoreTesting

/// The five classes of pre-hijacking.
extension Attack {
    static let all = [federatedMerge, openSession, trojanIdentifier, pendingChange, carelessProvider]

    private static let email = "ann@gmail.com"
    private static let evil = "eve@evil.example"
    private static let word = AuthCredential.password(email: email, password: "I wait here")

    private static let federatedMerge = Attack(
        id: "PH-1",
        title: "the classic merge with a provider's account",
        courses: [
            Course(
                title: "As it stands",
                steps: [
                    (true, "signs up with Ann's address and a password."), (false, "signs in with Google."),
                    (true, "signs in with the password."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                try await eve.signUp(email: email, password: "I wait here")
                return try await googleThenPassword(stage, eve)
            },
            Course(
                title: "With a verification mail that Ann opens",
                steps: [
                    (true, "signs up and has the address verified by mail."),
                    (false, "opens the mail, later signs in with Google."), (true, "signs in with the password."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                try await eve.signUp(email: email, password: "I wait here").user.sendEmailVerification()
                try await stage.app("Ann's mail").applyActionCode(stage.mailedCode(to: email))
                return try await googleThenPassword(stage, eve)
            },
        ]
    )

    private static func googleThenPassword(_ stage: Stage, _ eve: Auth) async throws(AuthError) -> Ending {
        let (ann, words) = try await google(stage)
        return Ending(
            ann: words,
            eve: await stage.result(ann) { () throws(AuthError) in try await eve.signIn(with: word).user.account.id }
        )
    }

    /// Ann signs in with Google, and says “this is mine” where there is a conflict.
    private static func google(_ stage: Stage) async throws(AuthError) -> (AccountID, String) {
        let auth = stage.app("Ann's phone")
        do throws(AuthError) {
            let result = try await auth.signIn(with: stage.credential(.google, .annAtGmail))
            if result.isNewUser { return (result.user.account.id, "has a new account") }
            let isAlone = result.user.providerData.count == 1
            return (result.user.account.id, isAlone ? "takes over the account" : "joins the account")
        } catch {
            guard let conflict = error.conflict else { throw error }
            let link = try await stage.openedLink(auth)
            let claimed = try await auth.resolve(conflict, signingInWith: .emailLink(link))
            return (claimed.user.account.id, "meets a conflict, and claims the account by mail")
        }
    }

    /// Ann finds her address taken, and resets the password.
    private static func reset(_ stage: Stage) async throws(AuthError) -> AccountID {
        let auth = stage.app("Ann's phone")
        try await auth.sendPasswordReset(to: email)
        try await auth.confirmPasswordReset(code: stage.mailedCode(to: email), newPassword: "battery staple")
        return try await auth.signIn(with: .password(email: email, password: "battery staple")).user.account.id
    }

    private static let openSession = Attack(
        id: "PH-2",
        title: "the session that stays open",
        courses: [
            Course(
                steps: [
                    (true, "signs up with Ann's address, and stays signed in."),
                    (false, "finds it taken, and resets the password by mail."), (true, "uses the old session."),
                ]
            ) { stage throws(AuthError) in
                let eve = try await stage.app("eve").signUp(email: email, password: "I wait here").user
                let ann = try await reset(stage)
                return Ending(
                    ann: "has the account",
                    eve: await stage.result(ann) { () throws(AuthError) in
                        try await eve.reload()
                        return eve.account.id
                    }
                )
            }
        ]
    )

    private static let trojanIdentifier = Attack(
        id: "PH-3",
        title: "the trojan identifier",
        courses: [
            Course(
                steps: [
                    (true, "signs up with Ann's address and links her own phone number."),
                    (false, "resets the password by mail."), (true, "signs in with the number."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                let user = try await eve.signUp(email: email, password: "I wait here").user
                try await user.link(with: try await digits(stage, eve))
                let ann = try await reset(stage)
                return Ending(
                    ann: "has the account",
                    eve: await stage.result(ann) { () throws(AuthError) in
                        try await eve.signIn(with: try await digits(stage, eve)).user.account.id
                    }
                )
            }
        ]
    )

    private static func digits(_ stage: Stage, _ device: Auth) async throws(AuthError) -> AuthCredential {
        let id = try await device.sendPhoneCode(to: "+15550006666")
        return .phone(verificationID: id, code: stage.mailedCode(to: "+15550006666"))
    }

    private static let pendingChange = Attack(
        id: "PH-4",
        title: "the unfinished change of the address",
        courses: [
            Course(
                title: "A change that waits",
                steps: [
                    (true, "signs up with Ann's address and asks to change it to her own, but waits."),
                    (false, "resets the password by mail."), (true, "opens the mailed link, and resets the password."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                let user = try await eve.signUp(email: email, password: "I wait here").user
                try await user.sendEmailVerification(beforeUpdatingTo: evil)
                let change = stage.mailedCode(to: evil)
                return await eveReturns(stage, eve, by: change, to: try await reset(stage))
            },
            Course(
                title: "A change that can be taken back",
                steps: [
                    (true, "signs up with her own address, and changes it to Ann's."),
                    (false, "resets the password by mail."), (true, "takes the change back, and resets the password."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                let user = try await eve.signUp(email: evil, password: "I wait here").user
                try await user.updateEmail(to: email)
                let change = stage.mailedCode(to: evil)
                return await eveReturns(stage, eve, by: change, to: try await reset(stage))
            },
        ]
    )

    /// Eve brings the account back to her address by a mailed code, and resets the password.
    private static func eveReturns(_ stage: Stage, _ eve: Auth, by code: String, to ann: AccountID) async -> Ending {
        Ending(
            ann: "has the account",
            eve: await stage.result(ann) { () throws(AuthError) in
                try await eve.client.applyActionCode(code)
                try await eve.sendPasswordReset(to: evil)
                try await eve.confirmPasswordReset(code: stage.mailedCode(to: evil), newPassword: "I am back")
                return try await eve.signIn(with: .password(email: evil, password: "I am back")).user.account.id
            }
        )
    }

    private static let carelessProvider = Attack(
        id: "PH-5",
        title: "the provider that verifies nothing",
        courses: [
            Course(
                steps: [
                    (true, "signs in with a provider that calls any address verified, stating Ann's."),
                    (false, "signs in with Google."), (true, "signs in with that provider again."),
                ]
            ) { stage throws(AuthError) in
                let eve = stage.app("eve")
                let person = SimulatedPerson(name: "Eve", email: email)
                let token = SimulatedToken(address: .verified)
                let identity = AuthCredential.simulated(.twitter, person, saying: token, at: stage.clock.now)
                try await eve.signIn(with: identity)
                let (ann, words) = try await google(stage)
                return Ending(
                    ann: words,
                    eve: await stage.result(ann) { () throws(AuthError) in
                        try await eve.signIn(with: identity).user.account.id
                    }
                )
            }
        ]
    )
}
