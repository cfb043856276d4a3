internal import AuthCore
internal import AuthCoreTesting

extension Bench {
    static let operationNames = [
        "sign-up", "known sign-in", "link", "unlink", "conflict", "preview", "second-factor sign-in", "token issue",
        "token verify",
    ]

    /// The operations in the order of the report.
    func measurements() async throws -> [Measurement] {
        let count = batchSize
        let token = try await hashingOfAToken()
        let notice = hashingOfANotice()
        return [
            Measurement(
                name: "sign-up",
                operations: count,
                hashing: try await hashingOfAPassword(),
                batch: signUps,
                floor: bareSignUps
            ),
            Measurement(name: "known sign-in", operations: count, batch: knownSignIns, floor: bareSignIns),
            Measurement(name: "link", operations: count, hashing: notice, batch: links, floor: bareLinks),
            Measurement(name: "unlink", operations: count, hashing: notice, batch: unlinks, floor: bareUnlinks),
            Measurement(name: "conflict", operations: count, batch: conflicts, floor: bareConflicts),
            Measurement(name: "preview", operations: count, batch: previews, floor: barePreviews),
            Measurement(
                name: "second-factor sign-in",
                operations: factorPeople.count,
                hashing: try hashingOfACode(),
                batch: factorSignIns,
                floor: bareFactorSignIns
            ),
            Measurement(name: "token issue", operations: count, hashing: token, batch: issues, floor: bareTokens),
            Measurement(name: "token verify", operations: count, hashing: token, batch: checks, floor: bareTokens),
        ]
    }

    private func signUps() async throws -> Double {
        let emails = newAddresses()
        var users: [User] = []
        users.reserveCapacity(emails.count)
        let time = try await elapsed {
            for email in emails {
                users.append(try await client.signUp(email: email, password: "correct horse").user)
            }
        }
        for user in users { try await removeWithoutTrace(user.account) }
        return time
    }

    func newAddresses() -> [String] {
        newPeople += batchSize
        return (newPeople - batchSize..<newPeople).map { "newAccount\($0)@example.com" }
    }

    /// Deletes an account without leaving a tombstone, so that the store does not grow from round to round.
    private func removeWithoutTrace(_ account: Account) async throws {
        let decisionContext = DecisionContext(
            policy: service.configuration.policy,
            now: clock.timestamp,
            fresh: service.environment.freshIdentifiers(),
            context: RequestContext()
        )
        var transaction = Transaction(decisionContext)
        transaction.remove(account)
        _ = try await service.store.commit(transaction.changes)
    }

    private func knownSignIns() async throws -> Double {
        let credentials = draw(batchSize).map { verified(BenchPeople.google($0)) }
        let (users, time) = try await signIn(credentials)
        try await signOut(users)
        return time
    }

    func signIn(_ credentials: [VerifiedCredential]) async throws -> ([User], Double) {
        var users: [User] = []
        users.reserveCapacity(credentials.count)
        let time = try await elapsed {
            for credential in credentials { users.append(try await client.signIn(with: credential).user) }
        }
        return (users, time)
    }

    func signOut(_ users: [User]) async throws {
        for user in users { try await user.signOut() }
    }

    private func links() async throws -> Double {
        let people = draw(batchSize)
        let users = try await signIn(people.map { verified(BenchPeople.google($0)) }).0
        let credentials = people.map { verified(BenchPeople.facebook($0, isEmailVerified: false)) }
        let time = try await elapsed {
            for (user, credential) in zip(users, credentials) { try await user.link(with: credential) }
        }
        // Unlinking ends the account's other session, so this one replaces it.
        for user in users { try await user.unlink(.facebook) }
        return time
    }

    private func unlinks() async throws -> Double {
        let people = draw(batchSize)
        let users = try await signIn(people.map { verified(BenchPeople.google($0)) }).0
        for (user, person) in zip(users, people) {
            try await user.link(with: verified(BenchPeople.facebook(person, isEmailVerified: false)))
        }
        return try await elapsed {
            for user in users { try await user.unlink(.facebook) }
        }
    }

    /// A preview of a known sign-in.
    private func previews() async throws -> Double {
        let credentials = draw(batchSize).map { verified(BenchPeople.google($0)) }
        var answers = 0
        let time = try await elapsed {
            for credential in credentials where try await client.previewSignIn(with: credential).answer == .succeeds {
                answers += 1
            }
        }
        if answers != credentials.count { throw BenchFailure(description: "a preview says that a sign-in is refused") }
        return time
    }

    private func conflicts() async throws -> Double {
        let credentials = draw(batchSize).map { verified(BenchPeople.facebook($0, isEmailVerified: true)) }
        var met: [Conflict] = []
        met.reserveCapacity(credentials.count)
        let time = await elapsed {
            for credential in credentials {
                do throws(AuthError) {
                    _ = try await client.signIn(with: credential)
                } catch {
                    if let conflict = error.conflict { met.append(conflict) }
                }
            }
        }
        if met.count != credentials.count { throw BenchFailure(description: "a conflict was expected and not met") }
        var changes = ChangeSet(operation: service.environment.newOperationID(), at: clock.timestamp)
        changes.records = met.map { .revoke($0.pending.key) }
        _ = try await service.store.commit(changes)
        return time
    }

    private func issues() async throws -> Double {
        let users = try await signIn(draw(batchSize).map { verified(BenchPeople.google($0)) }).0
        let time = try await elapsed {
            for user in users { _ = try await user.idTokenResult(forcingRefresh: true) }
        }
        try await signOut(users)
        return time
    }

    private func checks() async throws -> Double {
        let users = try await signIn(draw(batchSize).map { verified(BenchPeople.google($0)) }).0
        var tokens: [String] = []
        for user in users { tokens.append(try await user.idTokenResult(forcingRefresh: true).token) }
        let time = try await elapsed {
            for token in tokens { _ = try await client.user(forIDToken: token) }
        }
        try await signOut(users)
        return time
    }
}
