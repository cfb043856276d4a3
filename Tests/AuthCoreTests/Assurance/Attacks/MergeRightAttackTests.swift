@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a merge must not do: give a young address or method rights over an owner, or keep an owner out.
final class MergeRightAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testAT38_AnAddressPlantedEightDaysAgoDoesNotContestAMerge() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let ann = try await world.annWithAPlantedIdentity()
            try await world.signIn(.gitHub, .ben)
            world.clock.advance(by: .seconds(8 * day))
            let client = world.service.client(world.context)
            try await client.merge(world.side(.gitHub, .ben), into: world.passwordSide("ann@example.com"))
            let code = try world.code(.methodAdded, to: "eve@gmail.com")
            try await world.device("eve").reportUnauthorizedChange(code: code)
            let after = try await world.account(ann)
            XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [], "with hooks: \(hasHooks)")
        }
    }

    func testAT38_AnAddressPlantedEightDaysAgoDoesNotContestAMove() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        try await world.signUp("ann@example.net", linking: world.gitHub(.ben), in: world.device("other"))
        world.clock.advance(by: .seconds(8 * day))
        try await world.service.client(world.context).move(
            .gitHub,
            from: world.passwordSide("ann@example.net"),
            to: world.passwordSide("ann@example.com")
        )
        let code = try world.code(.methodAdded, to: "eve@gmail.com")
        try await world.device("eve").reportUnauthorizedChange(code: code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [])
    }

    /// The identity is gone, and a younger account has no say in how old the address was.
    func testAnAddressThatAMoveTookAwayEightDaysAfterItWasPlantedEndsNoSessionOfTheOwner() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let what = "with hooks: \(hasHooks)"
            _ = try await world.annWithAPlantedIdentity()
            world.clock.advance(by: .seconds(8 * day))
            try await world.signUp("ann@example.net", in: world.device("other"))
            try await world.service.client(world.context).move(
                .google,
                from: world.passwordSide("ann@example.com"),
                to: world.passwordSide("ann@example.net")
            )
            let ann = try await world.device().signIn(with: World.annsPassword).user
            let code = try world.code(.methodRemoved, to: "eve@gmail.com")
            try await world.refusal(.invalidActionCode, .codeIsOutdated, what) {
                try await world.device("eve").reportUnauthorizedChange(code: code)
            }
            let refusal = await outcome { try await ann.reload() }
            XCTAssertNil(refusal, "the owner was signed out, \(what)")
        }
    }

    /// S25: the notice tells the side that did not carry out the merge which merge it is.
    func testS25_AnOwnerUndoesAMergeByAThiefWithTheCodeOfItsNotice() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.gitHub(.ann))
            world.clock.advance(by: .seconds(30 * day))
            let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
            try await stolen.link(with: world.eveAtGoogle)
            world.clock.advance(by: .seconds(15 * day))
            try await world.signUp("eve@example.net", in: world.device("eve"))
            let eve = try await world.service.client(world.context).merge(
                world.side(world.eveAtGoogle),
                into: world.passwordSide("eve@example.net")
            )
            let action = try await world.device("mail").checkActionCode(
                world.code(.accountMerged, to: "ann@example.com")
            )
            XCTAssertEqual(action.merge, eve.id, "with hooks: \(hasHooks)")
            let undone = try await world.service.client(world.context).undoMerge(
                XCTUnwrap(action.merge),
                verifiedBy: world.side(world.gitHub(.ann))
            )
            XCTAssertEqual(undone.result?.user.uid, ann.uid, "with hooks: \(hasHooks)")
            let methods = try await world.storedProviders(ann)
            XCTAssertTrue(methods.contains(.gitHub), "with hooks: \(hasHooks)")
        }
    }

    /// The owner of the target is told what moved, and not that accounts were merged.
    func testS25_TheNoticesToTheTargetNameTheMergeOrMove() async throws {
        try await world.signUp("ann@example.com", linking: world.gitHub(.ann))
        try await world.signUp("ben@example.com", in: world.device("other"))
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        for (kind, address) in [(Message.Kind.methodAdded, "ben@example.com"), (.methodRemoved, "ann@example.com")] {
            let action = try await client.checkActionCode(world.code(kind, to: address))
            XCTAssertEqual(action.merge, moved.id, "\(kind)")
        }
    }

    func testAT38_AnAddressPlantedEightDaysAgoDoesNotContestAnUndoneMove() async throws {
        let ann = try await world.annWithAPlantedIdentity()
        try await world.device().signIn(with: World.annsPassword).user.link(with: world.gitHub(.ben))
        try await world.signUp("ann@example.net", in: world.device("other"))
        world.clock.advance(by: .seconds(8 * day))
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ann@example.net")
        )
        _ = try await client.undoMerge(moved.id, verifiedBy: world.passwordSide("ann@example.com"))
        let code = try world.code(.methodAdded, to: "eve@gmail.com")
        try await world.device("eve").reportUnauthorizedChange(code: code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.kind.provider).count, 3, "the identity came back")
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [])
    }

    /// The code of the notice that told of the method is good for fourteen days; the merge would end it.
    func testS18_AMethodThatANoticeCanStillReportMergesNoOlderAccountAway() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        let code = try world.code(.methodAdded, to: "ann@example.com")
        try await world.signUp("eve@example.net", in: world.device("eve"))
        world.clock.advance(by: .seconds(8 * day))
        let client = world.service.client(world.context)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await client.merge(world.side(.gitHub, .eve), into: world.passwordSide("eve@example.net"))
        }
        try await world.device("mail").reportUnauthorizedChange(code: code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [.gitHub])
    }

    /// Otherwise the factor would keep the owner of the address out after a reset.
    func testS21_AFactorMovesToNoAccountWithoutAVerifiedAddress() async throws {
        let evil = try await world.signUp("eve@example.net", in: world.device("eve"))
        let enrollment = try await world.enrollTOTP(evil)
        world.clock.advance(by: .seconds(60))
        try await world.squat()
        let client = world.service.client(world.context)
        let source = try await world.passwordSide("eve@example.net")
        let target = try await world.side(.password(email: "ann@example.com", password: world.evesPassword))
        let error = try await world.refusal(.secondFactorRequired, .sourceRequiresFactor) {
            try await client.merge(source, into: target)
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await client.merge(.answering(challenge, .totp(world.totp(enrollment))), into: target)
        }
    }

    func testS12_TheSessionOfAMergeIsAsRecentAsWhatWasVerified() async throws {
        try await world.signIn(.gitHub, .ann)
        try await world.signUp("ben@example.com", in: world.device("other"))
        let client = world.service.client(world.context)
        let (source, target) = (try await world.side(.gitHub, .ann), try await world.passwordSide("ben@example.com"))
        world.clock.advance(by: .seconds(299))
        let merged = try await client.merge(source, into: target)
        world.clock.advance(by: .seconds(2))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await merged.result.user.link(with: world.google())
        }
    }

    /// A device that a thief prepared with the password is no device on which a factor was presented.
    func testS31_ADeviceFromBeforeTheFirstFactorIsUnknownToIt() async throws {
        let (phone, other) = (world.device("phone"), world.device("thief"))
        let ann = try await world.signUpVerifiedAnn(phone)
        try await other.signIn(with: World.annsPassword)
        try await world.enrollTOTP(ann)
        let thief = other.client.context.device
        let after = try await world.account(ann)
        XCTAssertNil(after.key(of: thief), "a guess of the factor counts as on a known device")
        XCTAssertNotNil(after.keyForPasswords(of: thief), "a password is one of an unknown device")
        XCTAssertNotNil(after.key(of: phone.client.context.device), "the device of the enrollment is unknown")
    }

    func testS31_ADeviceFromBeforeAMergeBroughtTheFirstFactorIsUnknownToIt() async throws {
        let (phone, other) = (world.device("phone"), world.device("thief"))
        let ann = try await world.signUpVerifiedAnn(phone)
        try await other.signIn(with: World.annsPassword)
        let enrollment = try await world.enrollTOTP(world.signUp("ben@example.com", in: world.device("desk")))
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let source = try await world.passwordSide("ben@example.com")
        let target = try await world.passwordSide("ann@example.com")
        let error = try await world.refusal(.secondFactorRequired, .sourceRequiresFactor) {
            try await client.merge(source, into: target)
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await client.merge(.answering(challenge, .totp(world.totp(enrollment))), into: target)
        let thief = other.client.context.device
        let after = try await world.account(ann)
        XCTAssertEqual(after.activeFactors.count, 1, "factors that the merge brought")
        XCTAssertNil(after.key(of: thief), "a guess of the factor counts as on a known device")
        XCTAssertNotNil(after.keyForPasswords(of: thief), "a password is one of an unknown device")
    }

    /// A notice reports the password, and the merge would end the notice.
    func testS24_APasswordChangedInAStolenSessionMergesNoOlderAccountAway() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        world.clock.advance(by: .seconds(60))
        try await stolen.updatePassword(to: world.evesPassword)
        let code = try world.code(.methodReplaced, to: "ann@example.com")
        try await mergeIntoEve("ann@example.com", world.evesPassword)
        try await world.device("mail").reportUnauthorizedChange(code: code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [.password])
    }

    func testS24_NorDoesAPasswordThatAStolenSessionLinked() async throws {
        let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.google(.ann, world.work)).user
        try await stolen.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        try await mergeIntoEve("ann@example.com", world.evesPassword)
        let left = try await world.storedAccount(ann)
        XCTAssertNotNil(left, "a live session merged the account away")
    }

    /// As no deletion is final right after a reset.
    func testS24_NorDoesAPasswordOfAReset() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset(to: world.evesPassword)
        try await mergeIntoEve("ann@example.com", world.evesPassword)
        let left = try await world.storedAccount(ann)
        XCTAssertNotNil(left, "the mailbox alone merged the account away")
    }

    /// Expects that the account that this password signs in to is not merged into Eve's.
    private func mergeIntoEve(_ email: String, _ password: String, file: StaticString = #filePath, line: UInt = #line)
        async throws
    {
        try await world.signUp("eve@example.net", in: world.device("eve"))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, file: file, line: line) {
            try await world.service.client(world.context).merge(
                world.side(.password(email: email, password: password)),
                into: world.passwordSide("eve@example.net")
            )
        }
    }

    /// In the thief's account it would be suspended by a reset or a report, and then no undo gives it back.
    func testS24_AMethodThatANoticeCanStillReportMovesNoOlderIdentityOut() async throws {
        let world = World(.weakened { $0.limits = nil })
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(gmail))
        try await world.signUp("eve@evil.example", in: world.device("eve"))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.updatePassword(to: world.evesPassword)
        world.clock.advance(by: .seconds(8 * day))
        func move() async throws {
            try await world.device("eve").client.move(
                .google,
                from: world.side(.password(email: "ann@example.com", password: world.evesPassword)),
                to: world.passwordSide("eve@evil.example")
            )
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await move() }
        let user = try await world.device("owner").signIn(with: world.google(gmail)).user
        XCTAssertEqual(user.uid, ann.uid, "the account that the identity opens")
        world.clock.advance(by: .seconds(6 * day))
        try await move()
    }
}
