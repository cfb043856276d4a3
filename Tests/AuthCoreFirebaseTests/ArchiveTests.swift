import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

/// What the original can archive can be archived.
final class ArchiveTests: LimitedTestCase {
    private let world = World()

    private func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
    }

    func testCredentialsWorkAfterTheyWereArchived() async throws {
        let token = SimulatedProvider.gitHub.token(for: .ann, at: world.clock.now)
        let gitHub = OAuthProvider.credential(providerID: .gitHub, accessToken: token)
        let user = try await world.auth.signIn(with: copy(gitHub)).user
        XCTAssertEqual(user.providerData.map(\.providerID), ["github.com"])
        let phone = try await world.phone("+15555550111", in: world.auth)
        try await user.link(with: copy(phone))
        XCTAssertEqual(user.phoneNumber, "+15555550111")
    }

    func testTheNameThatAppleGaveIsInTheArchive() async throws {
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Ann", "Archer")
        let token = SimulatedProvider.apple.token(for: .ann, at: world.clock.now)
        let apple = OAuthProvider.appleCredential(withIDToken: token, rawNonce: nil, fullName: name)
        let user = try await world.auth.signIn(with: copy(apple)).user
        XCTAssertEqual(user.displayName, "Ann Archer", "the name of the person")
    }

    func testResultsKeepWhatTheySay() async throws {
        let result = try await world.auth.signIn(with: world.gitHub())
        let info = try copy(XCTUnwrap(result.additionalUserInfo))
        XCTAssertEqual(info.profile?["login"] as? String, "ann")
        XCTAssertTrue(info.isNewUser)
        let token = try await result.user.getIDTokenResult()
        let tokenCopy = try copy(token)
        XCTAssertEqual(tokenCopy.claims["sub"] as? String, result.user.uid)
        XCTAssertEqual(tokenCopy.token, token.token)
        XCTAssertEqual(tokenCopy.issuedAtDate, token.issuedAtDate)
        XCTAssertEqual(tokenCopy.expirationDate, token.expirationDate)
        XCTAssertEqual(tokenCopy.authDate, token.authDate)
        XCTAssertEqual(tokenCopy.signInProvider, "github.com")
        XCTAssertEqual(tokenCopy.signInSecondFactor, "", "no second factor")
        XCTAssertEqual(info.providerID, "github.com")
        XCTAssertEqual(info.username, "ann")
        let back = try await world.auth.signIn(with: world.gitHub())
        XCTAssertFalse(try copy(XCTUnwrap(back.additionalUserInfo)).isNewUser, "whether who came back is new")
        XCTAssertEqual(try copy(result.user.metadata).creationDate, result.user.metadata.creationDate)
        let lastSignIn = try XCTUnwrap(result.user.metadata.lastSignInDate)
        XCTAssertEqual(try copy(result.user.metadata).lastSignInDate, lastSignIn, "the last sign-in")
    }

    func testAResultWithoutAProfileAndAUserNameHasNeitherAfterItWasArchived() async throws {
        let result = try await world.auth.signInAnonymously()
        let info = try XCTUnwrap(result.additionalUserInfo)
        XCTAssertNil(info.profile, "the profile of a guest")
        XCTAssertNil(try copy(info).profile, "the profile of a guest after it was archived")
        XCTAssertNil(info.username, "the user name of a guest")
        XCTAssertNil(try copy(info).username, "the user name of a guest after it was archived")
    }

    func testATokenKeepsTheFactorThatWasShown() async throws {
        let user = try await world.personWithFactor()
        try world.auth.signOut()
        let error = await failure {
            try await self.world.auth.signIn(withEmail: "ann@example.com", password: "correct horse")
        }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let result = try await resolver.resolveSignIn(with: world.assertion(for: resolver))
        XCTAssertEqual(result.user.uid, user.uid)
        let token = try await result.user.getIDTokenResult()
        XCTAssertEqual(try copy(token).signInSecondFactor, "phone")
    }

    func testFactorsKeepTheirKind() async throws {
        let user = try await world.personWithFactor()
        let factors = try copy(user.multiFactor).enrolledFactors
        let factor = try XCTUnwrap(factors.first as? PhoneMultiFactorInfo)
        let original = try XCTUnwrap(user.multiFactor.enrolledFactors.first)
        XCTAssertEqual(factor.phoneNumber, "+15555550111")
        XCTAssertEqual(factor.displayName, "my phone")
        XCTAssertEqual(factor.uid, original.uid)
        XCTAssertEqual(factor.factorID, original.factorID)
        XCTAssertEqual(factor.enrollmentDate, original.enrollmentDate)
    }

    func testAPersonIsFoundAgainInTheProcess() async throws {
        FirebaseApp.configure(name: "archive", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "archive"))
        app.useAuth(world.service)
        let user = try await Auth.auth(app: app).signInAnonymously().user
        XCTAssertEqual(try copy(user).uid, user.uid)
        await app.delete()
    }

    func testAPersonWhoIsFoundAgainAndSetStaysSignedIn() async throws {
        FirebaseApp.configure(name: "found", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "found"))
        app.useAuth(world.service)
        let auth = Auth.auth(app: app)
        var user: User? = try await auth.signIn(with: world.google()).user
        let found = try copy(XCTUnwrap(user))
        try auth.signOut()
        try await auth.updateCurrentUser(found)
        user = nil
        XCTAssertNil(user)
        for _ in 0..<200 {
            await Task.yield()
            try await found.reload()
        }
        XCTAssertTrue(auth.currentUser === found, "the session ended with the object that signed out before")
        await app.delete()
    }

    func testAPersonIsFoundAgainInTheAppThatTheyWereSetFor() async throws {
        let (first, second) = (try FirebaseApp.named("archive first"), try FirebaseApp.named("archive second"))
        first.useAuth(world.service)
        second.useAuth(world.service)
        let user = try await Auth.auth(app: first).signInAnonymously().user
        try await Auth.auth(app: second).updateCurrentUser(user)
        let found = try? copy(user)
        XCTAssertEqual(found?.uid, user.uid, "who is found in the app that took the user over")
        await first.delete()
        await second.delete()
    }

    func testATokenKeepsWhenItWasIssued() async throws {
        let user = try await world.auth.signInAnonymously().user
        world.clock.advance(by: .seconds(100))
        let token = try await user.getIDTokenResult(forcingRefresh: true)
        XCTAssertEqual(token.issuedAtDate.timeIntervalSince(token.authDate), 100, "after the sign-in")
        XCTAssertEqual(try copy(token).issuedAtDate, token.issuedAtDate, "when the archived token was issued")
        XCTAssertEqual(try copy(token).authDate, token.authDate, "when the person of the archived token signed in")
    }

    func testAPersonsDatesAreKeptApart() async throws {
        _ = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        world.clock.advance(by: .seconds(100.25))
        let back = try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse")
        let metadata = back.user.metadata
        XCTAssertNotEqual(metadata.creationDate, metadata.lastSignInDate, "the dates of a person who came back")
        XCTAssertEqual(try copy(metadata).creationDate, metadata.creationDate, "when the account was made")
        XCTAssertEqual(try copy(metadata).lastSignInDate, metadata.lastSignInDate, "the last sign-in")
    }
}
