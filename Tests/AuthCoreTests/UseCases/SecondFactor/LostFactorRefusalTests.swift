@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S21, the other way round: what takes no factor off an account.
final class LostFactorRefusalTests: LimitedTestCase {
    private var world = World(.standard)

    private func ann(linking credentials: AuthCredential...) async throws -> User {
        let ann = try await world.signUpVerifiedAnn()
        for credential in credentials { try await ann.link(with: credential) }
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        return ann
    }

    private func recover(_ other: AuthCredential, from auth: Auth) async throws -> SecondFactor.Recovery {
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        return try await world.service.client(auth.client.context).recoverFromLostFactors(with: link.mailed, and: other)
    }

    func testAnAssertionThatWasUsedTakesNoFactorOff() async throws {
        let once = world.google(.ann, SimulatedToken(nonce: "once"))
        _ = try await ann(linking: once)
        try await world.refusal(.invalidCredential, .assertionWasUsed) {
            try await recover(once, from: world.device("x"))
        }
        let fresh = world.google(.ann, SimulatedToken(nonce: "again"))
        let answer = try await recover(fresh, from: world.device("y"))
        XCTAssertEqual(answer, .removed)
    }

    func testAPasswordThatMustWaitIsNotCalledThatOfAnother() async throws {
        _ = try await ann()
        let auth = world.device("x")
        for word in 0..<12 { _ = await outcome { try await auth.signIn(with: self.world.guess(word)) } }
        try await world.refusal(.tooManyRequests) { try await recover(World.annsPassword, from: auth) }
    }

    func testAT34_AMethodWhoseProviderIsDisabledTakesNoFactorsOff() async throws {
        let auth = world.device()
        let ann = try await ann(linking: world.digits(to: world.number, from: auth))
        world.policy.disabledProviders = [.password, .phone]
        try await world.refusal(.invalidCredential, .credentialIsOfAnother, "the password") {
            try await recover(World.annsPassword, from: world.device("x"))
        }
        world.policy.disabledProviders = []
        let new = world.device("y")
        let digits = try await world.digits(to: world.number, from: new)
        world.policy.disabledProviders = [.password, .phone]
        try await world.refusal(.invalidCredential, .credentialIsOfAnother, "the number") {
            try await recover(digits, from: world.device("y"))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.factors.count, 1, "factors")
    }

    func testAnAddressWithoutAnAccountHasNoFactorsToLose() async throws {
        let auth = world.device("x")
        let link = try await world.mailedLink(to: "nobody@example.com", from: auth)
        try await world.refusal(.userNotFound, .addressIsUnknown) {
            try await world.service.client(auth.client.context).recoverFromLostFactors(with: link.mailed)
        }
    }

    func testTheNumberOfTheAccountTakesThemOffOnceAndAnotherNumberNever() async throws {
        let auth = world.device()
        let ann = try await ann(linking: world.digits(to: world.number, from: auth))
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let new = world.device("new phone")
        let foreign = try await world.digits(to: "+15550009999", from: new)
        try await world.refusal(.invalidCredential, .credentialIsOfAnother) { try await recover(foreign, from: new) }
        let digits = try await world.digits(to: world.number, from: new)
        let elsewhere = world.device("thief")
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            try await recover(digits, from: elsewhere)
        }
        let answer = try await recover(digits, from: new)
        XCTAssertEqual(answer, .removed)
        let after = try await world.account(ann)
        XCTAssertEqual(after.factors, [])
        XCTAssertEqual(after.recoveryCodes, [])
        try await world.refusal(.invalidVerificationID) { try await new.signIn(with: digits) }
    }

    func testASessionThatHasShownNoFactorDoesNotObject() async throws {
        world.policy.revokesSessionsOn.remove(.firstFactor)
        let first = try await world.signUpVerifiedAnn()
        let second = try await world.device("tablet").signIn(with: World.annsPassword).user
        XCTAssertEqual(first.uid, second.uid)
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(first)
        try await second.reload()
        let auth = world.device("new phone")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let begun = try await auth.recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(begun, .waiting(until: world.clock.now + 72 * 3600), "the recovery has not begun")
        try await world.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await second.multiFactor.cancelRecovery()
        }
        world.clock.advance(by: .seconds(72 * 3600))
        let late = try await world.mailedLink(to: "ann@example.com", from: auth)
        let ended = try await auth.recoverFromLostFactors(with: late.mailed)
        XCTAssertEqual(ended, .removed, "a session without the factor ended the waiting")
    }

    func testAFactorThatBlocksTheOnlyMethodIsNotEnrolled() async throws {
        world.policy.phoneWithFactors = .refused
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        try await ann.link(with: world.digits(to: world.number, from: auth))
        try await ann.reauthenticate(with: world.google(.ann, world.work))
        var narrowed = world.policy
        narrowed.disabledProviders = [.google]
        narrowed.removedMethod = .keepsItsSessions
        let factor = EnrollFactor.NewFactor(
            kind: .totp(sealedSeed: [1], lastUsedStep: 1),
            record: OneTimeRecordID(bits: 1)
        )
        let operation = EnrollFactor(handle: ann.acting, factor: factor, displayName: nil)
        // The seed was looked at before; what matters here is the account.
        let seen = try await world.service.load(for: operation, world.service.request())
        func refusal(under policy: AuthPolicy) -> Refusal? {
            var transaction = Transaction(world.service.decisionContext(under: policy))
            do throws(Refusal) {
                _ = try operation.decide(seen, &transaction)
                return nil
            } catch {
                return error
            }
        }
        XCTAssertEqual(refusal(under: narrowed)?.reason, .methodIsTheLast)
        XCTAssertNil(refusal(under: world.policy))
        narrowed.lastMethod = .removable
        XCTAssertNil(refusal(under: narrowed))
    }
}
