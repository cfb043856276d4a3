@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// S31: which devices an account knows.
final class KnownDeviceTests: LimitedTestCase {
    private var world = World(.standard)

    /// Whether strangers who use up the free passwords leave this device its own.
    private func isKnown(_ device: DeviceID, _ password: String = World.password) async throws -> Bool {
        _ = await outcomes(of: 30) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
        let client = world.service.client(for: device, origin: .local)
        let credential = AuthCredential.password(email: "ann@example.com", password: password)
        let outcome = await outcome { try await client.signIn(with: credential) }
        world.clock.advance(by: .seconds(86_400))
        return outcome == nil || outcome == .secondFactorRequired
    }

    func testS31_ADeviceIsKnownOnceASignInIsCompleteAndGetsANewSecretThen() async throws {
        try await world.signUpVerifiedAnn()
        let before = world.stranger()
        let result = try await before.signIn(with: World.annsPassword)
        XCTAssertNotEqual(result.device, before.device, "a device that becomes known gets a new secret")
        let known = try await isKnown(result.device)
        XCTAssertTrue(known, "a device that signed in is not known")
        let again = try await world.service.client(for: result.device, origin: .local).signIn(with: World.annsPassword)
        XCTAssertEqual(again.device, result.device, "a known device keeps its secret")
        try await world.enrollTOTP(again.user.reauthenticate(with: World.annsPassword).user)
        let owing = world.stranger(1)
        _ = try await world.challenge { try await owing.signIn(with: World.annsPassword) }
        let half = try await isKnown(owing.device)
        XCTAssertFalse(half, "a sign-in that owes a factor made the device known")
    }

    /// An account knows ten devices, of which one that signs up is one.
    func testS31_ADeviceThatSignsUpTakesOnePlace() async throws {
        for conceals in [false, true] {
            var world = World(.standard)
            world.policy.concealsSignUp = conceals
            let user = try await world.device().signUp(email: "ann@example.com", password: World.password).user
            let account = try await world.account(user)
            XCTAssertEqual(account.knownDevices.count, 1, "concealed: \(conceals)")
            let guest = try await world.device("tablet").signInAnonymously().user
            try await guest.link(with: .password(email: "ben@example.com", password: World.password))
            let linked = try await world.account(guest)
            XCTAssertEqual(linked.knownDevices.count, 1, "linked, concealed: \(conceals)")
        }
    }

    func testASignInByAKnownIdentityMakesItsDeviceKnownToo() async throws {
        let ann = try await world.device("phone").signIn(with: world.google()).user
        try await world.device("tablet").signIn(with: world.google())
        let account = try await world.account(ann)
        XCTAssertEqual(account.knownDevices.count, 2, "the phone and the tablet")
    }

    func testS31_ADeviceThatWasPlantedBeforeTheSignInIsNotKnown() async throws {
        try await world.signUpVerifiedAnn()
        let planted = world.stranger().device
        _ = try await world.service.client(for: planted, origin: .local).signIn(with: World.annsPassword)
        let known = try await isKnown(planted)
        XCTAssertFalse(known, "whoever planted the device in the browser knows its secret")
    }

    func testS31_APlantedGuestsDeviceIsNotKnownAfterTheUpgrade() async throws {
        let planted = world.stranger().device
        let victim = try await world.service.client(for: planted, origin: .local).signInAnonymously()
        let linked = try await victim.user.link(with: World.annsPassword)
        XCTAssertNotEqual(linked.device, planted)
        let isDeviceKnown = try await isKnown(linked.device)
        XCTAssertTrue(isDeviceKnown, "a guest who got a method is not known")
        let isPlantedKnown = try await isKnown(planted)
        XCTAssertFalse(isPlantedKnown, "a planted device became known")
    }

    func testS31_OnADeviceOfSeveralPeopleEachAccountKnowsIt() async throws {
        try await world.signUpVerifiedAnn()
        try await world.signUp("ben@example.com")
        let first = try await world.stranger().signIn(with: World.annsPassword).device
        let ben = AuthCredential.password(email: "ben@example.com", password: World.password)
        let second = try await world.service.client(for: first, origin: .local).signIn(with: ben).device
        XCTAssertNotEqual(first, second)
        let known = try await isKnown(second)
        XCTAssertTrue(known, "the secret by which an account knows the device was lost")
    }

    func testS31_AnAccountKnowsTenDevices() async throws {
        try await world.signUpVerifiedAnn()
        var devices: [DeviceID] = []
        for index in 0..<11 {
            devices.append(try await world.stranger(index).signIn(with: World.annsPassword).device)
        }
        let oldest = try await isKnown(devices[0])
        XCTAssertFalse(oldest, "an eleventh device was remembered")
        let newest = try await isKnown(devices[10])
        XCTAssertTrue(newest, "the newest device was forgotten")
    }

    func testS31_AResetForgetsAllOtherDevices() async throws {
        try await world.signUpVerifiedAnn()
        let thief = try await world.stranger().signIn(with: World.annsPassword).device
        let client = world.stranger(1)
        try await client.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        let report = try await client.confirmPasswordReset(code: code, newPassword: "battery staple")
        let isThiefKnown = try await isKnown(thief, "battery staple")
        XCTAssertFalse(isThiefKnown, "a reset left a device known")
        let device = try XCTUnwrap(report.device)
        let isOwnKnown = try await isKnown(device, "battery staple")
        XCTAssertTrue(isOwnKnown, "the device of the reset is not known")
    }

    /// Who reads the mailbox may be another person than the one who has the factor.
    func testAResetLeavesADeviceKnownToTheFactorIfTheFactorWasPresentedThere() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let owner = world.stranger()
        let challenge = try await world.challenge { try await owner.signIn(with: World.annsPassword) }
        let device = try await owner.resolve(challenge, with: .totp(world.totp(enrollment))).device
        let own = world.service.client(for: device, origin: .local)
        for (client, isKnown) in [(own, true), (world.stranger(1), false)] {
            try await client.sendPasswordReset(to: "ann@example.com")
            let code = try world.code(.resetPassword, to: "ann@example.com")
            let report = try await client.confirmPasswordReset(code: code, newPassword: "battery staple")
            let after = try await world.account(ann)
            let now = report.device ?? client.device
            XCTAssertEqual(after.key(of: now) != nil, isKnown, "the factor was presented there: \(isKnown)")
            XCTAssertNotNil(after.keyForPasswords(of: now), "the factor was presented there: \(isKnown)")
        }
    }

    func testS31_AReportOfAnUnauthorizedChangeForgetsAllOtherDevices() async throws {
        try await world.signUpVerifiedAnn()
        let thief = try await world.device("thief").signIn(with: World.annsPassword).user
        try await thief.link(with: world.gitHub())
        let notice = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .methodAdded)?.code)
        try await world.stranger(1).reportUnauthorizedChange(code: notice)
        let isThiefKnown = try await isKnown(thief.device)
        XCTAssertFalse(isThiefKnown, "a report left a device known")
    }

    func testS31_ARecoveryFromLostFactorsForgetsAllOtherDevices() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let thief = try await world.stranger().signIn(with: World.annsPassword).device
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let auth = world.device("new phone")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: World.annsPassword)
        XCTAssertEqual(answer, .removed)
        let isThiefKnown = try await isKnown(thief)
        XCTAssertFalse(isThiefKnown, "a recovery left a device known")
    }

    func testS31_AnAdoptionForgetsAllOtherDevices() async throws {
        let squatter = try await world.stranger().signUp(email: "ann@example.com", password: World.password).device
        let owner = try await world.stranger(1).signIn(with: world.google(.ann, world.work)).user
        try await owner.link(with: World.annsPassword)
        let isSquatterKnown = try await isKnown(squatter)
        XCTAssertFalse(isSquatterKnown, "an adoption left a device known")
        let isOwnerKnown = try await isKnown(owner.device)
        XCTAssertTrue(isOwnerKnown, "the device of the adoption is not known")
    }

    func testS31_AnAppKeepsItsDeviceThroughSignOutAndRelaunch() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let persistence = try FileUserPersistence(path: directory.path(), key: Array(0..<32))
        let auth = Auth(service: world.service, persistence: persistence)
        try await auth.signUp(email: "ann@example.com", password: World.password)
        let device = auth.device
        try await auth.signOut()
        let relaunched = Auth(service: world.service, persistence: persistence)
        let user = try await relaunched.restore()
        XCTAssertNil(user)
        XCTAssertEqual(relaunched.device, device, "the device was lost with the session")
        let known = try await isKnown(relaunched.device)
        XCTAssertTrue(known)
    }

    func testS31_WhatBeganBeforeTheDeviceBecameKnownIsFinishedAfterIt() async throws {
        try await world.signUpVerifiedAnn()
        let client = world.stranger()
        let conflict = try await world.conflict { try await client.signIn(with: world.facebook()) }
        let planted = client.device
        let ann = try await client.signIn(with: World.annsPassword).user
        // A later thing of whoever has the former secret is of another device.
        let later = world.service.client(for: planted, origin: .local)
        world.clock.advance(by: .seconds(1))
        let claim = SimulatedToken(email: .text("ann@example.com"))
        let facebook = world.credential(.facebook, .ben, saying: claim)
        let theirs = try await world.conflict { try await later.signIn(with: facebook) }
        await assertThrows(.deviceMismatch) { try await ann.link(with: .pending(theirs.pending)) }
        try await ann.link(with: .pending(conflict.pending))
    }

    func testS31_OnlyTextsOfTheServiceAreDevices() throws {
        let device = world.stranger().device
        XCTAssertEqual(DeviceID(rawValue: device.rawValue), device)
        for text in ["", "phone", ".", device.rawValue + ".", device.rawValue + "." + device.rawValue, "a b"] {
            XCTAssertNil(DeviceID(rawValue: text), text)
        }
        XCTAssertFalse("\(device)".contains(device.rawValue.prefix(8)), "a description shows the secret")
        XCTAssertEqual(Mirror(reflecting: device).children.count, 0)
    }
}
