@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

final class MergePreviewTests: LimitedTestCase {
    private var world = World(.standard)

    func testAPreviewSaysWhatTheMergeDoesAndDoesNothing() async throws {
        let number = "+15550001234"
        let source = try await world.service.client(world.context).signIn(with: world.digits(to: number)).user
        try await source.link(with: world.credential(.gitHub))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let proof = try await world.side(world.digits(to: number))
        let before = try await world.store.whole.accounts(after: nil, limit: 1000)
        let events = try await world.service.events(limit: .max).events.count
        let plan = try await world.service.client(world.context).previewMerge(
            proof,
            into: world.passwordSide("ben@example.com")
        )
        let after = try await world.store.whole.accounts(after: nil, limit: 1000)
        XCTAssertEqual(before, after)
        let eventsAfter = try await world.service.events(limit: .max).events.count
        XCTAssertEqual(events, eventsAfter)
        let merged = try await world.service.client(world.context).merge(
            proof,
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan, plan, "the preview used no code up and said the truth")
    }

    func testAPreviewSaysOnlyThatAFactorIsOwed() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let enrollment = try await source.multiFactor.startTOTP(issuer: "Boats")
        let secret = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        let code = TimeBasedCode()
        try await source.multiFactor.enroll(
            enrollment,
            code: code.code(forStep: code.step(at: world.clock.timestamp.seconds), secret: secret)
        )
        _ = try await world.service.setDisabled(true, account: source.account.id)
        try await world.signUp("ben@example.com")
        let error = try await world.refusal(.secondFactorRequired, .sourceRequiresFactor) {
            try await world.service.client(world.context).previewMerge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        XCTAssertEqual(error.reasons, [.sourceRequiresFactor])
        _ = try await world.service.setDisabled(false, account: source.account.id)
        world.clock.advance(by: .seconds(60))
        // A preview makes no challenge; the merge does.
        let unmade = try await world.refusal(.secondFactorRequired, .sourceRequiresFactor) {
            try await world.service.client(world.context).previewMerge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        XCTAssertNil(unmade.secondFactor)
        let again = try await world.refusal(.secondFactorRequired, .sourceRequiresFactor) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        let owed = try XCTUnwrap(again.secondFactor)
        let answer = SecondFactor.Assertion.totp(
            code.code(forStep: code.step(at: world.clock.timestamp.seconds), secret: secret)
        )
        let plan = try await world.service.client(world.context).previewMerge(
            .answering(owed, answer),
            into: world.passwordSide("ben@example.com")
        )
        let merged = try await world.service.client(world.context).merge(
            .answering(owed, answer),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan, plan)
    }

    func testAPreviewInAnAppFollowsTheChoices() async throws {
        try await world.signIn(.google, .ann)
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let plan = try await world.device().previewMerge(
            world.side(.google, .ann),
            into: world.passwordSide("ben@example.com"),
            choices: [.google]
        )
        XCTAssertEqual(plan.replaced.map(\.provider), [.google], "the method that gives way to the chosen one")
    }

    func testAPlanReadsAsPlainWords() async throws {
        let ann = SimulatedPerson.ann
        let source = try await world.signUp(
            "ann@example.com",
            linking: world.credential(.gitHub, ann),
            world.credential(.google, ann)
        )
        try await source.updateProfile(displayName: .set("Ann"))
        _ = try await world.service.setCustomClaims(["role": "admin"], account: source.account.id)
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let plan = try await world.service.client(world.context).previewMerge(
            world.passwordSide("ann@example.com"),
            into: world.passwordSide("ben@example.com")
        )
        let (a, b) = (source.uid, target.uid)
        XCTAssertEqual(
            plan.description,
            """
            Account \(a) (ann@example.com) goes into account \(b) (ben@example.com).
            Moves: GitHub (ann).
            Does not move: the password for ann@example.com, because the target account keeps its own address.
            Does not move: Google (ann@example.com), because the target account keeps its own of this kind.
            The address ann@example.com is released and belongs to no account.
            The target account's profile gets: the name.
            Custom claims do not move: role.
            Afterwards these methods sign in to the target account: the password for ben@example.com, \
            Google (ben@example.com), GitHub (ann).
            The source account is closed: its sessions end, and what did not move can no longer be used to sign in.
            """
        )
    }

    func testAPlanSaysWhatMakesRoomAndWhichFactorsAndCodesAreLost() async throws {
        world.policy.factorLimit = 1
        let source = try await world.signUp("ann@example.com", linking: world.credential(.google))
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        _ = try await world.enrollTOTP(source)
        _ = try await source.multiFactor.makeRecoveryCodes(count: 3)
        _ = try await world.enrollTOTP(target)
        let (from, to) = try await (world.storedAccount(source), world.storedAccount(target))
        let giver = try XCTUnwrap(from)
        var receiver = try XCTUnwrap(to)
        let chosen = Merge.Plan(giver, into: receiver, choices: [.google], under: world.policy).description
        for line in [
            "The target account loses Google (ben@example.com), because the one of the source account was chosen.",
            "Second factor that is lost: an authenticator app (“app”), because the target account may not have more "
                + "of them.",
            "Recovery codes that stop working: 3.",
        ] {
            XCTAssertTrue(chosen.split(separator: "\n").contains(Substring(line)), chosen)
        }
        world.policy.factorLimit = 2
        let roomy = Merge.Plan(giver, into: receiver, choices: [], under: world.policy).description
        XCTAssertTrue(roomy.contains("Second factors that move: an authenticator app (“app”).\n"), roomy)
        for index in receiver.methods.indices where receiver.methods[index].kind.provider == .google {
            receiver.methods[index].suspension = SignInMethod.Suspension(
                since: world.clock.timestamp,
                reason: .ownerReportsChange
            )
        }
        let suspended = Merge.Plan(giver, into: receiver, choices: [], under: world.policy).description
        let line = "The target account loses Google (ben@example.com), because it is suspended."
        XCTAssertTrue(suspended.split(separator: "\n").contains(Substring(line)), suspended)
    }

    func testAPlanSurvivesEncoding() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        let plan = try await world.service.client(world.context).previewMerge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        let decoded = try JSONDecoder().decode(Merge.Plan.self, from: JSONEncoder().encode(plan))
        XCTAssertEqual(decoded, plan)
    }
}
