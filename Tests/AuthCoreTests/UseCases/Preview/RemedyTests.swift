@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a preview advises after a refusal.
final class RemedyTests: LimitedTestCase {
    private func remedies(for refusal: Refusal) -> [Remedy] { Remedy.all(for: refusal, under: .standard) }

    func testEachRemedyHasItsOwnNameAndSentence() {
        let remedies: [Remedy] = [
            .signInAgain, .useOldestMethod, .waitUntilMethodIsOlder, .presentSecondFactor, .signInWithExistingMethod,
            .verifyMailbox, .createSeparateAccount, .useOwningAccount, .replaceExisting, .addAnotherMethod,
            .verifyAddress, .removeFactors, .wait, .askAdministrator, .useAnotherMethod, .getNewCredential,
            .confirmSuspended,
        ]
        XCTAssertEqual(Set(remedies.map(\.rawValue)).count, remedies.count, "two remedies have one name")
        XCTAssertEqual(Set(remedies.map(\.explanation)).count, remedies.count, "two remedies have one sentence")
        XCTAssertEqual(Remedy(rawValue: "callUs").explanation, "callUs", "a remedy of the app's own has its name")
    }

    func testWhoseSessionOrProofIsOutdatedSignsInAgain() {
        let reasons: [Reason] = [
            .loginIsNotRecent, .sessionIsOver, .accountIsGone, .tokenIsNotOurs, .tokenIsOutdated,
            .credentialIsOfAnother,
        ]
        for reason in reasons {
            XCTAssertEqual(remedies(for: Refusal(.requiresRecentLogin, reason)), [.signInAgain], "\(reason)")
        }
    }

    func testWhoseProofIsNotGoodMakesAnotherOne() {
        let reasons: [Reason] = [
            .codeIsExpired, .codeIsUnknown, .codeIsOutdated, .codeIsWrong, .codeIsForSomethingElse,
            .codeIsOfAnotherDevice, .assertionWasUsed, .nonceIsMissing, .nonceIsOver, .pendingIdentityIsOver,
            .pendingIdentityIsOfAnotherDevice, .credentialIsWrong, .passwordDiffers, .passwordWasReplaced,
        ]
        for reason in reasons {
            XCTAssertEqual(remedies(for: Refusal(.invalidCredential, reason)), [.getNewCredential], "\(reason)")
        }
    }

    func testWhoseMethodSignsNobodyInUsesAnotherOne() {
        let reasons: [Reason] = [
            .providerIsDisabled, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword,
            .providerIsNotLinked,
        ]
        for reason in reasons {
            XCTAssertEqual(remedies(for: Refusal(.operationNotAllowed, reason)), [.useAnotherMethod], "\(reason)")
        }
    }

    /// The link has verified the mailbox already, and another one would meet the same conflict.
    func testAMailedLinkThatMetAConflictIsNotAdvisedAgain() async throws {
        var world = World(.standard)
        let ann = try await world.signUpAnn(world.device("phone"))
        try await ann.sendEmailVerification()
        try await world.service.client().applyActionCode(world.newestCode(to: "ann@example.com"))
        let other = world.device("other")
        let preview = try await other.previewSignIn(
            with: other.verify(world.mailedLink(to: "ann@example.com", from: other))
        )
        XCTAssertEqual(preview.answer, .refused(.accountExistsWithDifferentCredential))
        XCTAssertEqual(preview.remedies, [.signInWithExistingMethod, .createSeparateAccount])
        let gitHub = try await other.previewSignIn(with: other.verify(world.gitHub()))
        XCTAssertEqual(gitHub.remedies, [.signInWithExistingMethod, .verifyMailbox, .createSeparateAccount])
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.emailLink]
        world.policy = policy
        let without = world.device("third")
        let withoutLinks = try await without.previewSignIn(with: without.verify(world.gitHub()))
        XCTAssertEqual(withoutLinks.remedies, [.signInWithExistingMethod, .createSeparateAccount], "without links")
    }
}
