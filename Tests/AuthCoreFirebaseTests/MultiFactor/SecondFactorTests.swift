@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// The second-factor block of the documentation, and its authenticator-app form.
final class SecondFactorTests: LimitedTestCase {
    private let world = World()

    private func challenge(in world: World? = nil) async throws -> MultiFactorResolver {
        let auth = (world ?? self.world).auth
        let error = await failure {
            try await auth.signIn(withEmail: "ann@example.com", password: "correct horse")
        }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.secondFactorRequired.rawValue)
        return try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
    }

    func testANumberIsEnrolledAskedForAndRemoved() async throws {
        let user = try await world.personWithFactor()
        let factor = try XCTUnwrap(user.multiFactor.enrolledFactors.first as? PhoneMultiFactorInfo)
        XCTAssertEqual(factor.phoneNumber, "+15555550111")
        XCTAssertEqual(factor.factorID, PhoneMultiFactorID, "the kind of the factor")
        XCTAssertEqual(factor.displayName, "my phone")
        XCTAssertEqual(factor.enrollmentDate, world.clock.now, "when the number was enrolled")
        try world.auth.signOut()

        let resolver = try await challenge()
        XCTAssertTrue(resolver.auth === world.auth)
        let hint = try XCTUnwrap(resolver.hints.first as? PhoneMultiFactorInfo)
        XCTAssertEqual(hint.uid, factor.uid)
        XCTAssertEqual(hint.enrollmentDate, factor.enrollmentDate, "when it was enrolled, as a sign-in shows it")
        XCTAssertEqual(hint.phoneNumber, "+*******0111")
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let id = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        let wrong = PhoneMultiFactorGenerator.assertion(
            with: provider.credential(withVerificationID: id, verificationCode: "wrong")
        )
        let refusal = await failure { _ = try await resolver.resolveSignIn(with: wrong) }
        XCTAssertEqual(refusal?.code, AuthCoreFirebase.AuthErrorCode.invalidVerificationCode.rawValue)
        let right = PhoneMultiFactorGenerator.assertion(
            with: provider.credential(withVerificationID: id, verificationCode: world.newestCode)
        )
        let result = try await resolver.resolveSignIn(with: right)
        XCTAssertEqual(result.user.uid, user.uid)
        XCTAssertNil(result.additionalUserInfo)
        XCTAssertTrue(world.auth.currentUser === result.user)
        let token = try await result.user.getIDTokenResult()
        XCTAssertEqual(token.signInSecondFactor, "phone")

        try await result.user.multiFactor.unenroll(with: factor)
        XCTAssertEqual(result.user.multiFactor.enrolledFactors, [])
        let missing = await failure { try await result.user.multiFactor.unenroll(withFactorUID: "none") }
        XCTAssertEqual(missing?.code, AuthCoreFirebase.AuthErrorCode.multiFactorInfoNotFound.rawValue)
    }

    func testAFactorThatTheCurrentUserShowsBringsThemNewTokens() async throws {
        let user = try await world.personWithFactor()
        let before = user.refreshToken
        let error = await failure {
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
            )
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let result = try await resolver.resolveSignIn(with: world.assertion(for: resolver))
        XCTAssertEqual(result.user.uid, user.uid)
        XCTAssertNotEqual(user.refreshToken, before, "the refresh token from before the factor was shown")
        let token = try XCTUnwrap(user.refreshToken)
        _ = try await world.service.client(for: "server", origin: .unknown).refresh(token)
    }

    /// Shows the factor that the current user owes, and does this before the store says that it is written.
    private func showFactor(in world: World, _ store: FaultyStore, meanwhile: () async throws -> Void) async throws {
        let user = try await world.personWithFactor()
        let error = await failure {
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
            )
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let (assertion, gate) = (try await world.assertion(for: resolver), Gate())
        store.script(.commit, .waitsAfterwards(gate))
        let answered = expectation(description: "the handler is called")
        resolver.resolveSignIn(with: assertion) { _, error in
            XCTAssertNil(error, "the error of the answer")
            answered.fulfill()
        }
        await gate.waitForArrivals()
        try await meanwhile()
        gate.open()
        await fulfillment(of: [answered], timeout: 10)
    }

    func testAFactorThatIsShownBeforeTheSignOutAndAnsweredAfterItSignsNoUserIn() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        try await showFactor(in: world, store) { try world.auth.signOut() }
        XCTAssertNil(world.auth.currentUser, "the user who signed out before the answer arrived")
    }

    func testAFactorThatIsAnsweredAfterAnotherPersonsSignInKeepsThatPerson() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        try await showFactor(in: world, store) { try await world.auth.signIn(with: world.gitHub(.ben)) }
        XCTAssertEqual(world.auth.currentUser?.email, SimulatedPerson.ben.email, "who signed in before the answer")
    }

    func testTheCurrentUserWhoSignsInAgainWithAFactorGetsANewSession() async throws {
        let user = try await world.personWithFactor()
        let resolver = try await challenge()
        let result = try await resolver.resolveSignIn(with: world.assertion(for: resolver))
        XCTAssertEqual(result.user.uid, user.uid)
        XCTAssertFalse(result.user === user, "the user is still that of the earlier session")
        XCTAssertTrue(world.auth.currentUser === result.user, "the current user after the sign-in")
    }

    func testTheCurrentUserStaysWhereTheAccountOfAnotherChallengeIsDisabled() async throws {
        let ann = try await world.personWithFactor()
        try world.auth.signOut()
        let guest = try await world.auth.signInAnonymously().user
        let resolver = try await challenge()
        let assertion = try await world.assertion(for: resolver)
        try await world.disable(ann.uid)
        let error = await failure { try await resolver.resolveSignIn(with: assertion) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userDisabled.rawValue, "why Ann is not signed in")
        XCTAssertTrue(world.auth.currentUser === guest, "the guest's session ended with that of another account")
    }

    func testAConflictAfterAFactorHasTheTokensThatWerePresented() async throws {
        let user = try await world.personWithFactor()
        try await user.link(with: world.gitHub())
        let challenge = await failure { try await self.world.device("tablet").signIn(with: self.world.gitHub()) }
        let key = AuthErrorUserInfoMultiFactorResolverKey
        let resolver = try XCTUnwrap(challenge?.userInfo[key] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        // Without the identity, the account is only the one that has its address.
        _ = try await user.unlink(fromProvider: "github.com")
        let conflict = await failure { try await resolver.resolveSignIn(with: assertion) }
        let wanted = AuthCoreFirebase.AuthErrorCode.accountExistsWithDifferentCredential.rawValue
        XCTAssertEqual(conflict?.code, wanted)
        let updated = conflict?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
        XCTAssertNotNil(updated?.accessToken, "the token is not in the credential to go on with")
    }

    func testAFactorThatIsNoneIsNotRemovedAfterTheSessionEnded() async throws {
        let user = try await world.personWithFactor()
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.multiFactor.unenroll(withFactorUID: "none") }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(world.auth.currentUser, "the user of a session that is over")
    }

    func testANumberBecomesAFactorOfAnAccountThatSignsInWithAnother() async throws {
        let user = try await world.verifiedUser()
        try await user.updatePhoneNumber(world.phone("+15555550122", in: world.auth))
        try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        )
        let session = try await user.multiFactor.session()
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        _ = try await provider.verifyPhoneNumber("+15555550111", multiFactorSession: session)
        let message = try XCTUnwrap(world.outbox.messages.last)
        XCTAssertEqual(message.recipient, PhoneNumber("+15555550111").map { .phone($0) }, "where the digits were sent")
    }

    func testAnAuthenticatorAppIsEnrolledAndAskedFor() async throws {
        let user = try await world.verifiedUser()
        let session = try await user.multiFactor.session()
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: session)
        let address = secret.generateQRCodeURL(withAccountName: "ann@example.com", issuer: "My App")
        XCTAssertTrue(address.hasPrefix("otpauth://totp/My%20App:ann%40example.com?secret="), address)
        try await user.multiFactor.enroll(
            with: TOTPMultiFactorGenerator.assertionForEnrollment(
                with: secret,
                oneTimePassword: world.code(of: secret)
            ),
            displayName: "app"
        )
        XCTAssertEqual(user.multiFactor.enrolledFactors.map(\.factorID), [TOTPMultiFactorID])
        XCTAssertEqual(user.multiFactor.enrolledFactors.map(\.displayName), ["app"], "the name of the app")
        let enrolledAt = world.clock.now
        world.clock.advance(by: .seconds(60))
        XCTAssertEqual(user.multiFactor.enrolledFactors.map(\.enrollmentDate), [enrolledAt], "when it was enrolled")
        try world.auth.signOut()
        world.clock.advance(by: .seconds(60))
        let resolver = try await challenge()
        let hint = try XCTUnwrap(resolver.hints.first)
        XCTAssertEqual(hint.displayName, "app", "the name by which the person is asked")
        XCTAssertEqual(hint.factorID, TOTPMultiFactorID, "the kind of the factor, by which an app chooses its page")
        let assertion = TOTPMultiFactorGenerator.assertionForSignIn(
            withEnrollmentID: hint.uid,
            oneTimePassword: try world.code(of: secret)
        )
        let result = try await resolver.resolveSignIn(with: assertion)
        XCTAssertEqual(result.user.uid, user.uid)
    }

    func testACodeForAFactorNeedsAFactor() async throws {
        _ = try await world.personWithFactor()
        try world.auth.signOut()
        let resolver = try await challenge()
        let error = await failure {
            try await PhoneAuthProvider.provider(auth: self.world.auth)
                .verifyPhoneNumber("+15555550111", multiFactorSession: resolver.session)
        }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.missingMultiFactorInfo.rawValue)
    }

    func testACodeForAFactorThatThePersonDoesNotHaveIsRefused() async throws {
        _ = try await world.personWithFactor()
        let resolver = try await challenge()
        for id in ["malformed", SecondFactor.ID(bits: 1).text] {
            let factor = PhoneMultiFactorInfo(
                uid: id,
                displayName: nil,
                enrollmentDate: world.clock.now,
                phoneNumber: "+15555550111"
            )
            let error = await failure {
                try await PhoneAuthProvider.provider(auth: world.auth)
                    .verifyPhoneNumber(with: factor, multiFactorSession: resolver.session)
            }
            let wanted = AuthCoreFirebase.AuthErrorCode.multiFactorInfoNotFound.rawValue
            XCTAssertEqual(error?.code, wanted, "a code for a factor with the ID \(id)")
        }
    }

    func testAnAssertionOfNoKnownKindEnrollsNothing() async throws {
        let user = try await world.verifiedUser()
        let error = await failure {
            try await user.multiFactor.enroll(with: MultiFactorAssertion(factorID: "passkey"), displayName: nil)
        }
        let wanted = AuthCoreFirebase.AuthErrorCode.missingMultiFactorInfo.rawValue
        XCTAssertEqual(error?.code, wanted, "what enrolling an unknown kind of factor throws")
    }

    func testAFactorWithoutANameHasNone() async throws {
        let user = try await world.verifiedUser()
        try await world.enroll("+15555550111", named: nil, for: user)
        let factor = try XCTUnwrap(user.multiFactor.enrolledFactors.first)
        XCTAssertNil(factor.displayName, "the name of the factor")
        let resolver = try await challenge()
        XCTAssertNil(try XCTUnwrap(resolver.hints.first).displayName, "the name as a sign-in shows it")
        let data = try NSKeyedArchiver.archivedData(withRootObject: factor, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: PhoneMultiFactorInfo.self, from: data)
        XCTAssertNil(try XCTUnwrap(copy).displayName, "the name after the factor was archived")
    }

    func testTooManyCodesForAFactorAreRefusedAsTooMany() async throws {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        policy.limits?.factorTexts = 1
        let world = World(policy)
        _ = try await world.personWithFactor()
        let resolver = try await challenge(in: world)
        _ = try await world.assertion(for: resolver)
        let error = await failure { try await world.assertion(for: resolver) }
        let wanted = AuthCoreFirebase.AuthErrorCode.tooManyRequests.rawValue
        XCTAssertEqual(error?.code, wanted, "a second code within the hour")
    }

    func testACodeIsForTheAuthenticatorAppThatWasChosen() async throws {
        let user = try await world.verifiedUser()
        var secrets: [TOTPSecret] = []
        for name in ["first", "second"] {
            let session = try await user.multiFactor.session()
            let secret = try await TOTPMultiFactorGenerator.generateSecret(with: session)
            secrets.append(secret)
            try await user.multiFactor.enroll(
                with: TOTPMultiFactorGenerator.assertionForEnrollment(
                    with: secret,
                    oneTimePassword: world.code(of: secret)
                ),
                displayName: name
            )
        }
        try world.auth.signOut()
        world.clock.advance(by: .seconds(60))
        let resolver = try await challenge()
        let first = try XCTUnwrap(resolver.hints.first { $0.displayName == "first" })
        let assertion = TOTPMultiFactorGenerator.assertionForSignIn(
            withEnrollmentID: first.uid,
            oneTimePassword: try world.code(of: secrets[1])
        )
        let error = await failure { try await resolver.resolveSignIn(with: assertion) }
        let wanted = AuthCoreFirebase.AuthErrorCode.invalidVerificationCode.rawValue
        XCTAssertEqual(error?.code, wanted, "the code of another app than the chosen one")
    }
}
