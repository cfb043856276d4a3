@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ConflictResolutionTests: LimitedTestCase {
    private let password = AuthCredential.password(email: "ann@example.com", password: "correct horse")

    private func conflict(of world: World, in device: Auth) async throws -> Conflict {
        let error = await authError { try await device.signIn(with: world.credential(.gitHub)) }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
        return try XCTUnwrap(error?.conflict)
    }

    func testSigningInWithTheExistingMethodLinksThePendingIdentityInOneStep() async throws {
        let world = World()
        let device = world.device()
        let uid = try await world.verifiedUser(in: device).uid
        let conflict = try await conflict(of: world, in: device)
        XCTAssertEqual(conflict.provider, .gitHub)
        XCTAssertEqual(conflict.email, "ann@example.com")
        XCTAssertEqual(conflict.existingProviders, [.password])
        let result = try await device.resolve(conflict, signingInWith: password)
        XCTAssertEqual(result.user.uid, uid)
        XCTAssertEqual(result.user.session.deviceName, "phone", "the device in the list of sessions")
        XCTAssertEqual(Set(result.user.providerData.map(\.provider)), [.password, .gitHub])
        XCTAssertEqual(result.provider, .gitHub)
        XCTAssertEqual(result.additionalUserInfo?.provider, .gitHub)
        XCTAssertIdentical(device.currentUser, result.user)
        try await result.user.reload()
        let again = try await device.signIn(with: world.credential(.gitHub))
        XCTAssertEqual(again.user.uid, uid)
    }

    /// A session that rests on what met the conflict is as old as that; one that rests on an answer to it is new.
    func testALoginFromAConflictCountsFromWhenWhatItRestsOnWasVerified() async throws {
        let world = World()
        let device = world.device()
        _ = try await world.verifiedUser(in: device)
        let first = try await conflict(of: world, in: world.device("tablet"))
        world.clock.advance(by: .seconds(240))
        let answered = try await world.device("tablet").resolve(first, signingInWith: password)
        XCTAssertEqual(answered.user.session.authenticatedAt, world.clock.timestamp)
    }

    func testALinkThatMetAConflictAndAnswersAnotherCountsFromWhenItWasVerified() async throws {
        let world = World(.standard)
        try await world.signUpAnn().link(with: world.gitHub(.ann))
        let mail = world.device("mail")
        let first = try await world.conflict {
            try await mail.signIn(with: world.mailedLink(to: "ann@example.com", from: mail))
        }
        let met = world.clock.timestamp
        world.clock.advance(by: .seconds(240))
        let second = try await world.conflict { try await mail.signIn(with: world.facebook()) }
        let answered = try await mail.resolve(second, signingInWith: first.credential).user
        XCTAssertEqual(answered.session.authenticatedAt, met, "since when the person counts as present")
    }

    func testASeparateAccountIsSignedInToSinceItsIdentityWasVerified() async throws {
        let world = World(.standard)
        let number = "+4915112345678"
        let device = world.device()
        let owner = try await device.signIn(with: world.digits(to: number, from: device)).user
        try await owner.link(with: world.google())
        world.clock.advance(by: .seconds(86_400 * 100))
        let tablet = world.device("tablet")
        let error = await authError { try await tablet.signIn(with: world.digits(to: number, from: tablet)) }
        let conflict = try XCTUnwrap(error?.conflict, "\(String(describing: error))")
        let met = world.clock.timestamp
        world.clock.advance(by: .seconds(240))
        let separate = try await tablet.createSeparateAccount(from: conflict).user
        XCTAssertEqual(separate.session.authenticatedAt, met)
    }

    func testIfTheLinkIsRefusedNobodyIsSignedIn() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let other = world.device("other")
        let conflict = try await conflict(of: world, in: other)
        // Meanwhile the account got another GitHub identity, so the pending one has no place.
        try await user.link(with: world.credential(.gitHub, .ben, saying: SimulatedToken(email: .absent)))
        let sessions = try await user.sessions().count
        await assertThrows(.providerAlreadyLinked) { try await other.resolve(conflict, signingInWith: password) }
        XCTAssertNil(other.currentUser)
        let after = try await user.sessions().count
        XCTAssertEqual(after, sessions)
    }

    func testAConflictIsBoundToItsDeviceAndAccountAndTime() async throws {
        let world = World()
        let device = world.device()
        _ = try await world.verifiedUser(in: device)
        _ = try await world.verifiedUser("ben@example.com", in: world.device("ben"))
        let conflict = try await conflict(of: world, in: device)
        await assertThrows(.deviceMismatch) {
            try await world.device("elsewhere").resolve(conflict, signingInWith: password)
        }
        await assertThrows(.userMismatch) {
            try await device.resolve(
                conflict,
                signingInWith: .password(email: "ben@example.com", password: "correct horse")
            )
        }
        world.clock.advance(by: .seconds(600))
        await assertThrows(.invalidCredential) { try await device.resolve(conflict, signingInWith: password) }
    }

    func testAConflictWorksOnce() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let conflict = try await conflict(of: world, in: device)
        try await device.resolve(conflict, signingInWith: password)
        try await user.unlink(.gitHub)
        await assertThrows(.invalidCredential) { try await device.resolve(conflict, signingInWith: password) }
    }

    func testASecondFactorComesFirstAndCarriesTheLinkAlong() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let enrollment = try await user.multiFactor.sendPhoneCode(to: "+15555550100")
        try await user.multiFactor.enroll(phoneVerificationID: enrollment, code: world.newestCode)
        let fresh = world.device("fresh")
        let conflict = try await conflict(of: world, in: fresh)
        let owed = await authError { try await fresh.resolve(conflict, signingInWith: password) }
        XCTAssertEqual(owed?.code, .secondFactorRequired)
        let challenge = try XCTUnwrap(owed?.secondFactor)
        let unchanged = try await world.service.account(user.account.id)
        XCTAssertEqual(unchanged.providerData.map(\.provider), [.password])
        let id = try await fresh.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let code = SecondFactor.Assertion.phone(verificationID: id, code: world.newestCode)
        let result = try await fresh.resolve(challenge, with: code)
        XCTAssertEqual(result.provider, .gitHub, "what was linked")
        XCTAssertEqual(result.additionalUserInfo?.provider, .gitHub, "who said something of the person")
        XCTAssertEqual(Set(result.user.providerData.map(\.provider)), [.password, .gitHub])
        XCTAssertEqual(result.user.session.factor?.kind, .phone)
    }
}
