@testable import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The forms with a completion handler do what their asynchronous forms do: those of `User`.
final class UserHandlerTests: LimitedTestCase {
    private let world = World()
    private let email = "ann@example.com"

    func testMethodsAreLinkedShownAgainAndUnlinked() async throws {
        let user = try await world.verifiedUser()
        XCTAssertNil(user.providerData.first?.displayName, "the name of an entry that has only an address")
        let linked: AuthDataResult = try await answer { user.link(with: world.gitHub(), completion: $0) }
        XCTAssertEqual(linked.user.providerData.map(\.providerID), ["password", "github.com"])
        let entry = try XCTUnwrap(user.providerData.last)
        XCTAssertEqual(entry.uid, SimulatedPerson.ann.subject(at: .gitHub))
        XCTAssertNil(entry.phoneNumber)
        let shown: AuthDataResult = try await answer { user.reauthenticate(with: world.gitHub(), completion: $0) }
        XCTAssertEqual(shown.user.uid, user.uid)
        let left: AuthCoreFirebase.User = try await answer {
            user.unlink(fromProvider: "github.com", completion: $0)
        }
        XCTAssertEqual(left.providerData.map(\.providerID), ["password"])
        let refused = await code { heard in
            user.unlink(fromProvider: "github.com") { _, error in heard(error) }
        }
        XCTAssertEqual(refused, AuthCoreFirebase.AuthErrorCode.noSuchProvider.rawValue)
    }

    func testPasswordNumberAndAddressAreChanged() async throws {
        let user = try await world.verifiedUser()
        try await done { user.updatePassword(to: "battery staple", completion: $0) }
        try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: email, password: "battery staple"))
        let phone = try await world.phone("+15555550111", in: world.auth)
        try await done { user.updatePhoneNumber(phone, completion: $0) }
        XCTAssertEqual(user.phoneNumber, "+15555550111")
        XCTAssertEqual(user.providerData.last?.phoneNumber, "+15555550111")
        XCTAssertNil(user.providerData.last?.email, "the address of a number")
        let other = try await world.phone("+15555550112", in: world.auth)
        try await user.updatePhoneNumber(other)
        XCTAssertEqual(user.phoneNumber, "+15555550112")
        try await done { heard in
            user.sendEmailVerification(beforeUpdatingEmail: "new@example.com", completion: heard)
        }
        try await world.auth.applyActionCode(world.newestCode)
        try await done { user.reload(completion: $0) }
        XCTAssertEqual(user.email, "new@example.com")
    }

    @available(*, deprecated)
    func testAnAddressIsChangedAtOnceWhereThePolicyAllowsIt() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        try await user.updateEmail(to: "second@example.com")
        XCTAssertEqual(user.email, "second@example.com")
        try await done { user.updateEmail(to: "third@example.com", completion: $0) }
        XCTAssertEqual(user.email, "third@example.com")
    }

    func testMailsAreSentByTheOldestSpellingsToo() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        try await done { user.__sendEmailVerification(withCompletion: $0) }
        XCTAssertEqual(world.outbox.messages.last?.kind, .verifyEmail)
        try await done { user.__sendEmailVerificationBeforeUpdating(email: "new@example.com", completion: $0) }
        XCTAssertEqual(world.outbox.messages.last?.kind, .changeEmail)
        try await user.sendEmailVerification(beforeUpdatingEmail: "newer@example.com")
        XCTAssertEqual(world.outbox.messages.last?.recipient, EmailAddress("newer@example.com").map { .email($0) })
    }

    func testTokensAreGiven() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let kept = try await user.getIDToken()
        let token: String = try await answer { user.getIDToken(completion: $0) }
        XCTAssertEqual(token, kept)
        let result: AuthTokenResult = try await answer { user.getIDTokenResult(completion: $0) }
        XCTAssertEqual(result.token, token)
        world.clock.advance(by: .seconds(60))
        let fresh: AuthTokenResult = try await answer { user.getIDTokenResult(forcingRefresh: true, completion: $0) }
        XCTAssertNotEqual(fresh.token, token)
        XCTAssertNotNil(user.refreshToken)
        XCTAssertEqual(user.providerID, "Firebase")
    }

    func testEveryFormGivesANewTokenOnlyWhereThatIsForced() async throws {
        let auth = world.auth
        let user = try await auth.createUser(withEmail: email, password: "correct horse").user
        let forms: [(String, (Bool) async throws -> String)] = [
            ("getIDToken", { try await user.getIDToken(forcingRefresh: $0) }),
            ("idTokenForcingRefresh", { try await user.idTokenForcingRefresh($0) }),
            ("getIDTokenResult", { try await user.getIDTokenResult(forcingRefresh: $0).token }),
            (
                "getIDTokenForcingRefresh",
                { force in try await self.answer { user.getIDTokenForcingRefresh(force, completion: $0) } }
            ),
            ("getToken", { force in try await self.answer { auth.getToken(forcingRefresh: force, completion: $0) } }),
        ]
        for (name, token) in forms {
            let kept = try await user.getIDToken()
            let same = try await token(false)
            XCTAssertEqual(same, kept, "the token of \(name)")
            let fresh = try await token(true)
            XCTAssertNotEqual(fresh, kept, "the token of \(name), where a new one is forced")
        }
    }

    func testAProfileIsChangedByARequestAndByItsProperties() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let picture = URL(string: "https://example.com/ann.jpg")
        let request = user.createProfileChangeRequest()
        XCTAssertNil(request.displayName)
        XCTAssertNil(request.photoURL)
        request.displayName = "Ann"
        request.photoURL = picture
        XCTAssertEqual(request.displayName, "Ann")
        XCTAssertEqual(request.photoURL, picture)
        try await done { request.commitChanges(completion: $0) }
        XCTAssertEqual(user.displayName, "Ann")
        XCTAssertEqual(user.photoURL, picture)
        XCTAssertEqual(user.providerData.first?.email, email)
        XCTAssertEqual(user.providerData.first?.displayName, "Ann")
        XCTAssertEqual(user.providerData.first?.photoURL, picture)
        user.displayName = "only here"
        user.photoURL = nil
        XCTAssertEqual(user.displayName, "only here")
        XCTAssertNil(user.photoURL)
        user.displayName = nil
        XCTAssertNil(user.displayName, "the name after nil was set")
        try await user.reload()
        XCTAssertEqual(user.displayName, "Ann", "what was set only here is gone")
        XCTAssertEqual(user.photoURL, picture)
        let removal = user.createProfileChangeRequest()
        XCTAssertNil(removal.displayName, "a request begins without values, as in the original")
        removal.photoURL = nil
        XCTAssertNil(removal.photoURL, "the picture that the request removes")
        try await removal.commitChanges()
        XCTAssertNil(user.photoURL)
        XCTAssertEqual(user.displayName, "Ann", "what the request does not name stays")
        removal.displayName = nil
        XCTAssertNil(removal.displayName, "the name that the request removes")
        try await removal.commitChanges()
        XCTAssertNil(user.displayName, "the name after it was removed")
        removal.displayName = ""
        try await removal.commitChanges()
        XCTAssertEqual(user.displayName, "", "the name after an empty one was set")
        let events = try await world.service.events().events
        try await user.createProfileChangeRequest().commitChanges()
        let after = try await world.service.events().events
        XCTAssertEqual(after, events, "a request that changes nothing")
    }

    func testARequestThatFailedKeepsItsChanges() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let request = user.createProfileChangeRequest()
        request.photoURL = URL(string: "https://example.com/ann.jpg")
        request.displayName = String(repeating: "a", count: 2049)
        let error = await failure { try await request.commitChanges() }
        let heard = await code { request.commitChanges(completion: $0) }
        XCTAssertEqual(error?.code, 17999, "a name that is too long, for which FirebaseAuth has no code of its own")
        XCTAssertEqual(heard, error?.code, "what the handler is told of it")
        request.displayName = "Ann"
        try await request.commitChanges()
        XCTAssertEqual(user.photoURL?.absoluteString, "https://example.com/ann.jpg", "the picture that was to be set")
    }

    func testAnOperationThatFailsLeavesTheNameAndThePictureThatAreSetOnlyHere() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let picture = URL(string: "https://example.com/ann.jpg")
        user.displayName = "only here"
        user.photoURL = picture
        _ = await failure { try await user.unlink(fromProvider: "github.com") }
        XCTAssertEqual(user.displayName, "only here", "the name after a failure")
        XCTAssertEqual(user.photoURL, picture, "the picture after a failure")
    }

    func testAnAccountIsDeleted() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        try await done { user.delete(completion: $0) }
        XCTAssertNil(world.auth.currentUser)
        let ben = try await world.auth.createUser(withEmail: "ben@example.com", password: "correct horse").user
        try await ben.delete()
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [])
    }

    func testAnAccountIsDeletedByACallWithoutAHandler() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let deleted = expectation(forNotification: .AuthStateDidChange, object: world.auth) {
            ($0.object as? AuthCoreFirebase.Auth)?.currentUser == nil
        }
        deleted.expectationDescription = "a call without a handler deletes the account"
        user.delete(completion: nil)
        await fulfillment(of: [deleted], timeout: 10)
    }

    // MARK: Factors

    func testAnEmptyPasswordSaysThatItIsMissing() async throws {
        let user = try await world.auth.createUser(withEmail: email, password: "correct horse").user
        let error = await failure { try await user.updatePassword(to: "") }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.weakPassword.rawValue, "an empty password")
        let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        XCTAssertEqual(reason, "Missing password", "why the password is weak")
    }
}
