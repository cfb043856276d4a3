@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S21, the other way round: what takes no factor off an account.
final class LostFactorRefusalTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    private func ann(linking credentials: AuthCredential...) async throws -> User {
        let ann = try await signUpProvenAnn()
        for credential in credentials { try await ann.link(with: credential) }
        clock.advance(by: 60)
        try await enrollTOTP(ann)
        return ann
    }

    private func recover(_ other: AuthCredential, from auth: Auth) async throws -> LostFactorRecovery {
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        return try await service.client(auth.client.context).recoverFromLostFactors(with: link.mailed, and: other)
    }

    func testAnAssertionThatWasUsedTakesNoFactorOff() async throws {
        let once = google(.ann, SimulatedToken(hostedDomain: "example.com", rawNonce: "once"))
        _ = try await ann(linking: once)
        try await refusal(.invalidCredential, .credentialIsOfAnother) { try await recover(once, from: seat("x")) }
        let fresh = google(.ann, SimulatedToken(hostedDomain: "example.com", rawNonce: "again"))
        let answer = try await recover(fresh, from: seat("y"))
        XCTAssertEqual(answer, .removed)
    }

    func testAnAddressWithoutAnAccountHasNoFactorsToLose() async throws {
        let auth = seat("x")
        let link = try await mailedLink(to: "nobody@example.com", from: auth)
        try await refusal(.userNotFound, .addressIsUnknown) {
            try await service.client(auth.client.context).recoverFromLostFactors(with: link.mailed)
        }
    }

    func testTheNumberOfTheAccountTakesThemOffOnceAndAnotherNumberNever() async throws {
        let auth = seat()
        let ann = try await ann(linking: digits(to: number, from: auth))
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let new = seat("new phone")
        let foreign = try await digits(to: "+15550009999", from: new)
        try await refusal(.invalidCredential, .credentialIsOfAnother) { try await recover(foreign, from: new) }
        let digits = try await digits(to: number, from: new)
        let elsewhere = seat("thief")
        try await refusal(.invalidCredential, .credentialIsOfAnother) { try await recover(digits, from: elsewhere) }
        let answer = try await recover(digits, from: new)
        XCTAssertEqual(answer, .removed)
        let after = try await account(ann)
        XCTAssertEqual(after.factors, [])
        XCTAssertEqual(after.recoveryCodes, [])
        try await refusal(.invalidVerificationID) { try await new.signIn(with: digits) }
    }

    func testASessionThatHasShownNoFactorDoesNotObject() async throws {
        let first = try await signUpProvenAnn()
        let second = try await seat("tablet").signIn(with: Self.annsPassword).user
        XCTAssertEqual(first.uid, second.uid)
        try await refusal(.requiresRecentLogin, .secondFactorIsOwed) {
            try await second.multiFactor.objectToRecovery()
        }
    }

    func testAFactorThatShutsTheOnlyWayInIsNotEnrolled() async throws {
        policy.phoneWithFactors = .refused
        let auth = seat()
        let ann = try await auth.signIn(with: google(.ann, work)).user
        try await ann.link(with: digits(to: number, from: auth))
        try await ann.reauthenticate(with: google(.ann, work))
        var narrowed = policy
        narrowed.disabledProviders = [.google]
        let factor = EnrollFactor.NewFactor.totp(sealedSeed: [1], step: 1, CapabilityKey(bits: 1))
        let operation = EnrollFactor(handle: ann.acting, factor: factor, displayName: nil)
        // The seed was looked at before; what matters here is the account.
        let seen = try await service.load(for: operation, service.request())
        func refusal(under policy: AuthPolicy) -> Refusal? {
            var transaction = Transaction(service.decisionContext(under: policy))
            do throws(Refusal) {
                _ = try operation.decide(seen, &transaction)
                return nil
            } catch {
                return error
            }
        }
        XCTAssertEqual(refusal(under: narrowed)?.reason, .methodIsTheLast)
        XCTAssertNil(refusal(under: policy))
        narrowed.lastMethod = .removable
        XCTAssertNil(refusal(under: narrowed))
    }
}
