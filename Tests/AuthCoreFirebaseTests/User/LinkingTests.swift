import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// What an in-process implementation must match of linking and unlinking.
final class LinkingTests: LimitedTestCase {
    private let world = World()

    func testALinkedProviderIsRefusedWithoutLookingAtTheCredential() async throws {
        let user = try await world.auth.signIn(with: world.google()).user
        let forged = GoogleAuthProvider.credential(withIDToken: "forged", accessToken: "forged")
        let error = await failure { try await user.link(with: forged) }
        XCTAssertEqual(error?.code, AuthErrorCode.providerAlreadyLinked.rawValue)
    }

    func testALinkedPasswordIsRefusedBeforeAnEmptyOne() async throws {
        let user = try await world.verifiedUser()
        let empty = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "")
        let error = await failure { try await user.link(with: empty) }
        XCTAssertEqual(error?.code, AuthErrorCode.providerAlreadyLinked.rawValue)
    }

    func testAProviderThatWasUnlinkedElsewhereCanBeLinkedAgain() async throws {
        let user = try await world.verifiedUser()
        try await user.link(with: world.gitHub())
        let tablet = world.device("tablet")
        let same = try await tablet.signIn(withEmail: "ann@example.com", password: "correct horse").user
        _ = try await same.unlink(fromProvider: "github.com")
        XCTAssertTrue(user.providerData.contains { $0.providerID == "github.com" }, "the phone has not heard of it")
        let result = try await user.link(with: world.gitHub())
        XCTAssertTrue(result.user.providerData.contains { $0.providerID == "github.com" }, "it is linked again")
    }

    func testACredentialWithoutItsFieldsIsRefusedBeforeItIsLinked() async throws {
        let user = try await world.auth.signInAnonymously().user
        let password = await failure {
            try await user.link(with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: ""))
        }
        XCTAssertEqual(password?.code, AuthErrorCode.weakPassword.rawValue, "an empty password")
        let phone = PhoneAuthProvider.provider(auth: world.auth)
        let digits = await failure {
            try await user.link(with: phone.credential(withVerificationID: "", verificationCode: "123456"))
        }
        XCTAssertEqual(digits?.code, AuthErrorCode.missingVerificationID.rawValue, "digits of no message")
    }

    func testAReauthenticationAnswersWithAnotherHandleWithFactorsOfItsOwn() async throws {
        let user = try await world.verifiedUser()
        let factors = user.multiFactor
        let result = try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        )
        XCTAssertFalse(result.user === user, "another object")
        XCTAssertFalse(result.user.multiFactor === factors, "factors of another object")
        XCTAssertTrue(user.multiFactor === factors, "the user's own stay")
    }

    func testANumberHasNoIDAmongTheProvidersOfItsUser() async throws {
        let user = try await world.auth.signInAnonymously().user
        let phone = PhoneAuthProvider.provider(auth: world.auth)
        let id = try await phone.verifyPhoneNumber("+15555550100")
        try await user.link(with: phone.credential(withVerificationID: id, verificationCode: world.newestCode))
        XCTAssertEqual(user.providerData.map(\.providerID), ["phone"])
        XCTAssertEqual(user.providerData.map(\.uid), [""], "as Firebase's service answers")
    }

    func testOnlyFederatedLinksTellMore() async throws {
        let user = try await world.auth.signInAnonymously().user
        let uid = user.uid
        let password = try await user.link(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        )
        XCTAssertTrue(password.user === user)
        XCTAssertNil(password.additionalUserInfo)
        XCTAssertNil(password.credential)
        XCTAssertFalse(user.isAnonymous)
        XCTAssertEqual(user.uid, uid)
        let phone = try await user.link(with: world.phone("+15555550111", in: world.auth))
        XCTAssertNil(phone.additionalUserInfo)
        XCTAssertNil(phone.credential)
        let gitHub = try await user.link(with: world.gitHub())
        XCTAssertEqual(gitHub.additionalUserInfo?.username, "ann")
        XCTAssertEqual(gitHub.additionalUserInfo?.providerID, "github.com")
        XCTAssertNotNil(gitHub.credential?.accessToken)
        XCTAssertEqual(user.providerData.map(\.providerID).sorted(), ["github.com", "password", "phone"])
    }

    func testAGuestWhoSetsAPasswordWithoutAnAddressStaysTheGuest() async throws {
        let user = try await world.auth.signInAnonymously().user
        try await user.updatePassword(to: "correct horse")
        XCTAssertTrue(user.isAnonymous, "a guest whose password signs in to nothing")
        let again = try await world.auth.signInAnonymously().user
        XCTAssertEqual(again.uid, user.uid, "the account of the second anonymous sign-in")
        world.clock.advance(by: .seconds(301))
        try await user.delete()
    }

    func testACredentialInUseComesBackReadyToSignIn() async throws {
        let owner = try await world.auth.signIn(with: world.facebook(.ben)).user
        try world.auth.signOut()
        let user = try await world.auth.signInAnonymously().user
        let error = await failure { try await user.link(with: self.world.facebook(.ben)) }
        XCTAssertEqual(error?.code, AuthErrorCode.credentialAlreadyInUse.rawValue)
        XCTAssertEqual(error?.userInfo[AuthErrorUserInfoEmailKey] as? String, "ben@example.com")
        let updated = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
        XCTAssertEqual(updated.provider, "facebook.com")
        XCTAssertNotNil(updated.accessToken)
        let result = try await world.auth.signIn(with: updated)
        XCTAssertEqual(result.user.uid, owner.uid)
        // What the engine kept is used up, and the tokens beside it still hold.
        let again = try await world.auth.signIn(with: updated)
        XCTAssertEqual(again.user.uid, owner.uid)
    }

    func testANumberInUseComesBackWithoutAnotherCode() async throws {
        let owner = try await world.auth.signIn(with: world.phone("+15555550111", in: world.auth)).user
        try world.auth.signOut()
        let user = try await world.auth.signInAnonymously().user
        let credential = try await world.phone("+15555550111", in: world.auth)
        let error = await failure { try await user.link(with: credential) }
        XCTAssertEqual(error?.code, AuthErrorCode.credentialAlreadyInUse.rawValue)
        XCTAssertNil(error?.userInfo[AuthErrorUserInfoEmailKey])
        let updated = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? PhoneAuthCredential)
        let data = try NSKeyedArchiver.archivedData(withRootObject: updated, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: PhoneAuthCredential.self, from: data)
        let result = try await world.auth.signIn(with: XCTUnwrap(copy))
        XCTAssertEqual(result.user.uid, owner.uid, "the credential of the error, also after it was archived")
    }

    func testAnAddressInUseIsNotTold() async throws {
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        try world.auth.signOut()
        let user = try await world.auth.signInAnonymously().user
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "other horse")
        let error = await failure { try await user.link(with: credential) }
        XCTAssertEqual(error?.code, AuthErrorCode.emailAlreadyInUse.rawValue)
        XCTAssertNil(error?.userInfo[AuthErrorUserInfoEmailKey])
        XCTAssertNil(error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey])
        let federated = await failure { try await user.link(with: self.world.google()) }
        XCTAssertEqual(federated?.code, AuthErrorCode.emailAlreadyInUse.rawValue, "a provider's address that is in use")
        XCTAssertNil(federated?.userInfo[AuthErrorUserInfoUpdatedCredentialKey], "a credential that could sign in")
    }

    func testUnlinkingGivesTheSamePersonBack() async throws {
        let user = try await world.auth.signIn(with: world.google()).user
        try await user.link(with: world.phone("+15555550111", in: world.auth))
        XCTAssertEqual(user.phoneNumber, "+15555550111")
        let same = try await user.unlink(fromProvider: PhoneAuthProviderID)
        XCTAssertTrue(same === user)
        XCTAssertNil(user.phoneNumber)
        let error = await failure { try await user.unlink(fromProvider: PhoneAuthProviderID) }
        XCTAssertEqual(error?.code, AuthErrorCode.noSuchProvider.rawValue)
    }

    func testReauthenticationByALinkThatIsNoSignInLinkIsRefusedAtOnce() async throws {
        let user = try await world.verifiedUser()
        let link = "https://example.com/?mode=resetPassword&oobCode=code"
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", link: link)
        let error = await failure { try await user.reauthenticate(with: credential) }
        XCTAssertEqual(error?.code, AuthErrorCode.invalidActionCode.rawValue)
        XCTAssertEqual(error?.localizedDescription, "This link is not a sign-in link.")
    }

    func testLinkingALinkThatIsNoSignInLinkIsRefusedAtOnce() async throws {
        let user = try await world.auth.signIn(with: world.google()).user
        let link = "https://example.com/?mode=resetPassword&oobCode=code"
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", link: link)
        let error = await failure { try await user.link(with: credential) }
        XCTAssertEqual(error?.code, AuthErrorCode.invalidActionCode.rawValue)
        XCTAssertEqual(error?.localizedDescription, "This link is not a sign-in link.")
    }

    func testReauthenticationWithAnotherPersonsCredentialThrowsInBothForms() async throws {
        try await world.auth.signIn(with: world.google(.ben))
        let user = try await world.auth.signIn(with: world.google(.ann)).user
        let error = await failure { try await user.reauthenticate(with: self.world.google(.ben)) }
        XCTAssertEqual(error?.code, AuthErrorCode.userMismatch.rawValue)
        let nobody = EmailAuthProvider.credential(withEmail: "nobody@example.com", password: "correct horse")
        let missing = await failure { try await user.reauthenticate(with: nobody) }
        XCTAssertEqual(missing?.code, AuthErrorCode.userMismatch.rawValue)
        let called = expectation(description: "called")
        user.reauthenticate(with: world.google(.ben)) { result, error in
            XCTAssertNil(result)
            XCTAssertEqual((error as NSError?)?.code, AuthErrorCode.userMismatch.rawValue)
            called.fulfill()
        }
        await fulfillment(of: [called], timeout: 10)
        XCTAssertTrue(world.auth.currentUser === user)
        let result = try await user.reauthenticate(with: world.google(.ann))
        XCTAssertEqual(result.user.uid, user.uid)
        XCTAssertFalse(result.user === user, "the original gives another object of the same person")
        XCTAssertTrue(world.auth.currentUser === user)
    }

    /// The updated credential of a link that was refused because the identity is Ben's, and the ID of Ben's account.
    private func refusedLink(
        with credential: AuthCredential
    ) async throws -> (updated: OAuthCredential, owner: String) {
        let owner = try await world.auth.signIn(with: world.facebook(.ben)).user.uid
        try world.auth.signOut()
        let user = try await world.auth.signInAnonymously().user
        let error = await failure { try await user.link(with: credential) }
        let updated = error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
        return (try XCTUnwrap(updated), owner)
    }

    func testACredentialInUseSignsInOnAnotherDeviceToo() async throws {
        let (updated, owner) = try await refusedLink(with: world.facebook(.ben))
        let result = try await world.device("tablet").signIn(with: updated)
        XCTAssertEqual(result.user.uid, owner, "who signs in by the tokens of the updated credential")
    }

    func testACredentialInUseSignsInAlsoAfterItsTokenExpired() async throws {
        let (updated, owner) = try await refusedLinkWithATokenThatExpires()
        let result = try? await world.auth.signIn(with: updated)
        XCTAssertEqual(result?.user.uid, owner, "who signs in by what the service kept of the identity")
    }

    func testACredentialInUseOfADisabledAccountIsRefusedForThat() async throws {
        let (updated, owner) = try await refusedLinkWithATokenThatExpires()
        try await world.disable(owner)
        let error = await failure { try await world.auth.signIn(with: updated) }
        XCTAssertEqual(error?.code, AuthErrorCode.userDisabled.rawValue, "the answer is about the token that expired")
    }

    func testACredentialInUseSignsInAlsoAfterItWasArchivedAndItsTokenExpired() async throws {
        let (updated, owner) = try await refusedLinkWithATokenThatExpires()
        let data = try NSKeyedArchiver.archivedData(withRootObject: updated, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: OAuthCredential.self, from: data)
        let result = try? await world.auth.signIn(with: XCTUnwrap(copy))
        XCTAssertEqual(result?.user.uid, owner, "what the service kept of the identity is named in the archive")
    }

    private func refusedLinkWithATokenThatExpires() async throws -> (updated: OAuthCredential, owner: String) {
        let brief = SimulatedToken(lifetime: 1)
        let token = SimulatedProvider.facebook.token(for: .ben, saying: brief, at: world.clock.now)
        let refused = try await refusedLink(with: FacebookAuthProvider.credential(withAccessToken: token))
        world.clock.advance(by: .seconds(120))
        return refused
    }
}
