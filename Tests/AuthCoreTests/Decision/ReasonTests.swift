@testable import AuthCore
import AuthCoreTesting
import XCTest

/// No reason is unreachable: the reviewed tables give it, the flows below give it, or a test of its own does.
final class ReasonTests: LimitedTestCase {
    func testAnErrorWithADetailHasEveryReasonToo() throws {
        let challenge = SecondFactor.Challenge(id: OneTimeRecordID(bits: 1), hints: [], expiresAt: .distantFuture)
        let refusal = Refusal(.secondFactorRequired, .secondFactorIsRequired, detail: .secondFactor(challenge))
        let error = AuthError(refusal.after([.mailboxIsVerified]))
        XCTAssertEqual(error.reasons, [.mailboxIsVerified, .secondFactorIsRequired], "the reasons of the refusal")
    }

    func testEveryReasonHasASentenceOfItsOwn() {
        for reason in Reason.all {
            XCTAssertTrue(reason.explanation.contains(" ") && reason.explanation.hasSuffix("."), "\(reason.rawValue)")
            XCTAssertEqual(reason.description, reason.rawValue, "what is printed of a reason")
        }
        XCTAssertEqual(Set(Reason.all).count, Reason.all.count, "a reason has two rows")
        XCTAssertEqual(Set(Reason.all.map(\.explanation)).count, Reason.all.count, "two reasons have one sentence")
        XCTAssertEqual(Reason(rawValue: "none of ours").explanation, "none of ours", "a reason of another version")
    }

    /// Asserted by name in the tests of the flow that gives it; no table has a row for it.
    private static let givenByOtherTests: Set<Reason> = [
        .accountHasNoAddress, .accountHasNoPassword, .accountIsBeingMerged, .accountIsGone, .accountIsThere,
        .accountWasMerged, .addressChangeIsReversible, .addressIsTheSame, .assertionWasUsed,
        .challengeIsOfAnotherDevice, .challengeIsOver, .choiceIsNotOffered, .codeIsWrong, .conflictIsWithAnother,
        .credentialSignsInToNothing, .factorIsEnrolled, .factorNeedsAddress, .identityIsImpossible,
        .importBringsAccount, .linkIsForAnotherAddress, .mergeIsAborted, .mergeIsElsewhere, .mergeIsFinished,
        .mergeIsOutdated, .methodIsNotFromBefore, .nonceIsOver, .nothingCanReturn, .passwordCannotBeChecked,
        .passwordIsDenied, .passwordIsTooLong, .passwordWasReplaced, .pendingIdentityIsOfAnotherDevice,
        .pendingIdentityIsOver, .providerHasNoVerifier, .providerIsNotLinked, .sessionIsNoProof, .sessionMayNotEnroll,
        .sidesAreTheSame, .sourceRequiresFactor, .targetIsAnonymous, .targetRequiresFactor, .textIsTooLong,
        .tokenHasExpired, .tokenIsNotOurs, .undoIsOver,
    ]

    func testNoReasonIsUnreachable() async throws {
        var given = Self.givenByOtherTests
        for file in ["rules", "decisions-by-policy"] {
            let text = try PackageFiles.text("Tests/AuthCoreTests/Assurance/Tables/Golden/\(file).txt")
            given.formUnion(text.split { !$0.isLetter }.map { Reason(rawValue: String($0)) })
        }
        given.formUnion(try await reasonsOfPlainFlows())
        // What cannot be has a reason too; no facts lead there.
        XCTAssertEqual(Reason.all.filter { !given.contains($0) }, [.factsContradict])
    }

    private func reasonsOfPlainFlows() async throws -> Set<Reason> {
        let world = World()
        let guest = try await world.device("guest").signInAnonymously().user
        try await guest.updateProfile(displayName: .set("Somebody"))
        let tablet = world.device("tablet")
        try await tablet.signIn(with: world.digits(to: "+15550001234", from: tablet))
        let ann = try await world.verifiedUser(in: world.device())
        try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "correct horse"))
        try await ann.revokeOtherSessions()
        try await ann.signOut()
        let error = await authError {
            try await world.service.setCustomClaims(["sub": "somebody else"], account: guest.account.id)
        }
        let events = try await world.service.events(limit: .max).events
        return Set(events.flatMap(\.reasons) + (error?.reasons ?? []))
    }
}
