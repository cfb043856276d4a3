internal import AuthCore
internal import AuthCoreTesting

/// The floors: each does on the plain dictionaries what the operation of the same name does to the store.
extension Bench {
    func bareSignUps() async throws -> Double {
        let emails = newAddresses().compactMap { EmailAddress($0) }
        let hash = PasswordHash(tagged: "$cheap$bench$bench")
        var sessions: [SessionID] = []
        sessions.reserveCapacity(emails.count)
        let time = elapsed {
            for email in emails {
                let now = clock.timestamp
                let session = bare.locked { tables in
                    let name = tables.name()
                    let id = AccountID(bits: UInt128(name.high) << 64 | UInt128(name.low))
                    return tables.signUp(email, nil, hash, as: id, now)
                }
                if let session { sessions.append(session) }
            }
        }
        try expect(sessions.count == emails.count)
        for session in sessions {
            bare.locked { tables in
                if let id = tables.sessions[session]?.account { tables.remove(id) }
            }
        }
        return time
    }

    func bareSignIns() async throws -> Double {
        let identities = draw(batchSize).compactMap { verified(BenchPeople.google($0)).identity }
        let (sessions, time) = try signInBare(identities)
        signOutBare(sessions)
        return time
    }

    func signInBare(_ identities: [Identity]) throws -> ([SessionID], Double) {
        var sessions: [SessionID] = []
        sessions.reserveCapacity(identities.count)
        let time = elapsed {
            for identity in identities {
                let now = clock.timestamp
                if let session = bare.locked({ $0.signIn(identity, now) }) {
                    sessions.append(session)
                }
            }
        }
        try expect(sessions.count == identities.count)
        return (sessions, time)
    }

    func signOutBare(_ sessions: [SessionID]) {
        for session in sessions { bare.locked { $0.signOut(session) } }
    }

    func bareLinks() async throws -> Double {
        let people = draw(batchSize)
        let sessions = try signInBare(people.compactMap { verified(BenchPeople.google($0)).identity }).0
        let identities = people.compactMap { verified(BenchPeople.facebook($0, isEmailVerified: false)).identity }
        let time = try linkBare(identities, in: sessions)
        for (identity, session) in zip(identities, sessions) {
            let now = clock.timestamp
            try expect(bare.locked { $0.unlink(identity.key, in: session, now) })
        }
        return time
    }

    private func linkBare(_ identities: [Identity], in sessions: [SessionID]) throws -> Double {
        try elapsed {
            for (identity, session) in zip(identities, sessions) {
                let now = clock.timestamp
                try expect(bare.locked { $0.link(identity, in: session, now) })
            }
        }
    }

    func bareUnlinks() async throws -> Double {
        let people = draw(batchSize)
        let sessions = try signInBare(people.compactMap { verified(BenchPeople.google($0)).identity }).0
        let identities = people.compactMap { verified(BenchPeople.facebook($0, isEmailVerified: false)).identity }
        _ = try linkBare(identities, in: sessions)
        return try elapsed {
            for (identity, session) in zip(identities, sessions) {
                let now = clock.timestamp
                try expect(bare.locked { $0.unlink(identity.key, in: session, now) })
            }
        }
    }

    func bareConflicts() async throws -> Double {
        let proofs = draw(batchSize).compactMap { verified(BenchPeople.facebook($0, isEmailVerified: true)).federated }
        var met: [OneTimeRecordID] = []
        met.reserveCapacity(proofs.count)
        let time = elapsed {
            for proof in proofs {
                let now = clock.timestamp
                if let key = bare.locked({ $0.conflict(proof, now) }) { met.append(key) }
            }
        }
        try expect(met.count == proofs.count)
        for key in met { bare.locked { $0.pending[key] = nil } }
        return time
    }

    func barePreviews() async throws -> Double {
        let identities = draw(batchSize).compactMap { verified(BenchPeople.google($0)).identity }
        return try elapsed {
            for identity in identities { try expect(bare.locked { $0.wouldSignIn(identity) }) }
        }
    }

    func bareFactorSignIns() async throws -> Double {
        let proofs = factorPeople.compactMap(\.credential.federated)
        var sessions: [SessionID] = []
        sessions.reserveCapacity(proofs.count)
        let time = elapsed {
            for proof in proofs {
                let now = clock.timestamp
                if let session = bare.locked({ $0.signInWithFactor(proof, now) }) { sessions.append(session) }
            }
        }
        try expect(sessions.count == proofs.count)
        signOutBare(sessions)
        return time
    }

    func bareTokens() async throws -> Double {
        let sessions = try signInBare(draw(batchSize).compactMap { verified(BenchPeople.google($0)).identity }).0
        let time = try elapsed {
            for session in sessions { try expect(bare.locked { $0.holds(session) }) }
        }
        signOutBare(sessions)
        return time
    }

    /// A floor that does nothing would make the comparison wrong.
    private func expect(_ holds: Bool) throws {
        if !holds { throw BenchFailure(description: "the bare dictionaries lost a person") }
    }
}
