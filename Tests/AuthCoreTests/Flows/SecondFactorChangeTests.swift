@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Where a factor is owed for a join, a link or a re-authentication, it comes first and the change after it.
final class SecondFactorChangeTests: SecondFactorTestCase {
    func testAJoinWaitsForTheFactor() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await challenge { try await auth.signIn(with: google()) }
        let before = try await providers(ann)
        XCTAssertEqual(before, [.password])
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.provider, .google)
        XCTAssertEqual(result.additionalUserInfo?.provider, .google)
        let after = try await providers(ann)
        XCTAssertEqual(after, [.password, .google])
    }

    func testAStripWaitsForTheFactorToo() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        try await ann.updateEmail(to: "ben@example.com")
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await challenge { try await auth.signIn(with: google(.ben)) }
        try await ann.reload()
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertEqual(result.user.providerData.map(\.provider), [.google])
        XCTAssertEqual(result.user.multiFactor.enrolledFactors.count, 1)
        try await refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testEveryLinkWaitsForTheFactorInASessionThatShowedNone() async throws {
        let auth = seat("tablet")
        let ann = try await signUpProvenAnn()
        let other = try await auth.signIn(with: Self.annsPassword).user
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let challenge = try await challenge { try await other.link(with: google()) }
        let before = try await providers(ann)
        XCTAssertEqual(before, [.password])
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertTrue(result.user === other, "the person in the seat is who they were")
        XCTAssertEqual(other.providerData.map(\.provider), [.password, .google])
        XCTAssertEqual(other.session.factor?.kind, .totp)
        try await other.link(with: facebook())
    }

    func testALinkedPasswordOrMailboxWaitsForTheFactor() async throws {
        let credentials: [(String, (Auth) async throws -> AuthCredential)] = [
            ("password", { _ in Self.annsPassword }),
            ("mailbox", { try await self.mailedLink(to: "ann@example.com", from: $0) }),
        ]
        for (name, credential) in credentials {
            let auth = seat(name)
            let ann = try await seat("first").signIn(with: google()).user
            let other = try await auth.signIn(with: google()).user
            let enrollment = try await enrollTOTP(ann)
            clock.advance(by: 60)
            let credential = try await credential(auth)
            let challenge = try await challenge { try await other.link(with: credential) }
            try await auth.resolve(challenge, with: .totp(totp(enrollment)))
            XCTAssertEqual(other.providerData.map(\.provider), [.google, .password], name)
            try await service.deleteAccount(ann.account.id)
        }
    }

    func testANumberIsNotLinkedToAnAccountWithFactors() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await enrollTOTP(ann)
        let credential = try await digits(to: number, from: auth)
        try await refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) { try await ann.link(with: credential) }
    }

    func testReauthenticatingAsksForTheFactorAndRenewsTheSameSession() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        let enrollment = try await enrollTOTP(ann)
        let session = ann.session.id
        clock.advance(by: 60)
        let challenge = try await challenge { try await ann.reauthenticate(with: Self.annsPassword) }
        XCTAssertNotEqual(ann.session.authenticatedAt, clock.timestamp)
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertTrue(result.user === ann)
        XCTAssertEqual(ann.session.id, session)
        XCTAssertEqual(ann.session.authenticatedAt, clock.timestamp)
    }

    func testAConflictIsResolvedWithTheFactorAndNotBefore() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        let auth = seat("tablet")
        let met = try await refusal(.accountExistsWithDifferentCredential) { try await auth.signIn(with: gitHub()) }
        let conflict = try XCTUnwrap(met.conflict)
        clock.advance(by: 60)
        let challenge = try await challenge { try await auth.resolve(conflict, signingInWith: Self.annsPassword) }
        try await refusal(.invalidVerificationCode) { try await auth.resolve(challenge, with: .totp("000000")) }
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password, .gitHub])
        try await refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await auth.signIn(with: conflict.credential)
        }
    }

    func testRemovingAFactorEndsTheAnswersThatRestOnIt() async throws {
        let ann = try await signUpProvenAnn()
        let phone = try await enrollPhone(ann)
        try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let answer = try await phoneAnswer(challenge, from: auth)
        try await ann.multiFactor.unenroll(phone)
        let error = try await refusal(.multiFactorInfoNotFound) { try await auth.resolve(challenge, with: answer) }
        XCTAssertNil(error.secondFactor)
    }
}
