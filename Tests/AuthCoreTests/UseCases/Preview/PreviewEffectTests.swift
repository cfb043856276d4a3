import AuthCore
import AuthCoreTesting
import XCTest

/// What a preview says of each change, in values and in words.
final class PreviewEffectTests: LimitedTestCase {
    private var world = World(.firebase)

    func testAPreviewReadsAsPlainEnglish() async throws {
        world.policy = .standard
        let eve = try await world.signUpAnn(world.device("eve"))
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let incoming = try await auth.previewSignIn(with: try await auth.verify(world.google(.ann, world.work)))
        XCTAssertEqual(
            incoming.description,
            """
            Is refused (accountExistsWithDifferentCredential): An account with the same email address or number exists with another sign-in method; sign in with that, then link this credential.
            The account is signed in to with password, github.com.
            Why: The account's own verification of the address is missing, or too old for automatic linking.
            To change that: Sign in with a method that the account has; the new one is linked in the same step.
            To change that: Have a link mailed to the address and sign in with it.
            To change that: Create a separate account, which takes the address or number along.
            """
        )
        let link = try await eve.previewLink(with: try await auth.verify(world.facebook(.ben)))
        XCTAssertEqual(
            link.description,
            """
            Goes through, to account \(eve.uid).
            - adds facebook.com as a sign-in method
            Why: The person in the session adds a method.
            """
        )
        let unlink = try await eve.previewUnlink(.gitHub)
        XCTAssertEqual(
            unlink.description,
            """
            Goes through, to account \(eve.uid).
            - removes github.com as a sign-in method
            - ends every other session of the account
            Why: The person in the session removes a method.
            """
        )
    }

    func testAPreviewOfANewAccountSaysThatItIsNew() async throws {
        let auth = world.device()
        let foreseen = try await auth.previewSignIn(with: try await auth.verify(world.google()))
        XCTAssertEqual(foreseen.description.split(separator: "\n").first, "Goes through, to a new account.")
    }

    func testThePreviewOfAnUnlinkSaysThatTheSessionItselfEnds() async throws {
        world.startOver(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(8 * 86_400))
        let user = try await world.device("tablet").signIn(with: world.gitHub()).user
        let foreseen = try await user.previewUnlink(.gitHub)
        XCTAssertEqual(foreseen.effects, [.removes(.gitHub), .endsOtherSessions, .endsThisSession])
        try await user.unlink(.gitHub)
        await assertThrows(.userTokenExpired) { try await user.reload() }
    }

    func testThePreviewOfAMailedLinkNamesMailedLinksAndNoPassword() async throws {
        world.startOver(.standard)
        let auth = world.device()
        let foreseen = try await auth.previewSignIn(
            with: auth.verify(world.mailedLink(to: "ann@example.com", from: auth))
        )
        XCTAssertEqual(foreseen.effects, [.newAccount, .adds(.emailLink)])
        XCTAssertEqual(foreseen.effects.last?.description, "adds mailed links as a sign-in method")
    }

    func testThePreviewOfASignInSaysThatTheAddressIsNotVerifiedAnyMore() async throws {
        world.startOver(.standard)
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        var moved = world.work
        moved.email = "ann@elsewhere.example"
        let foreseen = try await auth.previewSignIn(with: auth.verify(world.google(.ann, moved)))
        let wasVerified = ann.isEmailVerified
        try await auth.signIn(with: world.google(.ann, moved))
        try await ann.reload()
        XCTAssertTrue(wasVerified && !ann.isEmailVerified, "the address is unverified afterwards")
        XCTAssertEqual(foreseen.effects, [.leavesUnverified("ann@example.com")])
    }

    func testThePreviewOfAJoinSaysThatItFillsTheProfile() async throws {
        world.startOver(.standard)
        let phone = world.device("phone")
        try await world.signUpVerifiedAnn(phone)
        let foreseen = try await phone.previewSignIn(with: phone.verify(world.google(.ann, world.work)))
        XCTAssertEqual(foreseen.effects, [.adds(.google), .changesProfile])
    }

    func testThePreviewOfALinkSaysThatItConfirmsASuspendedMethod() async throws {
        world.startOver(.standard)
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await eve.link(with: World.annsPassword)
        try await world.reset()
        let auth = world.device("ann's")
        let ann = try await auth.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        let foreseen = try await ann.previewLink(with: auth.verify(world.gitHub(.eve)))
        XCTAssertEqual(foreseen.effects, [.confirms(.gitHub)])
    }

    func testThePreviewOfASignInSaysThatItCancelsTheDeletion() async throws {
        world.startOver(.standard)
        let auth = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.delete()
        let verified = try await auth.verify(World.annsPassword)
        let foreseen = try await auth.previewSignIn(with: verified)
        XCTAssertEqual(foreseen.effects, [.cancelsDeletion])
        XCTAssertTrue(foreseen.description.contains("- cancels the deletion of the account"), foreseen.description)
        try await auth.signIn(with: verified)
        world.clock.advance(by: .seconds(30 * 86_400))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }
}
