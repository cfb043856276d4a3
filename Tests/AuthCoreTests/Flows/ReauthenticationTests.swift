@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ReauthenticationTests: FlowTestCase {
    func testTheOwnCredentialRenewsTheProofOfTheSession() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: google())
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        let credentials: [(MethodKind, () async throws -> AuthCredential)] = [
            (.password, { Self.annsPassword }),
            (.federated, { self.google() }),
            (.phone, { try await self.digits(to: "+15550001234", from: auth) }),
        ]
        for (kind, credential) in credentials {
            clock.advance(by: 60)
            let session = ann.session.id
            let credential = try await credential()
            let result = try await ann.reauthenticate(with: credential)
            XCTAssertTrue(result.user === ann)
            XCTAssertFalse(result.isNewUser)
            XCTAssertEqual(ann.session.id, session, "\(kind)")
            XCTAssertEqual(ann.session.authenticatedAt, clock.timestamp, "\(kind)")
            XCTAssertEqual(ann.session.basis.kind, kind)
            XCTAssertEqual(ann.metadata.lastSignInDate, clock.now)
        }
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds.suffix(3), [.reauthenticated, .reauthenticated, .reauthenticated])
    }

    func testAMailedLinkReauthenticatesTheAccountOfItsMailbox() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth)).user
        clock.advance(by: 60)
        try await ann.reauthenticate(with: mailedLink(to: "ann@example.com", from: auth))
        XCTAssertEqual(ann.session.authenticatedAt, clock.timestamp)
        let link = try await mailedLink(to: "ben@example.com", from: auth)
        try await refusal(.userMismatch) { try await ann.reauthenticate(with: link) }
    }

    func testAnotherPersonsCredentialIsAMismatch() async throws {
        let tablet = seat("tablet")
        let ben = try await tablet.signUp(email: "ben@example.com", password: "battery staple").user
        try await ben.link(with: google(.ben))
        try await ben.link(with: digits(to: "+15550009999", from: tablet))
        let auth = seat()
        let ann = try await signUpAnn(auth)
        let bensNumber = try await digits(to: "+15550009999", from: auth)
        let mismatches: [(String, AuthCredential)] = [
            ("password", .password(email: "ben@example.com", password: "battery staple")),
            ("wrong password of another", .password(email: "ben@example.com", password: "wrong")),
            ("google", google(.ben)), ("phone", bensNumber), ("nothing", .anonymous),
        ]
        for (name, credential) in mismatches {
            try await refusal(.userMismatch, .credentialIsOfAnother, name) {
                try await ann.reauthenticate(with: credential)
            }
        }
        XCTAssertTrue(auth.currentUser === ann)
    }

    func testACredentialOfNobodyIsAMismatchAndMakesNoAccount() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        let number = try await digits(to: "+15550009999", from: auth)
        let nobodys = [google(.ben), google(), number, .password(email: "ben@example.com", password: "x")]
        for credential in nobodys {
            try await refusal(.userMismatch) { try await ann.reauthenticate(with: credential) }
        }
        let count = try await service.accounts().count
        XCTAssertEqual(count, 1)
    }

    func testTheOwnPasswordHasToBeRight() async throws {
        let ann = try await signUpAnn()
        try await refusal(.wrongPassword, .passwordDiffers) {
            try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "wrong"))
        }
        let ben = try await seat("tablet").signIn(with: google(.ben)).user
        try await refusal(.wrongPassword, .accountHasNoPassword) {
            try await ben.reauthenticate(with: .password(email: "ben@example.com", password: "any"))
        }
    }

    func testASessionThatIsOverCannotBeRenewed() async throws {
        let ann = try await signUpAnn()
        try await service.revokeSessions(of: ann.account.id)
        try await refusal(.userTokenExpired, .sessionIsOver) { try await ann.reauthenticate(with: Self.annsPassword) }
    }
}
