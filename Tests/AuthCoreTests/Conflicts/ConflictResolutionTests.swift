@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ConflictResolutionTests: XCTestCase {
    private let password = AuthCredential.password(email: "ann@example.com", password: "correct horse")

    private func conflict(of world: World, in seat: Auth) async throws -> Conflict {
        let error = await authError { try await seat.signIn(with: world.credential(.gitHub)) }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
        return try XCTUnwrap(error?.conflict)
    }

    func testSigningInWithTheExistingMethodLinksThePendingIdentityInOneStep() async throws {
        let world = World()
        let seat = world.seat()
        let uid = try await world.provenUser(in: seat).uid
        let conflict = try await conflict(of: world, in: seat)
        XCTAssertEqual(conflict.provider, .gitHub)
        XCTAssertEqual(conflict.email, "ann@example.com")
        XCTAssertEqual(conflict.existingProviders, [.password])
        let before = try await world.service.sweep(limit: 0)
        XCTAssertEqual(before.sessions, 0)
        let result = try await seat.resolve(conflict, signingInWith: password)
        XCTAssertEqual(result.user.uid, uid)
        XCTAssertEqual(Set(result.user.providerData.map(\.provider)), [.password, .gitHub])
        XCTAssertEqual(result.provider, .gitHub)
        XCTAssertEqual(result.additionalUserInfo?.provider, .gitHub)
        XCTAssertIdentical(seat.currentUser, result.user)
        try await result.user.reload()
        let again = try await seat.signIn(with: world.credential(.gitHub))
        XCTAssertEqual(again.user.uid, uid)
    }

    func testIfTheLinkIsRefusedNobodyIsSignedIn() async throws {
        let world = World()
        let seat = world.seat()
        let user = try await world.provenUser(in: seat)
        let other = world.seat("other")
        let conflict = try await conflict(of: world, in: other)
        // Meanwhile the account got another GitHub identity, so the pending one has no place.
        try await user.link(with: world.credential(.gitHub, .ben, saying: SimulatedToken(email: .absent)))
        let sessions = try await user.sessions().count
        await assertThrows(.providerAlreadyLinked) { try await other.resolve(conflict, signingInWith: password) }
        XCTAssertNil(other.currentUser)
        let after = try await user.sessions().count
        XCTAssertEqual(after, sessions)
    }

    func testAWrongPasswordResolvesNothingAndTheConflictStaysUsable() async throws {
        let world = World()
        let seat = world.seat()
        _ = try await world.provenUser(in: seat)
        let conflict = try await conflict(of: world, in: seat)
        await assertThrows(.wrongPassword) {
            try await seat.resolve(conflict, signingInWith: .password(email: "ann@example.com", password: "wrong one"))
        }
        try await seat.resolve(conflict, signingInWith: password)
    }

    func testAConflictIsBoundToItsSeatAndAccountAndTime() async throws {
        let world = World()
        let seat = world.seat()
        _ = try await world.provenUser(in: seat)
        _ = try await world.provenUser("ben@example.com", in: world.seat("ben"))
        let conflict = try await conflict(of: world, in: seat)
        await assertThrows(.seatMismatch) {
            try await world.seat("elsewhere").resolve(conflict, signingInWith: password)
        }
        await assertThrows(.userMismatch) {
            try await seat.resolve(
                conflict,
                signingInWith: .password(email: "ben@example.com", password: "correct horse")
            )
        }
        world.clock.advance(by: 600)
        await assertThrows(.invalidCredential) { try await seat.resolve(conflict, signingInWith: password) }
    }

    func testAConflictWorksOnce() async throws {
        let world = World()
        let seat = world.seat()
        let user = try await world.provenUser(in: seat)
        let conflict = try await conflict(of: world, in: seat)
        try await seat.resolve(conflict, signingInWith: password)
        try await user.unlink(.gitHub)
        await assertThrows(.invalidCredential) { try await seat.resolve(conflict, signingInWith: password) }
    }

    func testASecondFactorComesFirstAndCarriesTheLinkAlong() async throws {
        let world = World()
        let seat = world.seat()
        let user = try await world.provenUser(in: seat)
        let enrolment = try await user.multiFactor.sendCode(to: "+15555550100")
        try await user.multiFactor.enroll(phoneVerificationID: enrolment, code: world.newestCode)
        let fresh = world.seat("fresh")
        let conflict = try await conflict(of: world, in: fresh)
        let owed = await authError { try await fresh.resolve(conflict, signingInWith: password) }
        XCTAssertEqual(owed?.code, .secondFactorRequired)
        let challenge = try XCTUnwrap(owed?.secondFactor)
        let unchanged = try await world.service.account(user.account.id)
        XCTAssertEqual(unchanged.providerData.map(\.provider), [.password])
        let id = try await fresh.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let code = SecondFactorAssertion.phone(verificationID: id, code: world.newestCode)
        let result = try await fresh.resolve(challenge, with: code)
        XCTAssertEqual(Set(result.user.providerData.map(\.provider)), [.password, .gitHub])
        XCTAssertEqual(result.user.session.factor?.kind, .phone)
    }

    func testAConflictSurvivesEncoding() async throws {
        let world = World()
        let seat = world.seat()
        _ = try await world.provenUser(in: seat)
        let conflict = try await conflict(of: world, in: seat)
        let data = try JSONEncoder().encode(conflict)
        let decoded = try JSONDecoder().decode(Conflict.self, from: data)
        XCTAssertEqual(decoded, conflict)
        try await seat.resolve(decoded, signingInWith: password)
    }
}
