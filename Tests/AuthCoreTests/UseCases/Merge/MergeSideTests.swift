@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeSideTests: LimitedTestCase {
    private var world = World(.standard)

    private func merge(_ source: Merge.Side, _ target: Merge.Side) async throws -> Merge.Result {
        try await world.service.client(world.context).merge(source, into: target)
    }

    func testBothSidesMustBeVerified() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await merge(world.side(.gitHub), world.side(wrong))
        }
        try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await merge(world.side(wrong), world.side(.gitHub))
        }
        try await world.refusal(.invalidCredential, .credentialSignsInToNothing) {
            try await merge(world.side(.facebook, .eve), world.passwordSide("ben@example.com"))
        }
        try await world.refusal(.invalidCredential) {
            try await merge(world.side(.anonymous), world.passwordSide("ben@example.com"))
        }
    }

    /// Whatever a wrong password is presented for, it is refused alike, and only a policy that tells everything says
    /// why.
    func testAWrongPasswordHasOneRefusalWhateverItIsPresentedFor() async throws {
        for (policy, code, reason) in [
            (AuthPolicy.firebase, AuthErrorCode.wrongPassword, Reason.passwordDiffers),
            (.firebaseProtected, .invalidCredential, .credentialIsWrong),
            (.standard, .invalidCredential, .credentialIsWrong),
        ] {
            let world = World(policy)
            try await world.signIn(.gitHub)
            let auth = world.device()
            let ben = try await world.signUp("ben@example.com", in: auth)
            let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
            try await world.refusal(code, reason) { try await world.device("tablet").signIn(with: wrong) }
            try await world.refusal(code, reason) { try await ben.reauthenticate(with: wrong) }
            let client = world.service.client(world.context)
            try await world.refusal(code, reason) {
                try await client.merge(world.side(.gitHub), into: world.side(wrong))
            }
            try await world.refusal(code, reason) {
                try await client.merge(world.side(wrong), into: world.side(.gitHub))
            }
        }
    }

    func testAnUnknownAddressLooksLikeAWrongPassword() async throws {
        try await world.signIn(.gitHub)
        let error = try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await merge(world.side(.gitHub), world.passwordSide("nobody@example.com"))
        }
        XCTAssertEqual(error.reasons, [.credentialIsWrong])
    }

    func testAnIdentityThatNoAccountHasIsNamedSoOnlyWhereEverythingIsTold() async throws {
        for (disclosure, code) in [
            (AuthPolicy.Disclosure.detailed, AuthErrorCode.userNotFound), (.uniform, .invalidCredential),
        ] {
            world.startOver(.weakened { $0.disclosure = disclosure })
            try await world.signUp("ben@example.com")
            try await world.refusal(code, .credentialSignsInToNothing, "disclosure: \(disclosure)") {
                try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
            }
        }
    }

    func testBothNumbersOfTheSidesCannotSignIn() async throws {
        let auth = world.device()
        let anns = try await world.digits(to: "+15550001234", from: auth)
        try await world.signUp("ann@example.com", linking: anns, in: auth)
        let bens = try await world.digits(to: "+15550005678", from: auth)
        let target = try await world.signUp("ben@example.com", linking: bens, in: auth)
        let merged = try await merge(world.passwordSide("ann@example.com"), world.passwordSide("ben@example.com"))
        XCTAssertTrue(merged.plan.stays.map(\.why).contains(.targetHasNumber), "\(merged.plan.stays)")
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.phoneNumber?.text, "+15550005678")
    }

    func testTheSidesMustBeTwoAccounts() async throws {
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        try await world.refusal(.mergeNotPossible, .sidesAreTheSame) {
            try await merge(world.side(.google, .ben), world.passwordSide("ben@example.com"))
        }
    }

    /// A password verifies no address, and the number of the other side covers what the session does.
    func testTheSessionOfAMergeHasWhatTheOtherSideVerified() async throws {
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        for hasHooks in [false, true] {
            world = World(.standard)
            if hasHooks { world.addHooks("orders") }
            let phone = world.device()
            try await phone.signIn(with: world.digits(to: number.text, from: phone))
            try await world.signUp("ben@example.com")
            let source = try await world.side(world.digits(to: number.text, from: phone))
            let merged = try await merge(source, world.passwordSide("ben@example.com"))
            let verified = merged.result.user.session.verified.map(\.subject)
            XCTAssertEqual(verified, [.phone(number)], "with hooks: \(hasHooks)")
        }
    }

    func testASessionStandsForNobodyWhoHasAMethod() async throws {
        let source = try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        try await world.refusal(.requiresRecentLogin, .sessionIsNoProof) {
            try await merge(.anonymous(source), world.passwordSide("ben@example.com"))
        }
    }

    func testADisabledSideIsRefused() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        for id in [source.account.id, target.account.id] {
            _ = try await world.service.setDisabled(true, account: id)
            try await world.refusal(.userDisabled, .accountIsDisabled) {
                try await merge(world.side(.gitHub), world.passwordSide("ben@example.com"))
            }
            _ = try await world.service.setDisabled(false, account: id)
        }
    }

    func testAnOldProofIsNotEnough() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let old = try await world.side(.gitHub)
        world.clock.advance(by: .seconds(301))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await merge(old, world.passwordSide("ben@example.com"))
        }
    }

    func testAMethodYoungerThanTheRestHasToWait() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        world.clock.advance(by: .seconds(200))
        try await target.link(with: world.credential(.facebook, .ben))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await merge(world.side(.gitHub), world.side(.facebook, .ben))
        }
        world.clock.advance(by: .seconds(7 * 86400))
        _ = try await merge(world.side(.gitHub), world.side(.facebook, .ben))
    }

    func testASuspendedOrDisabledMethodProvesNothing() async throws {
        try await world.signIn(.gitHub)
        let ben = try await world.signUp("ben@example.com", linking: world.credential(.facebook, .ben))
        world.policy.disabledProviders = [.facebook]
        try await world.refusal(.operationNotAllowed, .providerIsDisabled, "a method that is disabled") {
            try await merge(world.side(.gitHub), world.side(.facebook, .ben))
        }
        world.policy.disabledProviders = []
        let notice = try world.code(.methodAdded, to: "ben@example.com")
        try await world.device("mail").reportUnauthorizedChange(code: notice)
        let isActive = try await world.account(ben).method(of: .facebook)?.isActive
        XCTAssertEqual(isActive, false, "the report has not suspended the method")
        try await world.refusal(.invalidCredential, .credentialSignsInToNothing, "a suspended target") {
            try await merge(world.side(.gitHub), world.side(.facebook, .ben))
        }
        try await world.refusal(.invalidCredential, .credentialSignsInToNothing, "a suspended source") {
            try await merge(world.side(.facebook, .ben), world.side(.gitHub))
        }
    }

    func testARefusedMergeUsesNoCodeUp() async throws {
        let number = "+15550001234"
        _ = try await world.service.client(world.context).signIn(with: world.digits(to: number))
        try await world.signUp("ben@example.com")
        let proof = try await world.side(world.digits(to: number))
        let wrong = AuthCredential.password(email: "ben@example.com", password: "battery staple")
        try await world.refusal(.invalidCredential) { try await merge(proof, world.side(wrong)) }
        _ = try await merge(proof, world.passwordSide("ben@example.com"))
        try await refusal(.invalidVerificationID, "one code merges once") {
            try await merge(proof, world.passwordSide("ben@example.com"))
        }
    }

    func testACodeOfAnotherDeviceProvesNothing() async throws {
        let number = "+15550001234"
        _ = try await world.service.client(world.context).signIn(with: world.digits(to: number))
        try await world.signUp("ben@example.com")
        let proof = try await world.side(world.digits(to: number))
        try await world.refusal(.deviceMismatch) {
            try await world.service.client(RequestContext(device: "elsewhere")).merge(
                proof,
                into: world.passwordSide("ben@example.com")
            )
        }
    }

    /// S4: as a sign-in does, or the address that the provider gave up would stay verified.
    func testAMergeTakesOverWhatAProviderNowSaysOfAnIdentity() async throws {
        let left = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        for (isTarget, hasHooks) in [(true, false), (false, false), (true, true), (false, true)] {
            let what = "Google's account is the target: \(isTarget), with hooks: \(hasHooks)"
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let ann = SimulatedPerson.ann.with(email: "ann@gmail.com")
            let user = try await world.device("phone").signIn(with: world.google(ann)).user
            let ben = try await world.signUp("ben@example.com", in: world.device("tablet"))
            world.clock.advance(by: .seconds(60))
            let google = try await world.side(world.google(ann.with(email: "ann2@gmail.com")))
            let password = try await world.passwordSide("ben@example.com")
            _ = try await merge(isTarget ? password : google, isTarget ? google : password)
            let merged = try await world.account(isTarget ? user : ben)
            XCTAssertEqual(merged.method(of: .google)?.identity?.email?.text, "ann2@gmail.com", what)
            XCTAssertFalse(merged.hasProof(of: left, under: .standard), "the address of before; \(what)")
            let owner = try await world.service.account(email: "ann2@gmail.com")
            XCTAssertNil(owner, "an address that is only named by an identity; \(what)")
        }
    }

    private func refusal(_ code: AuthErrorCode, _ what: String, _ act: () async throws -> some Any) async throws {
        try await world.refusal(code, nil, what, act)
    }
}
