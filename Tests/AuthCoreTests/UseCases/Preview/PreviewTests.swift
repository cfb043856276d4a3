@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A preview says what the call then does, and does nothing itself.
final class PreviewTests: LimitedTestCase {
    private var world = World(.firebase)

    /// What the store holds, as far as anybody can see it.
    private func state() async throws -> [String] {
        let accounts = try await world.service.accounts(limit: .max)
        let events = try await world.service.events(limit: .max).events
        let messages = world.outbox.messages.count
        return ["\(accounts)", "\(events)", "\(messages)"]
    }

    /// Previews, then acts, and holds what was foreseen against what happened.
    @discardableResult
    private func compare(
        _ what: String,
        file: StaticString = #filePath,
        line: UInt = #line,
        preview: () async throws -> Preview,
        act: () async throws -> AuthResult
    ) async throws -> Preview {
        let before = try await state()
        let foreseen = try await preview()
        let untouched = try await state()
        XCTAssertEqual(before, untouched, "the preview of \(what) changed something", file: file, line: line)
        do {
            let result = try await act()
            XCTAssertEqual(foreseen.answer, .succeeds, what, file: file, line: line)
            XCTAssertEqual(foreseen.account == nil, result.isNewUser, what, file: file, line: line)
            if let account = foreseen.account { XCTAssertEqual(account.text, result.user.uid, file: file, line: line) }
        } catch let error as AuthError {
            XCTAssertEqual(foreseen.answer, .refused(error.code), what, file: file, line: line)
            XCTAssertEqual(foreseen.reasons.last, error.reasons.last, what, file: file, line: line)
            XCTAssertEqual(foreseen.existingProviders, error.conflict?.existingProviders ?? [], file: file, line: line)
            XCTAssertNil(foreseen.account, what, file: file, line: line)
            XCTAssertEqual(foreseen.effects, [], what, file: file, line: line)
        }
        return foreseen
    }

    /// Puts a world into a state that signing in meets; each is a world of its own.
    private var scenes: [(String, () async throws -> Void)] {
        [
            ("nobody", {}),
            ("an unverified password", { try await self.world.signUpAnn(self.world.device("a")) }),
            ("a verified password", { try await self.world.signUpVerifiedAnn(self.world.device("a")) }),
            ("Google", { try await self.world.device("a").signIn(with: self.world.google(.ann, self.world.work)) }),
            (
                "a password with a stranger's identity",
                {
                    let ann = try await self.world.signUpAnn(self.world.device("a"))
                    try await ann.link(with: self.world.gitHub(.eve))
                }
            ),
            (
                "a second factor",
                {
                    let ann = try await self.world.signUpVerifiedAnn(self.world.device("a"))
                    try await self.world.enrollTOTP(ann)
                }
            ),
        ]
    }

    func testAPreviewWithATokenOfAnEarlierRotationIsRefusedAsTheLinkIs() async throws {
        world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let client = world.service.client()
        let outdated = try await client.user(forIDToken: ann.idToken())
        world.clock.advance(by: .seconds(60))
        try await ann.reauthenticate(with: World.annsPassword)
        let verified = try await client.verify(world.gitHub())
        let foreseen = try await compare("a link with an outdated token") {
            try await outdated.previewLink(with: verified)
        } act: {
            try await outdated.link(with: verified)
        }
        XCTAssertEqual(foreseen.reasons.last, .tokenIsOutdated, "why the link is refused")
    }

    func testAPreviewOfASignInIsWhatTheSignInDoes() async throws {
        var compared = 0
        for preset in [AuthPolicy.firebase, .standard] {
            for (name, _) in scenes {
                for incoming in ["google", "gmail", "facebook", "gitHub", "password", "wrong password"] {
                    world.startOver(preset)
                    try await scenes.first { $0.0 == name }?.1()
                    let auth = world.device("b")
                    let credential: AuthCredential =
                        switch incoming {
                        case "google": world.google()
                        case "gmail": world.google(.ann, world.work)
                        case "facebook": world.facebook()
                        case "gitHub": world.gitHub()
                        case "password": World.annsPassword
                        default: .password(email: "ann@example.com", password: "not the word")
                        }
                    let verified = try await auth.verify(credential)
                    try await compare("\(incoming) meets \(name)") {
                        try await auth.previewSignIn(with: verified)
                    } act: {
                        try await auth.signIn(with: verified)
                    }
                    compared += 1
                }
            }
        }
        XCTAssertEqual(compared, 2 * 6 * 6)
    }

    func testAPreviewOfALinkAndOfAnUnlinkIsWhatTheCallsDo() async throws {
        for preset in [AuthPolicy.firebase, .standard] {
            for (name, _) in scenes {
                world.startOver(preset)
                try await scenes.first { $0.0 == name }?.1()
                let auth = world.device("b")
                let ben = try await auth.signIn(with: world.google(.ben)).user
                for credential in [world.facebook(), world.gitHub(.eve), world.google(), world.facebook(.ben)] {
                    let verified = try await auth.verify(credential)
                    try await compare("linking where there is \(name)") {
                        try await ben.previewLink(with: verified)
                    } act: {
                        try await ben.link(with: verified)
                    }
                }
                for provider in [ProviderID.facebook, .gitHub, .apple, .google] {
                    let before = try await state()
                    let foreseen = try await ben.previewUnlink(provider)
                    let after = try await state()
                    XCTAssertEqual(before, after)
                    do {
                        try await ben.unlink(provider)
                        XCTAssertEqual(foreseen.answer, .succeeds, "\(provider) where there is \(name)")
                        XCTAssertTrue(foreseen.effects.contains(.removes(provider)))
                    } catch {
                        XCTAssertEqual(foreseen.answer, .refused(error.code), "\(provider) where there is \(name)")
                    }
                }
            }
        }
    }

    func testAPreviewOfAReplacementIsWhatTheCallDoes() async throws {
        for preset in [AuthPolicy.firebase, .standard] {
            world.startOver(preset)
            let ann = try await world.signUpVerifiedAnn(world.device("a"))
            try await ann.link(with: world.facebook())
            try await world.device("b").signIn(with: world.facebook(.ben))
            for credential in [world.facebook(.ben), world.facebook(.eve), world.facebook()] {
                let verified = try await world.device("a").verify(credential)
                try await compare("replacing Facebook under \(preset.disclosure)") {
                    try await ann.previewReplace(.facebook, with: verified)
                } act: {
                    try await ann.replace(.facebook, with: verified)
                }
            }
        }
    }

    func testAPreviewSeesNothingOfAnAccountWhoseTimeIsOver() async throws {
        world.policy = .standard
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.delete()
        let verified = try await auth.verify(world.google(.ann, world.work))
        let early = try await auth.previewSignIn(with: verified)
        XCTAssertEqual(early.account, ann.account.id)
        world.clock.advance(by: .seconds(7 * 86400))
        let fresh = try await auth.verify(world.google(.ann, world.work))
        try await inTime {
            let late = try await auth.previewSignIn(with: fresh)
            XCTAssertEqual(late.answer, .succeeds)
            XCTAssertNil(late.account)
            XCTAssertEqual(late.effects, [.newAccount, .adds(.google)])
        }
        await assertThrows(.userNotFound) { try await self.world.account(ann) }
    }

    func testAPreviewOfAKnownIdentityWhoseAccountsTimeIsOverIsThatOfANewAccount() async throws {
        world.policy = .standard
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        try await ann.delete()
        world.clock.advance(by: .seconds(7 * 86400))
        let preview = try await auth.previewSignIn(with: auth.verify(world.google()))
        XCTAssertNil(preview.account, "the account whose time is over")
        XCTAssertEqual(preview.effects.first, .newAccount, "what the sign-in does")
    }

    func testAPreviewReadsAgainWhatWasCleanedUpWhileItLooked() async throws {
        let store = InterveningStore()
        let world = World(.standard) { $0.store = store }
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.delete()
        world.clock.advance(by: .seconds(7 * 86400))
        let verified = try await auth.verify(world.google(.ann, world.work))
        // The second load finds the account by its address.
        store.afterLoad(2) { _ = try await world.service.sweep() }
        let preview = try await auth.previewSignIn(with: verified)
        XCTAssertNil(preview.account, "the account of the preview")
        XCTAssertEqual(preview.effects, [.newAccount, .adds(.google)])
    }

    func testWhileAFactorIsOwedNothingElseIsSaid() async throws {
        world.policy = .standard
        try await scenes.last?.1()
        let auth = world.device("b")
        let verified = try await auth.verify(World.annsPassword)
        let foreseen = try await auth.previewSignIn(with: verified)
        XCTAssertEqual(foreseen.answer, .refused(.secondFactorRequired))
        XCTAssertEqual(foreseen.reasons, [.secondFactorIsRequired])
        XCTAssertEqual(foreseen.remedies, [.presentSecondFactor])
        XCTAssertNil(foreseen.account)
        XCTAssertEqual(foreseen.existingProviders, [])
    }

    func testAPreviewUsesUpNoCode() async throws {
        world.policy = .standard
        let auth = world.device()
        let verified = try await auth.verify(try await world.digits(to: world.number, from: auth))
        for _ in 1...3 {
            let foreseen = try await auth.previewSignIn(with: verified)
            XCTAssertEqual(foreseen.effects, [.newAccount, .adds(.phone)])
        }
        try await auth.signIn(with: verified)
        let again = try await auth.previewSignIn(with: verified)
        XCTAssertEqual(again.answer, .refused(.invalidVerificationID), "the code after it was used")
    }

    func testAPreviewTellsAStrangerAsLittleAsTheCallAndIsRecordedLikeIt() async throws {
        world.policy = .standard
        try await world.signUpVerifiedAnn(world.device("a"))
        let auth = world.device("eve")
        var previews: [Preview] = []
        for email in ["ann@example.com", "nobody@example.com"] {
            let verified = try await auth.verify(.password(email: email, password: "not the word"))
            previews.append(try await auth.previewSignIn(with: verified))
            let recorded = world.service.refusals(limit: 1).last
            XCTAssertEqual(recorded?.code, .invalidCredential, email)
        }
        XCTAssertEqual(previews[0], previews[1])
        // A word that its provider merely checked meets a conflict, and is told of no method.
        let checked = try await auth.previewSignIn(with: try await auth.verify(world.facebook()))
        XCTAssertEqual(checked.answer, .refused(.accountExistsWithDifferentCredential))
        XCTAssertEqual(checked.existingProviders, [])
        XCTAssertNil(checked.account)
    }

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
