@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S8: an account that was never verified goes to who proves its address, and a password that is shown stays.
final class AdoptionTests: LimitedTestCase {
    private let world = World(.standard)

    func testAPasswordThatIsShownInTheSameAttemptStays() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        let auth = world.device()
        let arrived = try await auth.signIn(with: world.google(.ann, world.work), retainingPassword: World.password)
        XCTAssertEqual(arrived.user.uid, ann.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.password, .google])
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        let again = try await world.device("tablet").signIn(with: World.annsPassword)
        XCTAssertEqual(again.user.uid, ann.uid)
        let covered = try await world.account(ann).methods.allSatisfy { !$0.coverage.isEmpty }
        XCTAssertTrue(covered, "what was shown together with the proof is covered by it")
    }

    func testAResetThatAdoptsTheAccountEndsWhatItsMakerBegan() async throws {
        let maker = try await world.signUpAnn(world.device("laptop"))
        try await maker.sendEmailVerification()
        let code = try world.code(.verifyEmail, to: "ann@example.com")
        let own = world.device("own")
        try await own.sendPasswordReset(to: "ann@example.com")
        let reset = try world.code(.resetPassword, to: "ann@example.com")
        try await own.confirmPasswordReset(code: reset, newPassword: "the owner's word")
        await assertThrows(.invalidActionCode, "the code that the maker asked for") {
            try await world.device("mail").applyActionCode(code)
        }
    }

    func testAWrongPasswordKeepsNothing() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        try await world.device().signIn(with: world.google(.ann, world.work), retainingPassword: "not the word")
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.google])
    }

    /// Twelve guesses at the password, after which the right one is not compared either.
    private func guessAnnsPassword() async throws {
        let stranger = world.device("stranger")
        for number in 1...12 {
            let guess = AuthCredential.password(email: "ann@example.com", password: "a guess \(number)")
            let isRight = await world.succeeds { try await stranger.signIn(with: guess) }
            XCTAssertFalse(isRight, "guess \(number)")
        }
    }

    func testAPasswordThatALimitKeepsFromBeingComparedIsNotRemoved() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        try await guessAnnsPassword()
        let auth = world.device()
        let google = world.google(.ann, world.work)
        let refused = try await world.refusal(.tooManyRequests, nil, "a sign-in with a password that has to wait") {
            try await auth.signIn(with: google, retainingPassword: World.password)
        }
        let recorded = world.service.refusals(limit: 1).first?.operation.rawValue
        XCTAssertEqual(recorded, "signIn", "the operation under which the refusal is recorded")
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.password], "what the account has after the refusal")
        let retryAt = try XCTUnwrap(refused.retryAt, "when the password can be compared")
        world.clock.advance(by: .seconds(retryAt.timeIntervalSince(world.clock.now).rounded(.up)))
        try await auth.signIn(with: world.google(.ann, world.work), retainingPassword: World.password)
        let kept = try await world.providers(ann)
        XCTAssertEqual(kept, [.password, .google], "what the account has once the password was compared")
    }

    func testAnIdentityThatAnAccountHasSignsInThoughAPasswordHasToWait() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
        try await ann.link(with: world.google(.ann, world.work))
        try await guessAnnsPassword()
        let auth = world.device()
        let isIn = await world.succeeds {
            try await auth.signIn(with: world.google(.ann, world.work), retainingPassword: World.password)
        }
        XCTAssertTrue(isIn, "a sign-in that removes no password waits for one")
        XCTAssertEqual(auth.currentUser?.uid, ann.uid, "the account of the identity")
    }

    /// The name and the picture, too, are of the person who never had the mailbox, however its owner arrives.
    func testTheProfileOfAPersonWhoNeverVerifiedTheAddressGoes() async throws {
        for way in ["a reset", "a mailed link", "an identity"] {
            let world = World(.standard)
            let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
            try await eve.updateProfile(displayName: .set("Eve's shop"))
            let auth = world.device()
            switch way {
            case "a reset":
                try await world.reset()
            case "a mailed link":
                try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
            default:
                try await auth.signIn(with: world.google(.ann, world.work))
            }
            let account = try await world.account(eve)
            XCTAssertNotEqual(account.displayName, "Eve's shop", "the name after \(way)")
        }
    }

    func testAPasswordThatIsNotShownGoes() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        try await world.device().signIn(with: world.google(.ann, world.work))
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.google])
        try await world.refusal(.invalidCredential) {
            try await world.device("tablet").signIn(with: World.annsPassword)
        }
    }
}
