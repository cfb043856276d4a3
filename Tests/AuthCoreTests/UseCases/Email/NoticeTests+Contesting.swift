@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// What "not me" does.
extension NoticeTests {
    func testAnAddedMethodIsSuspendedAndEverySessionEnds() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        _ = try await ann.link(with: world.credential(.gitHub, .eve))
        let code = try code(.methodAdded, world)
        let action = try await device.checkActionCode(code)
        XCTAssertEqual(action.kind, .changeReport)
        XCTAssertEqual(action.addedMethods.map(\.provider), [.gitHub])
        let link = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .methodAdded)?.link)
        try await world.device("mail").reportUnauthorizedChange(code: link)

        let account = try await world.service.account(ann.account.id)
        XCTAssertEqual(account.methods.map(\.isActive), [true, false])
        XCTAssertEqual(account.methods.last?.suspension?.reason, .ownerReportsChange)
        let over = await error { try await ann.reload() }
        XCTAssertEqual(over?.code, .userTokenExpired)
        let eve = await error { try await world.device("eve").signIn(with: world.credential(.gitHub, .eve)) }
        XCTAssertEqual(eve?.reasons.last, .methodIsSuspended)
        let events = try await world.service.events(limit: .max).events.suffix(2)
        XCTAssertEqual(events.map(\.kind), [.methodsChanged, .sessionsRevoked])
        XCTAssertEqual(events.map(\.actor), [.unauthenticated, .unauthenticated])
        XCTAssertEqual(events.map(\.reasons), [[.ownerReportsChange], [.ownerReportsChange]])

        let twice = await error { try await device.reportUnauthorizedChange(code: code) }
        XCTAssertEqual(twice?.reasons.last, .codeIsUnknown)
        let back = try await device.signIn(with: Self.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
        _ = try await back.link(with: world.credential(.gitHub, .eve))
        XCTAssertTrue(back.account.methods.allSatisfy(\.isActive))
    }

    func testARemovalStaysAndTheSessionsEnd() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        _ = try await ann.link(with: world.credential(.gitHub))
        _ = try await ann.unlink(.gitHub)
        let before = try await world.service.account(ann.account.id).methodSummaries
        try await device.reportUnauthorizedChange(code: try code(.methodRemoved, world))
        let after = try await world.service.account(ann.account.id).methodSummaries
        XCTAssertEqual(before, after)
        let over = await error { try await ann.reload() }
        XCTAssertEqual(over?.code, .userTokenExpired)
    }

    func testAContestedPasswordIsReplacedThroughTheMailbox() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        try await ann.updatePassword(to: "password of a thief")
        try await device.reportUnauthorizedChange(code: try code(.methodReplaced, world))
        let thief = AuthCredential.password(email: "ann@example.com", password: "password of a thief")
        let refused = await error { try await world.device("thief").signIn(with: thief) }
        XCTAssertEqual(refused?.code, .invalidCredential)
        try await device.sendPasswordReset(to: "ann@example.com")
        try await device.confirmPasswordReset(
            code: try code(.resetPassword, world),
            newPassword: "battery staple"
        )
        let back = try await device.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testAContestedFactorIsAskedForNoMore() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        let asked = await error { try await world.device("desk").signIn(with: Self.annsPassword) }
        XCTAssertEqual(asked?.code, .secondFactorRequired)
        try await device.reportUnauthorizedChange(code: try code(.factorAdded, world))
        let back = try await world.device("desk").signIn(with: Self.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testTheLastMethodIsNotSuspendedWhereNoMailCouldReplaceIt() async throws {
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.password, .emailLink]
        let world = World(policy)
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await world.device().signIn(with: world.credential(.google, person)).user
        try await ann.replace(.google, with: world.credential(.google, .eve.with(email: "ann@gmail.com")))
        try await world.device().reportUnauthorizedChange(code: try code(.methodReplaced, world, to: "ann@gmail.com"))
        let account = try await world.service.account(ann.account.id)
        XCTAssertTrue(account.methods.allSatisfy(\.isActive))
        let event = try await world.service.events(limit: .max).events.last
        XCTAssertEqual(event?.reasons, [.ownerReportsChange, .methodIsTheLast])
    }

    func testCodesOfNoticesAndOtherCodesDoNotStandInForEachOther() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        try await ann.sendEmailVerification()
        let verification = world.newestCode
        _ = try await ann.link(with: world.credential(.gitHub))
        let notice = try code(.methodAdded, world)
        for act in [
            { try await device.reportUnauthorizedChange(code: verification) },
            { try await device.applyActionCode(notice) },
            { try await device.confirmPasswordReset(code: notice, newPassword: "battery staple") },
        ] {
            let refused = await error(act)
            XCTAssertEqual(refused?.reasons.last, .codeIsForSomethingElse)
        }
        world.clock.advance(by: .seconds(14 * 86400))
        let late = await error { try await device.reportUnauthorizedChange(code: notice) }
        XCTAssertEqual(late?.code, .expiredActionCode)
        try await world.service.deleteAccount(ann.account.id)
        let gone = await error { try await device.reportUnauthorizedChange(code: notice) }
        XCTAssertEqual(gone?.reasons.last, .codeIsUnknown)
    }
}
