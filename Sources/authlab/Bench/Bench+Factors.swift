internal import AuthCoreCrypto
internal import AuthCore
internal import AuthCoreTesting

/// A person with an authenticator app.
struct FactorPerson {
    let email: String
    let credential: VerifiedCredential
    let secret: [UInt8]
}

extension Bench {
    /// These people are separate, because the accounts whose memory is measured have no factors.
    func enrollFactorPeople(count: Int) async throws -> [FactorPerson] {
        var people: [FactorPerson] = []
        for number in 0..<count {
            var assertion = BenchPeople.google(number)
            assertion.subject = "9" + assertion.subject
            let email = "factor\(number)@gmail.com"
            assertion.email = email
            let credential = verified(assertion)
            let user = try await client.signIn(with: credential).user
            let enrollment = try await user.multiFactor.startTOTP(issuer: "Bench")
            guard let secret = Base32.decode(enrollment.sharedSecret) else {
                throw BenchFailure(description: "a seed cannot be read")
            }
            let code = TimeBasedCode().code(forStep: TimeBasedCode().step(at: clock.timestamp.seconds), secret: secret)
            try await user.multiFactor.enroll(enrollment, code: code)
            people.append(FactorPerson(email: email, credential: credential, secret: secret))
            enterBare(credential)
        }
        return people
    }

    private func enterBare(_ credential: VerifiedCredential) {
        let now = clock.timestamp
        guard let identity = credential.identity, let email = identity.email else { return }
        bare.locked { tables in
            let id = AccountID(bits: UInt128(tables.name().high) << 64 | UInt128(tables.name().low))
            _ = tables.signUp(email, identity, nil, as: id, now)
        }
    }

    /// Sign-ins that get a challenge and answer it; both steps are timed.
    func factorSignIns() async throws -> Double {
        clock.advance(seconds: 90)
        let step = TimeBasedCode().step(at: clock.timestamp.seconds)
        let codes = factorPeople.map { TimeBasedCode().code(forStep: step, secret: $0.secret) }
        var users: [User] = []
        users.reserveCapacity(codes.count)
        let time = try await elapsed {
            for (person, code) in zip(factorPeople, codes) {
                do throws(AuthError) {
                    _ = try await client.signIn(with: person.credential)
                } catch {
                    guard let challenge = error.secondFactor else { throw error }
                    users.append(try await client.resolve(challenge, with: .totp(code)).user)
                }
            }
        }
        if users.count != codes.count { throw BenchFailure(description: "a challenge was expected and not met") }
        try await signOut(users)
        return time
    }
}
