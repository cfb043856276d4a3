@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ReauthenticationTests: LimitedTestCase {
    private let world = World(.firebase)

    /// The account has an older method, which the session did not show.
    func testAMailedLinkKeepsTheMethodOfASessionThatIsYoungerThanTheMailbox() async throws {
        let world = World(.standard)
        let ann = try await world.device().signIn(with: world.gitHub()).user
        try await ann.link(with: World.annsPassword)
        world.clock.advance(by: .seconds(60))
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.facebook(.ben))
        let tablet = world.device("tablet")
        let user = try await tablet.signIn(with: world.facebook(.ben)).user
        try await user.reauthenticate(with: try await world.mailedLink(to: "ann@example.com", from: tablet))
        XCTAssertEqual(user.session.basis.provider, .facebook, "what the session rests on")
    }

    func testTheOwnCredentialRenewsTheProofOfTheSession() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.google())
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        let credentials: [(MethodKind, () async throws -> AuthCredential)] = [
            (.password, { World.annsPassword }),
            (.federated, { self.world.google() }),
            (.phone, { try await self.world.digits(to: "+15550001234", from: auth) }),
        ]
        for (kind, credential) in credentials {
            world.clock.advance(by: .seconds(60))
            let session = ann.session.id
            let credential = try await credential()
            let result = try await ann.reauthenticate(with: credential)
            XCTAssertTrue(result.user === ann)
            XCTAssertFalse(result.isNewUser)
            XCTAssertEqual(ann.session.id, session, "\(kind)")
            XCTAssertEqual(ann.session.authenticatedAt, world.clock.timestamp, "\(kind)")
            XCTAssertEqual(ann.session.basis.kind, kind)
            XCTAssertEqual(ann.metadata.lastSignInDate, world.clock.now)
        }
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.suffix(3), [.reauthenticated, .reauthenticated, .reauthenticated])
    }

    func testAMailedLinkReauthenticatesTheAccountOfItsMailbox() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        world.clock.advance(by: .seconds(60))
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertEqual(ann.session.authenticatedAt, world.clock.timestamp)
        let link = try await world.mailedLink(to: "ben@example.com", from: auth)
        try await world.refusal(.userMismatch) { try await ann.reauthenticate(with: link) }
    }

    func testAnotherPersonsCredentialIsAMismatch() async throws {
        let tablet = world.device("tablet")
        let ben = try await tablet.signUp(email: "ben@example.com", password: "battery staple").user
        try await ben.link(with: world.google(.ben))
        try await ben.link(with: world.digits(to: "+15550009999", from: tablet))
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        let bensNumber = try await world.digits(to: "+15550009999", from: auth)
        let before = try await world.service.accounts()
        let mismatches: [(String, AuthCredential)] = [
            ("password", .password(email: "ben@example.com", password: "battery staple")),
            ("wrong password of another", .password(email: "ben@example.com", password: "wrong")),
            ("google", world.google(.ben)), ("phone", bensNumber), ("nothing", .anonymous),
        ]
        for (name, credential) in mismatches {
            try await world.refusal(.userMismatch, .credentialIsOfAnother, name) {
                try await ann.reauthenticate(with: credential)
            }
        }
        XCTAssertTrue(auth.currentUser === ann)
        let after = try await world.service.accounts()
        XCTAssertEqual(after, before, "the accounts after credentials of another person")
    }

    func testACredentialOfNobodyIsAMismatchAndMakesNoAccount() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        let number = try await world.digits(to: "+15550009999", from: auth)
        let nobodys = [world.google(.ben), world.google(), number, .password(email: "ben@example.com", password: "x")]
        for credential in nobodys {
            try await world.refusal(.userMismatch) { try await ann.reauthenticate(with: credential) }
        }
        let count = try await world.service.accounts().count
        XCTAssertEqual(count, 1)
    }

    func testTheOwnPasswordHasToBeRight() async throws {
        let ann = try await world.signUpAnn()
        try await world.refusal(.wrongPassword, .passwordDiffers) {
            try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "wrong"))
        }
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        try await world.refusal(.wrongPassword, .accountHasNoPassword) {
            try await ben.reauthenticate(with: .password(email: "ben@example.com", password: "any"))
        }
    }

    func testASessionThatIsOverCannotBeRenewed() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.revokeSessions(of: ann.account.id)
        try await world.refusal(.userTokenExpired, .sessionIsOver) {
            try await ann.reauthenticate(with: World.annsPassword)
        }
    }

    func testAMailedLinkThatVerifiesTheAddressForTheFirstTimeIsReportedAsThat() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(ann.isEmailVerified)
        let events = try await world.service.events(limit: .max).events
        let verified = try XCTUnwrap(events.first { $0.kind == .emailVerified })
        XCTAssertEqual(verified.evidence.map(\.source), [.mailboxCode])
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.count { $0 == .emailVerified }, 1)
    }
}
