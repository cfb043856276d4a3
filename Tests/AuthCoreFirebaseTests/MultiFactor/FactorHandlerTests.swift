@testable import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The forms of second factors with a completion handler do what their asynchronous forms do.
final class FactorHandlerTests: LimitedTestCase {
    private let world = World()
    private let email = "ann@example.com"

    func testANumberIsEnrolledAskedForAndRemoved() async throws {
        let user = try await world.verifiedUser()
        let session: MultiFactorSession = try await answer { user.multiFactor.getSessionWithCompletion($0) }
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let id = await withCheckedContinuation { sent in
            provider.verifyPhoneNumber("+15555550111", multiFactorSession: session) { id, _ in
                sent.resume(returning: id ?? "")
            }
        }
        let credential = provider.credential(withVerificationID: id, verificationCode: world.newestCode)
        let assertion = PhoneMultiFactorGenerator.assertion(with: credential)
        XCTAssertEqual(assertion.factorID, "phone")
        let refused = await code { user.multiFactor.enroll(with: assertion, displayName: "mine", completion: $0) }
        XCTAssertNil(refused, "the code that was sent for the enrollment enrolls no factor")
        try world.auth.signOut()
        let error = await failure {
            try await self.world.auth.signIn(withEmail: self.email, password: "correct horse")
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let hint = try XCTUnwrap(resolver.hints.first as? PhoneMultiFactorInfo)
        XCTAssertEqual(hint.displayName, "mine", "the name of the factor")
        let sent: String = try await answer {
            provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session, completion: $0)
        }
        let answered = provider.credential(withVerificationID: sent, verificationCode: world.newestCode)
        let result: AuthDataResult = try await answer {
            resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: answered), completion: $0)
        }
        XCTAssertEqual(result.user.uid, user.uid)
        let factor = try XCTUnwrap(result.user.multiFactor.enrolledFactors.first)
        try await done { result.user.multiFactor.unenroll(with: factor, completion: $0) }
        XCTAssertEqual(result.user.multiFactor.enrolledFactors, [])
    }

    /// A person who shows who they are again, and owes the factor for it, stays the same object.
    func testAReauthenticationWithAFactorKeepsTheCurrentUser() async throws {
        let user = try await world.personWithFactor()
        let token = try await user.getIDToken()
        let error = await failure {
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: self.email, password: "correct horse")
            )
        }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.secondFactorRequired.rawValue)
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let hint = try XCTUnwrap(resolver.hints.first as? PhoneMultiFactorInfo)
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let id = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        let credential = provider.credential(withVerificationID: id, verificationCode: world.newestCode)
        let result = try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential))
        XCTAssertTrue(result.user === user, "another object for the same person")
        XCTAssertTrue(world.auth.currentUser === user)
        let fresh = try await user.getIDToken()
        XCTAssertNotEqual(fresh, token, "a token from before the reauthentication")
        world.clock.advance(by: .seconds(3600))
        let late = await failure {
            try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        }
        XCTAssertEqual(late?.domain, "FIRAuthErrorDomain", "a code for a challenge that is over")
    }

    func testAnAnswerToAChallengeOfAnAccountThatWasDisabledSignsOut() async throws {
        let user = try await world.personWithFactor()
        let error = await failure {
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: self.email, password: "correct horse")
            )
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let hint = try XCTUnwrap(resolver.hints.first as? PhoneMultiFactorInfo)
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let id = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        let credential = provider.credential(withVerificationID: id, verificationCode: world.newestCode)
        try await world.disable(user.uid)
        let refusal = await failure {
            try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential))
        }
        XCTAssertEqual(refusal?.code, AuthCoreFirebase.AuthErrorCode.userDisabled.rawValue)
        XCTAssertNil(world.auth.currentUser, "the user of an account that was disabled")
    }

    func testAnAuthenticatorAppGetsItsSecretByAHandler() async throws {
        let user = try await world.verifiedUser()
        let session = try await user.multiFactor.session()
        let secret: TOTPSecret = try await answer {
            TOTPMultiFactorGenerator.generateSecret(with: session, completion: $0)
        }
        XCTAssertFalse(secret.sharedSecretKey().isEmpty)
        await secret.openInOTPApp(withQRCodeURL: secret.generateQRCodeURL(withAccountName: "ann", issuer: "App"))
        XCTAssertEqual(user.multiFactor.enrolledFactors, [], "a secret alone enrolls nothing")
    }

    func testAHandlerIsToldThatNoSecretCouldBeMade() async throws {
        let user = try await world.verifiedUser()
        let session = try await user.multiFactor.session()
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let told = await code { heard in
            TOTPMultiFactorGenerator.generateSecret(with: session) { _, error in heard(error) }
        }
        XCTAssertEqual(told, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
    }

    func testWhatIsNoFactorEnrollsAndSignsInNobody() async throws {
        let user = try await world.personWithFactor()
        let factors = user.multiFactor
        let enrolled = TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: "none", oneTimePassword: "123456")
        XCTAssertEqual(enrolled.factorID, "totp", "the kind of an authenticator app")
        enrolled.factorID = "else"
        XCTAssertEqual(enrolled.factorID, "else")
        let refused = await failure { try await factors.enroll(with: enrolled, displayName: nil) }
        XCTAssertEqual(refused?.code, AuthCoreFirebase.AuthErrorCode.missingMultiFactorSession.rawValue)
        factors.enrolledFactors = []
        XCTAssertEqual(factors.enrolledFactors, [])
        try await user.reload()
        XCTAssertEqual(factors.enrolledFactors.count, 1, "the factors as they are")
        let number = try XCTUnwrap(factors.enrolledFactors.first as? PhoneMultiFactorInfo)
        number.phoneNumber = "+15555550199"
        XCTAssertEqual(number.phoneNumber, "+15555550199")
        try world.auth.signOut()
        let error = await failure {
            try await self.world.auth.signIn(withEmail: self.email, password: "correct horse")
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let wrong = await failure { _ = try await resolver.resolveSignIn(with: enrolled) }
        XCTAssertEqual(wrong?.code, AuthCoreFirebase.AuthErrorCode.missingMultiFactorInfo.rawValue)
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let unchosen = await failure {
            try await provider.verifyPhoneNumber("+15555550111", multiFactorSession: resolver.session)
        }
        XCTAssertEqual(unchosen?.code, AuthCoreFirebase.AuthErrorCode.missingMultiFactorInfo.rawValue)
        let noSecret = await failure { try await TOTPMultiFactorGenerator.generateSecret(with: resolver.session) }
        XCTAssertEqual(noSecret?.code, AuthCoreFirebase.AuthErrorCode.internalError.rawValue)
    }

    func testFactorsWithoutTheirPersonDoNothing() async throws {
        let factors = try await world.auth.signInAnonymously().user.multiFactor
        let data = try NSKeyedArchiver.archivedData(withRootObject: factors, requiringSecureCoding: true)
        let copy = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: AuthCoreFirebase.MultiFactor.self, from: data)
        )
        let error = await failure { try await copy.session() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.nullUser.rawValue)
        XCTAssertEqual(copy.enrolledFactors, [])
    }
}
