internal import AuthCore
internal import AuthCoreTesting

extension AuthPolicy {
    /// The standard policy of an employer that pins its domain, which Google hosts.
    fileprivate static var employer: AuthPolicy {
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(.wellKnown.pinning(["example.com"], of: "https://accounts.google.com"))
        return policy
    }
}

extension Scene {
    static let squatter = Scene(
        name: "squatter",
        title: "An attacker signed up with the address first: the standard policy",
        about: "Eve signs up with Ann's address, which she cannot verify, and links her own identity. Then Ann signs "
            + "in with Google, which runs her employer's mail. No method of Eve's may sign in to Ann's account.",
        policy: NamedPolicy(name: "standard with a pinned domain", policy: .employer)
    ) { stage in
        let eve = try await stage.calls(#"eve.signUp(email: "ann@example.com", password: "eve's word")"#) {
            try await stage.app("Eve's laptop").signUp(email: "ann@example.com", password: "eve's word").user
        }
        try await stage.calls("eve.link(with: .gitHub(accessToken: token))") {
            try await eve.link(with: stage.credential(.gitHub, .eve))
        }
        let auth = stage.app()
        let work = AuthCredential.simulated(
            .google,
            .ann,
            saying: SimulatedToken(hostedDomain: "example.com"),
            at: stage.clock.now
        )
        let proof = try await stage.calls("auth.verify(.google(idToken: token))") { try await auth.verify(work) }
        let preview = try await stage.calls("auth.previewSignIn(with: proof)") {
            try await auth.previewSignIn(with: proof)
        }
        for line in preview.description.split(separator: "\n") { stage.tells(String(line)) }
        let error = try await stage.isRefused(
            "auth.signIn(with: proof)",
            as: .accountExistsWithDifferentCredential
        ) {
            try await auth.signIn(with: proof)
        }
        let conflict = try stage.unwraps(error.conflict, "the error has a conflict")
        let ann = try await stage.calls("auth.createSeparateAccount(from: conflict)") {
            try await auth.createSeparateAccount(from: conflict).user
        }
        stage.checks("Ann has an account of her own", ann.uid != eve.uid)
        stage.checks("it has the address, verified", ann.email == "ann@example.com" && ann.isEmailVerified)
        try await stage.shows(ann)
        try await stage.isRefused(
            #"eve.signIn(with: .password(email: "ann@example.com", password: "eve's word"))"#,
            as: .invalidCredential
        ) {
            try await stage.app("Eve's phone")
                .signIn(with: .password(email: "ann@example.com", password: "eve's word"))
        }
    }

    static let merge = Scene(
        name: "merge",
        title: "Two accounts of one person become one",
        about:
            "Ann has one account with a password and one with GitHub. She verifies both again, the app shows the plan "
            + "before the merge, and the old account is closed afterwards.",
        policy: .standard
    ) { stage in
        let old = try await stage.calls("old.signIn(with: .gitHub(accessToken: token))") {
            try await stage.app("old phone").signIn(with: stage.credential(.gitHub, .ann)).user
        }
        let auth = stage.app()
        let new = try await stage.calls(#"auth.signUp(email: "ann@example.org", password: "correct horse")"#) {
            try await auth.signUp(email: "ann@example.org", password: "correct horse").user
        }
        let source = Merge.Side.verified(try await auth.verify(stage.credential(.gitHub, .ann)))
        let target = Merge.Side.verified(
            try await auth.verify(.password(email: "ann@example.org", password: "correct horse"))
        )
        let plan = try await stage.calls("auth.previewMerge(source, into: target)") {
            try await auth.previewMerge(source, into: target)
        }
        for line in plan.description.split(separator: "\n") { stage.tells(String(line)) }
        let merged = try await stage.calls("auth.merge(source, into: target)") {
            try await auth.merge(source, into: target)
        }
        stage.checks("the plan is what happened", merged.plan == plan)
        stage.checks("Ann is signed in to the account with the password", auth.currentUser?.uid == new.uid)
        let again = try await stage.calls("auth.signIn(with: .gitHub(accessToken: token))") {
            try await auth.signIn(with: stage.credential(.gitHub, .ann)).user
        }
        stage.checks("GitHub signs in to this account, too", again.uid == new.uid)
        try await stage.shows(again)
        try await stage.isRefused("old.reload()", as: .accountMerged) { try await old.reload() }
    }
}

extension Scene {
    static let firebaseDiffers = Scene(
        name: "firebase-differs",
        title: "What Firebase's policy does differently",
        about:
            "Eve signs up with Ann's address and has the verification mailed. Ann opens it, since it comes from an app "
            + "that she knows. Then Ann signs in with Google. Firebase's server asks only whether the address is verified.",
        policy: .firebase
    ) { stage in
        let trap = try await stage.springsTrap()
        try await stage.calls("auth.signIn(with: .google(idToken: token))") {
            try await trap.ann.signIn(with: stage.credential(.google, .annAtGmail))
        }
        let eve = try await stage.calls(
            #"eve.signIn(with: .password(email: "ann@gmail.com", password: "I wait here"))"#
        ) {
            try await trap.eve.signIn(with: .password(email: "ann@gmail.com", password: "I wait here")).user
        }
        stage.checks("Eve is in the account that Ann uses", eve.uid == trap.ann.currentUser?.uid)
        try await stage.shows(eve)

        let other = Stage(.standard)
        stage.tells("The same under the standard policy: the verification covers no method that Eve made.")
        let safe = try await other.springsTrap()
        let error = try await stage.isRefused(
            "auth.signIn(with: .google(idToken: token))",
            as: .accountExistsWithDifferentCredential
        ) {
            try await safe.ann.signIn(with: other.credential(.google, .annAtGmail))
        }
        stage.checks("the methods are not covered", error.reason == .methodsAreNotCovered)
        let conflict = try stage.unwraps(error.conflict, "the error has a conflict")
        let ann = try await stage.calls("auth.resolve(conflict, signingInWith: .emailLink(mailedLink))") {
            try await safe.ann.resolve(conflict, signingInWith: .emailLink(other.openedLink(safe.ann))).user
        }
        stage.checks("the account is Ann's", ann.email == "ann@gmail.com" && ann.isEmailVerified)
        try await stage.shows(ann)
        try await stage.isRefused(
            #"eve.signIn(with: .password(email: "ann@gmail.com", password: "I wait here"))"#,
            as: .invalidCredential
        ) {
            try await safe.eve.signIn(with: .password(email: "ann@gmail.com", password: "I wait here"))
        }
    }
}

extension Stage {
    /// Eve signs up with Ann's address, and Ann opens the verification.
    fileprivate func springsTrap() async throws(SceneStopped) -> (eve: Auth, ann: Auth) {
        let (eve, ann) = (app("Eve's laptop"), app())
        try await calls(#"eve.signUp(email: "ann@gmail.com", …).sendEmailVerification(); ann.applyActionCode(code)"#) {
            let user = try await eve.signUp(email: "ann@gmail.com", password: "I wait here").user
            try await user.sendEmailVerification()
            try await ann.applyActionCode(mailedCode(to: "ann@gmail.com"))
        }
        return (eve, ann)
    }
}
