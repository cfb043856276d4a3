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
            .correctPassword, .confirmSuspended,
        ]
        XCTAssertEqual(Set(remedies.map(\.rawValue)).count, remedies.count, "two remedies have one name")
        XCTAssertEqual(Set(remedies.map(\.explanation)).count, remedies.count, "two remedies have one sentence")
        XCTAssertEqual(Remedy(rawValue: "callUs").explanation, "callUs", "a remedy of the app's own has its name")
    }

    func testEachRemedySaysWhatToDo() {
        let sentences: [Remedy: String] = [
            .signInAgain: "Sign in again.",
            .useOldestMethod: "Sign in again with the account's oldest sign-in method.",
            .waitUntilMethodIsOlder: "Wait until the sign-in method that was used is old enough.",
            .presentSecondFactor: "Present the second factor.",
            .signInWithExistingMethod:
                "Sign in with a method that the account has; the new one is linked in the same step.",
            .verifyMailbox: "Have a link mailed to the address and sign in with it.",
            .createSeparateAccount: "Create a separate account, which takes the address or number along.",
            .useOwningAccount: "Sign in to the account that has it, or merge the two.",
            .replaceExisting: "Replace the one that is linked, or unlink it first.",
            .addAnotherMethod: "Link another sign-in method first.",
            .verifyAddress: "Verify the address by a mailed link first.",
            .removeFactors: "Unenroll the second factors first.",
            .wait: "Wait before the next attempt.",
            .askAdministrator: "Ask an administrator.",
            .useAnotherMethod: "Use another sign-in method.",
            .getNewCredential: "Ask for a new code or token, and present that.",
            .correctPassword: "Enter the password again, or reset it by mail.",
            .confirmSuspended: "Sign in with another method and link this again to confirm it.",
        ]
        for (remedy, sentence) in sentences { XCTAssertEqual(remedy.explanation, sentence, "what \(remedy) says") }
    }

    func testEachReasonAdvisesWhatWouldHelp() {
        let advice: [([Remedy], [Reason])] = [
            (
                [.signInAgain],
                [
                    .loginIsNotRecent, .sessionIsOver, .accountWasMerged, .tokenIsNotOurs, .tokenIsOutdated,
                    .tokenHasExpired, .credentialIsOfAnother,
                ]
            ),
            ([.useOldestMethod, .waitUntilMethodIsOlder], [.loginIsNotSenior]),
            ([.presentSecondFactor], [.secondFactorIsRequired]),
            ([.useOwningAccount], [.identityIsOwned, .numberIsOwned, .addressIsOwned]),
            ([.replaceExisting], [.providerIsLinked]),
            ([.addAnotherMethod], [.methodIsTheLast]),
            ([.verifyAddress], [.addressStaysUntilVerified, .addressIsNotVerified]),
            ([.removeFactors], [.factorNeedsAddress]),
            ([.wait], [.attemptsMustWait, .accountIsBeingMerged]),
            ([.askAdministrator], [.accountIsDisabled]),
            ([.confirmSuspended], [.methodIsSuspended]),
            (
                [.getNewCredential],
                [
                    .codeIsExpired, .codeIsUnknown, .codeIsOutdated, .codeIsWrong, .codeIsForSomethingElse,
                    .codeIsOfAnotherDevice, .assertionWasUsed, .nonceIsMissing, .nonceIsOver, .pendingIdentityIsOver,
                    .pendingIdentityIsOfAnotherDevice,
                ]
            ),
            ([.correctPassword], [.credentialIsWrong, .passwordDiffers, .passwordWasReplaced]),
            (
                [.useAnotherMethod],
                [.providerIsDisabled, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword]
            ),
        ]
        for reason in Reason.all {
            let expected = advice.first { $0.1.contains(reason) }?.0 ?? []
            XCTAssertEqual(remedies(for: Refusal(.invalidCredential, reason)), expected, "the advice after \(reason)")
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
        XCTAssertEqual(withoutLinks.remedies, [.signInWithExistingMethod], "without links that verify the address")
        let work = try await without.previewSignIn(with: without.verify(world.google(.ann, world.work)))
        XCTAssertEqual(
            work.remedies,
            [.signInWithExistingMethod, .createSeparateAccount],
            "an identity that verifies the address, without links"
        )
    }

    /// An account has one identity of a provider, so that a sign-in to it does not link another.
    func testForAnotherSubjectOfTheProviderEachAdviceHelps() async throws {
        for advice in [Remedy.verifyMailbox, .createSeparateAccount] {
            let world = World(.standard)
            let ann = try await world.device("ann").signIn(with: world.google(.ann, world.work)).user
            var next = world.work
            next.subject = "the next owner of the mailbox"
            let auth = world.device("next")
            let preview = try await auth.previewSignIn(with: auth.verify(world.google(.ann, next)))
            XCTAssertEqual(preview.reasons, [.otherSubjectIsLinked])
            XCTAssertEqual(preview.remedies, [.verifyMailbox, .createSeparateAccount])
            let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, next)) }
            try await world.refusal(.providerAlreadyLinked) {
                try await auth.resolve(conflict, signingInWith: world.google(.ann, world.work))
            }
            if advice == .verifyMailbox {
                let link = try await world.mailedLink(to: "ann@example.com", from: auth)
                let user = try await auth.resolve(conflict, signingInWith: link).user
                XCTAssertEqual(user.uid, ann.uid, "whose account a mailed link opens")
            } else {
                let user = try await auth.createSeparateAccount(from: conflict).user
                XCTAssertNotEqual(user.uid, ann.uid, "a separate account")
            }
        }
    }
}
