@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

/// An anonymous account that meets the person's existing one goes into it.
final class AnonymousMergeTests: LimitedTestCase {
    private var world = World(.standard)

    private func conflict(_ auth: Auth, _ credential: AuthCredential) async throws -> Conflict {
        let error = await authError { try await auth.currentUser?.link(with: credential) }
        XCTAssertEqual(error?.code, .credentialAlreadyInUse)
        return try XCTUnwrap(error?.conflict)
    }

    func testTheConflictOfALinkIsTheTargetsProof() async throws {
        world.addHooks("cart")
        let target = try await world.signIn(.google)
        let auth = world.device()
        let anonymous = try await auth.signInAnonymously().user
        let conflict = try await conflict(auth, world.credential(.google))
        let merged = try await auth.mergeCurrentUser(into: conflict)
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        XCTAssertEqual(merged.plan.source.text, anonymous.uid)
        XCTAssertEqual(world.journal.lines, ["prepare cart", "commit cart"])
        XCTAssertNil(merged.undoableUntil)
        await assertThrows(.accountMerged) { try await anonymous.reload() }
        let successor = try await world.service.successor(of: anonymous.account.id)
        XCTAssertEqual(successor, target.account.id)
        let signedOut = world.device("other")
        await assertThrows(.noCurrentUser) { try await signedOut.mergeCurrentUser(into: conflict) }
        await assertThrows(.noCurrentUser) {
            try await signedOut.mergeCurrentUser(into: world.side(world.credential(.google)))
        }
    }

    /// A password without an address signs in to nothing, and stays behind.
    func testAGuestWithAPasswordIsMergedByItsSession() async throws {
        world.startOver(.firebase)
        let target = try await world.signIn(.google)
        let auth = world.device()
        try await auth.signInAnonymously().user.updatePassword(to: World.password)
        let merged = try await auth.mergeCurrentUser(into: try await conflict(auth, world.credential(.google)))
        XCTAssertEqual(merged.plan.target, target.account.id, "the account into which the guest is merged")
        let methods = try await world.service.account(target.account.id).methods
        XCTAssertEqual(methods.map(\.kind.provider), [.google], "the methods of the target")
    }

    func testTheGuestWhoMetTheConflictIsMergedEvenIfAnotherPersonSignsInMeanwhile() async throws {
        try await world.signIn(.google)
        let auth = world.device()
        let guest = try await auth.signInAnonymously().user
        let conflict = try await conflict(auth, world.credential(.google))
        let gate = Gate()
        world.store.script(.load, .waitsBefore(gate))
        async let merged = auth.mergeCurrentUser(into: conflict)
        await gate.waitForArrivals()
        try await auth.signIn(with: world.credential(.facebook, .ben))
        gate.open()
        let source = try await merged.plan.source.text
        XCTAssertEqual(source, guest.uid, "another guest's account was merged")
    }

    func testANumbersConflictIsAProofToo() async throws {
        let number = "+15550001234"
        let target = try await world.service.client(world.context).signIn(with: world.digits(to: number)).user
        let auth = world.device()
        _ = try await auth.signInAnonymously()
        let conflict = try await conflict(auth, try await world.digits(to: number))
        _ = try await auth.mergeCurrentUser(into: conflict)
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
    }

    func testTheFactorOfTheTargetIsAskedFor() async throws {
        let target = try await world.signUp("ann@example.com", linking: world.credential(.google))
        let app = try await target.multiFactor.startTOTP(issuer: "Boats")
        let secret = try XCTUnwrap(Base32.decode(app.sharedSecret))
        let code = TimeBasedCode()
        try await target.multiFactor.enroll(
            app,
            code: code.code(forStep: code.step(at: world.clock.timestamp.seconds), secret: secret)
        )
        world.clock.advance(by: .seconds(60))
        let auth = world.device()
        _ = try await auth.signInAnonymously()
        let conflict = try await conflict(auth, world.credential(.google))
        let error = await authError { try await auth.mergeCurrentUser(into: conflict) }
        XCTAssertEqual(error?.reasons.last, .targetRequiresFactor)
        let owed = try XCTUnwrap(error?.secondFactor)
        let answer = SecondFactor.Assertion.totp(
            code.code(forStep: code.step(at: world.clock.timestamp.seconds), secret: secret)
        )
        _ = try await auth.mergeCurrentUser(into: .answering(owed, answer))
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        XCTAssertEqual(auth.currentUser?.session.factor?.kind, .totp)
    }

    func testAnAnonymousAccountReceivesNothing() async throws {
        try await world.signIn(.google)
        let anonymous = try await world.device().signInAnonymously().user
        try await world.refusal(.mergeNotPossible, .targetIsAnonymous) {
            try await world.service.client(world.context).merge(world.side(.google), into: .anonymous(anonymous))
        }
    }

    func testASessionThatIsOverStandsForNobody() async throws {
        try await world.signIn(.google)
        let auth = world.device()
        let anonymous = try await auth.signInAnonymously().user
        try await auth.signOut()
        try await world.refusal(.userTokenExpired, .sessionIsOver) {
            try await world.service.client(world.context).merge(.anonymous(anonymous), into: world.side(.google))
        }
    }
}
