internal import AuthCoreCrypto
internal import AuthCore
internal import AuthCoreTesting

/// What hashing alone costs, so that the report can show the rest without it.
extension Bench {
    func hashingOfAPassword() async throws -> Double {
        let password = Secret("correct horse")
        return try await repeated { _ = try await hasher.hash(password) }
    }

    /// Unsealing the seed, and the codes of three time steps.
    func hashingOfACode() throws -> Double {
        let seed = [UInt8](repeating: 7, count: 20)
        let now = clock.timestamp.seconds
        let sealed = try service.sealer.seal(seed, context: "totp bench")
        return try repeated {
            let secret = try service.sealer.open(sealed, context: "totp bench")
            _ = TimeBasedCode().matchingStep(for: "000000", secret: secret, at: now, drift: 1, after: nil)
        }
    }

    /// The code of the message that reports a change, and the hash under which the code is stored.
    func hashingOfANotice() -> Double {
        let key = HMACSHA256(key: Array(repeating: 7, count: 32))
        return repeated {
            let code = Base64URL.encode(key.authenticate(Array("mail \(Self.message)".utf8)).prefix(18))
            _ = SHA256.leadingBits(of: "code\u{0}" + code)
        }
    }

    /// As long as the name of a message.
    private static let message = String(repeating: "m", count: 22)

    /// One signature over the content of a token.
    func hashingOfAToken() async throws -> Double {
        let user = try await client.signIn(with: factorlessPerson).user
        let token = try await user.idTokenResult(forcingRefresh: true).token
        try await user.signOut()
        let input = Array(token.utf8)
        return try await repeated { _ = try await service.signer.sign(input) }
    }

    private var factorlessPerson: VerifiedCredential { verified(BenchPeople.google(0)) }

    private func repeated(_ work: () async throws -> Void) async rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<20 {
            times.append(try await elapsed { for _ in 0..<50 { try await work() } } / 50)
        }
        return Measurement.median(times)
    }

    private func repeated(_ work: () throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<20 { times.append(try elapsed { for _ in 0..<50 { try work() } } / 50) }
        return Measurement.median(times)
    }
}
