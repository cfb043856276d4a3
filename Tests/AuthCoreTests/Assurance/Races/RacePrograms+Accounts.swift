@testable import AuthCore
import AuthCoreTesting

extension RaceProgram {
    /// Races for an identity, an address or the last sign-in method.
    static let accounts: [RaceProgram] = [AuthPolicy.firebase, .standard].flatMap(races)

    private static func races(_ policy: AuthPolicy) -> [RaceProgram] {
        let isStandard = policy.lastMethod == .kept
        return [
            RaceProgram("two link one identity", policy) { stage in
                let ann = try await stage.signUp()
                let ben = try await stage.signUp("ben@example.com", at: "desk")
                let google = stage.credential(.google, .eve)
                return (
                    [{ try await ann.link(with: google) }, { try await ben.link(with: google) }],
                    { outcome in
                        outcome.oneWins(.credentialAlreadyInUse)
                        let owner = try await stage.service.client().signIn(with: google).user
                        outcome.expect(owner.uid == (outcome.codes[0] == nil ? ann : ben).uid, "the winner owns it")
                    }
                )
            },
            RaceProgram("link and unlink", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await ann.link(with: stage.credential(.gitHub))
                return (
                    [{ try await ann.link(with: stage.credential(.google)) }, { _ = try await ann.unlink(.gitHub) }],
                    { outcome in
                        outcome.expect(outcome.codes == [nil, nil], "both go through")
                        let methods = try await stage.account(ann)?.methods.map(\.kind.provider)
                        outcome.expect(methods == [.password, .google], "both are there")
                    }
                )
            },
            RaceProgram("the last two methods are unlinked", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await ann.link(with: stage.credential(.google, .eve))
                return (
                    [{ _ = try await ann.unlink(.password) }, { _ = try await ann.unlink(.google) }],
                    { outcome in
                        if isStandard {
                            outcome.oneWins(.lastMethod, .userTokenExpired)
                        } else {
                            outcome.expect(outcome.codes == [nil, nil], "both go")
                        }
                    }
                )
            },
            RaceProgram("two sign up with one address", policy) { stage in
                (
                    [
                        { _ = try await stage.signUp() },
                        {
                            try await stage.service.client().signUp(
                                email: "Ann@Example.com",
                                password: "battery staple"
                            )
                        },
                    ],
                    { outcome in
                        outcome.oneWins(.emailAlreadyInUse)
                        let word = outcome.codes[0] == nil ? RaceStage.password : "battery staple"
                        try await stage.service.client().signIn(with: stage.password(word))
                        outcome.expect(outcome.view.accounts.count == 1, "one account")
                    }
                )
            },
            RaceProgram("two first sign-ins with one identity", policy) { stage in
                let google = stage.credential(.google)
                return (
                    [
                        { try await stage.service.client().signIn(with: google) },
                        { try await stage.service.client().signIn(with: google) },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes == [nil, nil], "both sign in")
                        outcome.expect(outcome.view.accounts.count == 1, "to one account")
                        outcome.expect(outcome.view.sessions.count == 2, "with a session each")
                    }
                )
            },
            RaceProgram("sign up and sign in with the verified address", policy) { stage in
                let incoming = stage.credential(.google, .ann.with(email: "ann@gmail.com"))
                let squatter = Left<User>()
                return (
                    [
                        { await squatter.keep(try await stage.signUp("ann@gmail.com", at: "desk")) },
                        { try await stage.service.client().signIn(with: incoming) },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "who proves gets in")
                        outcome.expect(0, refusedOnlyWith: .emailAlreadyInUse)
                        let isAlive = await stage.isAlive(await squatter.value)
                        outcome.expect(!isAlive, "the squatter is out")
                    }
                )
            },
            RaceProgram("join and unlink", policy) { stage in
                let ann = try await stage.signUpVerified("ann@gmail.com")
                try await ann.link(with: stage.credential(.facebook, .eve))
                let google = stage.credential(.google, .ann.with(email: "ann@gmail.com"))
                return (
                    [
                        { try await stage.service.client().signIn(with: google) },
                        { _ = try await ann.unlink(.password) },
                    ],
                    { outcome in
                        outcome.expect(outcome.codes[1] == nil, "what is one's own can be unlinked")
                        outcome.expect(0, refusedOnlyWith: .accountExistsWithDifferentCredential)
                        let password = stage.password(of: "ann@gmail.com")
                        let entered = try? await stage.service.client().signIn(with: password)
                        outcome.expect(entered == nil, "the password is gone")
                    }
                )
            },
            RaceProgram("three link one identity", policy) { stage in
                let google = stage.credential(.google, .eve)
                var users: [User] = []
                for name in ["ann", "ben", "cem"] {
                    users.append(try await stage.signUp("\(name)@example.com", at: name))
                }
                return (
                    users.map { user in { try await user.link(with: google) } },
                    { outcome in outcome.oneWins(.credentialAlreadyInUse) }
                )
            },
            RaceProgram("link, unlink and unlink", policy) { stage in
                let ann = try await stage.signUpVerified()
                try await ann.link(with: stage.credential(.gitHub))
                return (
                    [
                        { try await ann.link(with: stage.credential(.google)) },
                        { _ = try await ann.unlink(.gitHub) }, { _ = try await ann.unlink(.password) },
                    ],
                    { outcome in
                        outcome.expect(0, refusedOnlyWith: .userTokenExpired)
                        outcome.expect(1, refusedOnlyWith: .lastMethod, .userTokenExpired)
                        outcome.expect(2, refusedOnlyWith: .lastMethod, .userTokenExpired)
                        let methods = try await stage.account(ann)?.methods ?? []
                        outcome.expect(!methods.isEmpty || !isStandard, "a sign-in method is left")
                    }
                )
            },
        ]
    }
}
