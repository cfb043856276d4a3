import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// S31: proofs about which a provider must be asked, and each question counts against the app's quota there.
final class ProofLimitTests: LimitedTestCase {
    private let forge = Forge()
    private lazy var world = World(
        .standard,
        providers: [forge, SimulatedProvider(.google), SimulatedProvider(.gitHub)]
    )

    private func token(_ text: String) -> AuthCredential { .oauth(Forge.id, accessToken: text) }

    func testS31_AnOriginAsksAProviderAboutFiftyInventedTokensThenOneAMinute() async throws {
        let (here, elsewhere) = (world.stranger(at: "192.0.2.9"), world.stranger(at: "192.0.2.10"))
        var counts = await outcomes(of: 200) { try await here.signIn(with: self.token("invented \($0)")) }
        XCTAssertEqual(counts, [.invalidCredential: 50, .tooManyRequests: 150], "invented tokens of one origin")
        XCTAssertEqual(forge.questions, 50, "how often the provider was asked")
        try await elsewhere.signIn(with: token("good"))
        world.clock.advance(by: .seconds(3600 * 24))
        _ = await outcomes(of: 200) { try await here.signIn(with: self.token("invented \($0)")) }
        let before = forge.questions
        for _ in 0..<3600 {
            world.clock.advance(by: .seconds(1))
            _ = await outcome { try await here.signIn(with: self.token("invented")) }
        }
        XCTAssertLessThan(forge.questions - before, 150, "questions of one origin in an hour")
        world.clock.advance(by: .seconds(60))
        counts = await outcomes(of: 20) { _ in try await here.signIn(with: self.token("good")) }
        XCTAssertEqual(counts, [nil: 20], "after a minute, a person at the same origin")
    }

    func testS31_OfManyInventedCodesAtOnceFiftyReachTheProvider() async throws {
        let here = world.stranger(at: "192.0.2.9")
        _ = await outcomes(inParallel: 300) { index in
            var credential = AuthCredential.Federated(provider: Forge.id)
            credential.authorizationCode = Secret("invented \(index)")
            return try await here.signIn(with: .federated(credential))
        }
        XCTAssertEqual(forge.questions, 50, "how often the provider was asked")
    }

    func testS31_GoodTokensOfOneOriginNeverWait() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 200) { try await here.signIn(with: self.token("good \($0)")) }
        XCTAssertEqual(counts, [nil: 200], "people behind one address")
    }

    func testAProviderThatIsDownDelaysNobodyAfterwards() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 100) { try await here.signIn(with: self.token("down \($0)")) }
        XCTAssertEqual(counts, [.networkError: 100], "tokens about which it could not be asked")
        XCTAssertEqual(world.service.refusals().count, 0, "refusals that are recorded though only the provider is down")
        try await here.signIn(with: token("good"))
    }

    /// Otherwise a client that cancels its requests would ask the provider without end.
    func testS31_AQuestionThatWasCanceledStaysCounted() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 52) { try await here.signIn(with: self.token("canceled \($0)")) }
        XCTAssertEqual(counts, [.canceled: 50, .tooManyRequests: 2], "questions of one origin that were canceled")
    }

    /// A code that it accepted is accepted once only, and would be lost.
    func testAProofThatTheProviderAcceptedCountsThoughItsAttemptCannotBeGivenBack() async throws {
        let world = World(.standard, providers: [forge]) { $0.attempts = StingyAttempts() }
        try await world.stranger(at: "192.0.2.9").signIn(with: token("good"))
        XCTAssertEqual(forge.questions, 1)
    }

    func testAProviderThatIsDownIsToldThoughTheAttemptCannotBeGivenBack() async throws {
        let world = World(.standard, providers: [forge]) { $0.attempts = StingyAttempts() }
        await assertThrows(.networkError, "what kept the proof from being checked") {
            try await world.stranger(at: "192.0.2.9").signIn(with: token("down"))
        }
    }

    func testS31_NeitherWrongPasswordsNorInventedTokensDelayTheOther() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let (here, there) = (world.stranger(at: "192.0.2.9"), world.stranger(at: "192.0.2.10"))
        let half: [AuthErrorCode?: Int] = [.invalidCredential: 50, .tooManyRequests: 50]
        let passwords = await outcomes(of: 100) {
            try await here.signIn(with: self.world.guess($0, "a\($0)@example.com"))
        }
        XCTAssertEqual(passwords, half, "wrong passwords of one origin")
        let good = try await here.signIn(with: token("good"))
        XCTAssertEqual(good.provider, Forge.id, "the sign-in by a token after the wrong passwords")
        let tokens = await outcomes(of: 100) { try await there.signIn(with: self.token("invented \($0)")) }
        XCTAssertEqual(tokens, half, "invented tokens of one origin")
        let back = try await there.signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid, "whom the password signs in after the invented tokens")
    }

    func testS31_InventedTokensOfOneProviderDelayNoneOfAnother() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 100) { try await here.signIn(with: self.token("invented \($0)")) }
        XCTAssertEqual(counts, [.invalidCredential: 50, .tooManyRequests: 50], "invented tokens of one origin")
        let came = await outcome { try await here.signIn(with: self.world.gitHub()) }
        XCTAssertNil(came, "a token of another provider")
    }

    func testS31_AnIDTokenIsCheckedWithoutAQuestionAndNeverWaits() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 100) { try await here.signIn(with: self.token("invented \($0)")) }
        XCTAssertEqual(counts, [.invalidCredential: 50, .tooManyRequests: 50], "invented tokens of one origin")
        let came = await outcome { try await here.signIn(with: self.world.google()) }
        XCTAssertNil(came, "an ID token of the provider whose tokens were invented")
    }

    func testAnEmptyTokenBesideAnIDTokenIsNoQuestion() async throws {
        let here = world.stranger(at: "192.0.2.9")
        var credential = AuthCredential.Federated(provider: .google)
        (credential.idToken, credential.accessToken) = (Secret("none"), Secret(""))
        let proof = AuthCredential.federated(credential)
        let counts = await outcomes(of: 60) { _ in try await here.signIn(with: proof) }
        XCTAssertEqual(counts, [.invalidCredential: 60], "ID tokens of one origin, checked without a question")
    }

    /// A stranger cannot invent such a proof, so people who come back from the provider's page must not wait.
    func testAProofThatTheProviderGaveForACodeNeverWaits() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 51) { try await here.signIn(with: self.token("invented \($0)")) }
        XCTAssertEqual(counts, [.invalidCredential: 50, .tooManyRequests: 1], "the origin has no free question left")
        var credential = AuthCredential.Federated(provider: Forge.id)
        credential.accessToken = Secret("good")
        credential.isExchanged = true
        let proof = AuthCredential.federated(credential)
        let code = await outcome { try await here.signIn(with: proof) }
        XCTAssertNil(code, "what the provider gave for a code counts as a guess of the origin")
    }

    /// An ID token beside it does not make a question free.
    func testS31_ATokenBesideAnIDTokenIsCounted() async throws {
        let here = world.stranger(at: "192.0.2.9")
        _ = await outcomes(of: 100) {
            try await here.signIn(with: .oauth(Forge.id, idToken: "none", accessToken: "invented \($0)"))
        }
        XCTAssertEqual(forge.questions, 50, "how often the provider was asked")
    }
}

/// A provider that must be asked about each token, and counts how often it is.
private final class Forge: CredentialVerifier {
    static let id: ProviderID = "forge.example"

    var provider: ProviderID { Self.id }

    private let asked = Mutex(0)

    /// How often it was asked.
    var questions: Int { asked.withLock { $0 } }

    func verify(_ credential: AuthCredential.Federated, in context: VerificationContext) async throws
        -> ProviderAssertion
    {
        asked.withLock { $0 += 1 }
        let token = credential.accessToken?.revealed ?? ""
        if token.hasPrefix("down") { throw VerificationFailure.unreachable }
        if token.hasPrefix("canceled") { throw CancellationError() }
        guard token.hasPrefix("good") else { throw VerificationFailure(.rejected) }
        return ProviderAssertion(provider: provider, issuer: provider.rawValue, subject: token)
    }
}
