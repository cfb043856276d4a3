import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What the core keeps of a visit to a provider, and who may end it.
final class VisitTests: LimitedTestCase {
    private var world = World(.standard)
    private let home = "https://app.example/back"

    private func begin(
        _ intent: Store.Authorization.Intent = .signIn,
        by handle: ActingHandle? = nil,
        on device: String = "phone"
    ) async throws -> AuthorizationSecrets {
        try await world.service.beginAuthorization(
            intent,
            with: .gitHub,
            redirectURI: home,
            by: handle,
            RequestContext(device: world.devices[device])
        )
    }

    private func found(
        _ secrets: AuthorizationSecrets,
        by handle: ActingHandle? = nil,
        on device: String = "phone"
    ) async throws -> (Store.Authorization, AuthorizationSecrets) {
        let context = RequestContext(device: world.devices[device])
        return try await world.service.authorization(secrets.state, by: handle, context)
    }

    private func redeem(
        _ secrets: AuthorizationSecrets,
        by handle: ActingHandle? = nil,
        on device: String = "phone"
    ) async throws {
        let context = RequestContext(device: world.devices[device])
        try await world.service.redeemAuthorization(secrets.state, by: handle, context)
    }

    func testAVisitIsFoundWithItsSecretsAndEndsOnce() async throws {
        let secrets = try await begin()
        let (visit, kept) = try await found(secrets)
        XCTAssertEqual(visit.provider, .gitHub)
        XCTAssertEqual(visit.redirectURI, home)
        XCTAssertEqual([kept.codeVerifier, kept.nonce], [secrets.codeVerifier, secrets.nonce])
        try await redeem(secrets)
        try await world.refusal(.invalidCredential, .codeIsUnknown) { try await self.redeem(secrets) }
    }

    func testAnAddressToComeBackToIsAtMostTwoKilobytes() async throws {
        let context = RequestContext(device: world.devices["phone"])
        let longest = home + "?" + String(repeating: "a", count: 2047 - home.utf8.count)
        _ = try await world.service.beginAuthorization(
            .signIn,
            with: .gitHub,
            redirectURI: longest,
            by: nil,
            context
        )
        try await world.refusal(.textTooLong, .textIsTooLong, "an address of 2,049 bytes") {
            try await world.service.beginAuthorization(
                .signIn,
                with: .gitHub,
                redirectURI: longest + "a",
                by: nil,
                context
            )
        }
    }

    func testAnotherDeviceEndsNoVisitAndUsesNothingUp() async throws {
        let secrets = try await begin()
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            _ = try await self.found(secrets, on: "eve's")
        }
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            try await self.redeem(secrets, on: "eve's")
        }
        try await redeem(secrets)
    }

    func testAVisitEndsWithItsTime() async throws {
        let secrets = try await begin()
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.sessionExpired, .codeIsExpired) { _ = try await self.found(secrets) }
    }

    func testOnlyTheSessionThatAskedEndsAVisitForALinkOrALogin() async throws {
        let ann = try await world.signUpAnn()
        let ben = try await world.device("phone").signInAnonymously().user
        let session = ann.acting.session
        for intent in [Store.Authorization.Intent.link(session), .reauthentication(session)] {
            let secrets = try await begin(intent, by: ann.acting)
            try await world.refusal(.invalidCredential, .codeIsForSomethingElse) { try await self.redeem(secrets) }
            try await world.refusal(.invalidCredential, .codeIsForSomethingElse) {
                try await self.redeem(secrets, by: ben.acting)
            }
            try await redeem(secrets, by: ann.acting)
        }
    }

    func testALinkBeginsOnlyAfterARecentLogin() async throws {
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.requiresRecentLogin) {
            _ = try await self.begin(.link(ann.acting.session), by: ann.acting)
        }
    }

    func testAProviderThatIsDisabledIsNotVisited() async throws {
        let secrets = try await begin()
        world.policy.disabledProviders = [.gitHub]
        try await world.refusal(.operationNotAllowed) { _ = try await self.begin() }
        try await world.refusal(.operationNotAllowed) { try await self.redeem(secrets) }
    }

    func testAVisitNeedsAKeyThatSealsAndLaterTheSameOne() async throws {
        let sealer = FailingSealer()
        world = World(.standard) { $0.secretSealer = sealer }
        let secrets = try await begin()
        sealer.fails(true)
        try await world.refusal(.sealedSecretUnreadable) { _ = try await self.found(secrets) }
        try await world.refusal(.internalError) { _ = try await self.begin() }
        sealer.fails(false)
        let (_, kept) = try await found(secrets)
        XCTAssertEqual(kept.codeVerifier, secrets.codeVerifier, "the visit is still there")
    }

    func testAVisitFindsTheVerifierOfItsProvider() {
        XCTAssertEqual(world.service.verifier(of: .gitHub)?.provider, .gitHub)
        XCTAssertNil(world.service.verifier(of: "oidc.unknown"))
    }

    func testAVisitIsOverAfterFiveExchangesThatFailed() async throws {
        let (secrets, other) = (try await begin(), try await begin())
        let counts = await outcomes(of: 7) { _ in try await self.failExchange(of: secrets.state) }
        XCTAssertEqual(counts, [.networkError: 5, .tooManyRequests: 2], "exchanges of one visit that failed")
        await assertThrows(.networkError, "the first exchange of another visit") {
            try await self.failExchange(of: other.state)
        }
    }

    /// Counts an exchange for the visit with this state, whose provider is not reached.
    private func failExchange(
        of state: String,
        by handle: ActingHandle? = nil,
        from origin: RequestOrigin = .local
    ) async throws {
        let context = RequestContext(device: world.devices["phone"], origin: origin)
        let takes = world.service.exchangeTakes(state, at: .gitHub, by: handle, context)
        try await world.service.counting(takes, isGuess: false) { () async throws(AuthError) in
            throw AuthError(.networkError)
        }
    }

    func testAnExchangeThatFailedCountsForTenMinutes() async throws {
        world.policy.limits?.visitsFromOrigin = 5
        world.policy.limits?.visitsOfAccount = 5
        let ann = try await world.signUpAnn()
        let steps: [(Double, AuthErrorCode)] = [
            (0, .networkError), (0, .tooManyRequests), (599, .tooManyRequests), (1, .networkError),
        ]
        for (who, handle) in [("a stranger", nil), ("Ann", ann.acting)] as [(String, ActingHandle?)] {
            for (number, (seconds, code)) in steps.enumerated() {
                world.clock.advance(by: .seconds(seconds))
                await assertThrows(code, "exchange \(number) of \(who), after \(seconds) seconds more") {
                    try await self.failExchange(of: "visit \(number)", by: handle, from: .address("192.0.2.1"))
                }
            }
        }
    }

    func testAfterAVisitNoNonceIsAskedFor() async throws {
        let credential = world.credential(.google, .ann)
        let verified = try await world.device().verify(credential)
        let after = verified.afterVisit(for: .signIn)
        guard case .identity(let identity) = after.proof.claim else { return XCTFail("the claim is another one") }
        XCTAssertEqual(after.proof.verifiedAt, verified.proof.verifiedAt)
        XCTAssertEqual(identity.nonce, .checked(.signIn))
    }
}

/// A sealer whose key is lost now and then.
private final class FailingSealer: SecretSealer {
    private let isFailing = Mutex(false)

    func fails(_ isFailing: Bool) { self.isFailing.withLock { $0 = isFailing } }

    private func check() throws {
        if isFailing.withLock({ $0 }) { throw Secret.SealingError.unreadable }
    }

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] {
        try check()
        return plain.reversed()
    }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] {
        try check()
        return sealed.reversed()
    }
}
