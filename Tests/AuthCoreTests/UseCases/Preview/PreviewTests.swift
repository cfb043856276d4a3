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
}
