@testable import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import Foundation
import XCTest

/// The articles say what is true: their Swift is compiled and run, their tables are held against the sources.
final class ArticleTests: LimitedTestCase {
    private static let folder = "Sources/AuthCore/AuthCore.docc"
    private static let folders = [folder, "Sources/AuthCoreMigration/AuthCoreMigration.docc"]

    /// The files whose marked lines the articles show; the packages are built and run by `.ci/consumers`.
    private static let examples = [
        "Tests/AuthCoreTests/Documents/ArticleExamples.swift", "Tests/AuthCoreTests/Documents/GuideExamples.swift",
        "Tests/AuthCoreTests/Documents/CommentExamples.swift", "Tests/AuthCoreMigrationTests/OwnTableExample.swift",
        "Tests/Examples/App/Sources/BoatsApp/AccountModel.swift",
        "Tests/Examples/Server/Sources/BoatsServer/Routes.swift",
        "Tests/Examples/Suite/Tests/BoatsTests/Stage.swift", "Tests/Examples/Suite/Tests/BoatsTests/BasketTests.swift",
        "Tests/Examples/Suite/Tests/BoatsTests/SignInTests.swift",
    ]

    private func articles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root.appending(path: folder).path)
            .filter { $0.hasSuffix(".md") }.sorted()
    }

    func testEveryLinkLeadsSomewhere() throws {
        let documents = try Self.folders.flatMap { folder in try articles(in: folder).map { folder + "/" + $0 } }
        for document in ["README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"] + documents {
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            let text = try PackageFiles.text(document)
            for match in text.matches(of: #/\]\(([^)#]+)\)/#) {
                let target = folder.isEmpty ? String(match.1) : folder + "/" + String(match.1)
                // An article names a picture as its documentation finds it, in `Resources`, for light and for dark
                // pages.
                let pictures = ["", "~dark"].map { "\(folder)/Resources/\(match.1)\($0).svg" }
                XCTAssertTrue(
                    PackageFiles.exists(target) || pictures.allSatisfy(PackageFiles.exists),
                    "\(document) points at \(match.1)"
                )
            }
            for match in text.matches(of: #/<doc:([A-Za-z]+)>/#) {
                XCTAssertTrue(PackageFiles.exists("\(folder)/\(match.1).md"), "\(document) names \(match.1)")
            }
        }
    }

    func testTheLandingPageListsEveryArticle() throws {
        for folder in Self.folders {
            let page = folder.split(separator: "/")[1] + ".md"
            let landing = try PackageFiles.text(folder + "/" + page)
            for article in try articles(in: folder) where article != page {
                XCTAssertTrue(landing.contains("<doc:\(article.dropLast(3))>"), article)
            }
        }
    }

    func testEveryBlockOfSwiftStandsInATestLetterForLetter() throws {
        let source = try Self.examples.flatMap(PackageFiles.lines)
        for folder in Self.folders {
            for article in try articles(in: folder) {
                let shown = Blocks.shown(in: try PackageFiles.lines(folder + "/" + article))
                XCTAssertEqual(shown.map(Blocks.plain), Blocks.marked(article, in: source).map(Blocks.plain), article)
            }
        }
    }

    func testTheVerifierOfTheArticleSignsIn() async throws {
        let auth = device(of: ForgeClient())
        let user = try await auth.signIn(with: .oauth("forge.example", accessToken: "good")).user
        XCTAssertEqual(user.email, "ann@example.com")
        XCTAssertFalse(user.isEmailVerified, "nobody said that this provider runs the mailbox")
        for (token, cause) in [("bad", "Failure"), (nil, "VerificationFailure")] {
            do {
                try await auth.signIn(with: .oauth("forge.example", accessToken: token))
                XCTFail("signed in with \(token ?? "nothing")")
            } catch {
                XCTAssertEqual(error.code, .invalidCredential)
                XCTAssertEqual(error.cause.map { "\(type(of: $0))" }, cause)
            }
        }
    }

    func testTheSenderOfTheArticleIsWaitedForWhereTheArticleSaysSo() async throws {
        let auth = Auth(AuthConfiguration(messageSender: Mailer()))
        _ = try await auth.sendPhoneCode(to: "+15550001234")
        do {
            _ = try await auth.sendPhoneCode(to: "+15550000000")
            XCTFail("a message that was not sent counts as sent")
        } catch {
            XCTAssertEqual(error.code, .messageNotSent)
            XCTAssertTrue(error.cause is ForgeClient.Failure)
        }
    }

    func testTheMoveOfTheArticleMovesEverybody() async throws {
        let old = World()
        _ = try await old.verifiedUser(in: old.device())
        _ = try await old.device().signInAnonymously()
        let new = World()
        let report = try await move(from: old.service, to: new.service)
        XCTAssertEqual(report.created, 2)
        let accounts = try await new.service.accounts().map(\.id)
        let expected = try await old.service.accounts().map(\.id)
        XCTAssertEqual(accounts, expected)
    }

    func testTheImportOfTheArticleReadsFirebasesFile() async throws {
        let file = #"{"users":[{"localId":"ann","email":"ann@example.com","emailVerified":true}]}"#
        let report = try await importUsers(Array(file.utf8), into: World().service)
        XCTAssertEqual(report.created, 1)
        XCTAssertTrue(report.isComplete, "\(report.problems)")
    }

    func testTheRenamingOfTheArticleKeepsTheAccounts() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        let world = World(providers: [provider])
        func signIn(_ subject: String) async throws -> User {
            let token = SimulatedToken(subject: subject, email: .absent)
            return try await world.device().signIn(with: world.credential("oidc.acme", .ann, saying: token)).user
        }
        let ann = try await signIn("old")
        let report = try await renumber(
            [(old: "old", new: "new"), (old: "gone", new: "other")],
            at: provider.issuer,
            in: world.service
        )
        XCTAssertEqual([report.moved, report.unknown.count], [1, 1])
        let again = try await signIn("new")
        XCTAssertEqual(again.uid, ann.uid)
        try await ann.reload()
    }

    func testTheArticleNamesEveryReservedClaim() throws {
        let text = try PackageFiles.text(Self.folder + "/SessionsAndTokens.md")
        XCTAssertEqual(TokenClaims.reserved.filter { !text.contains("`\($0)`") }, [])
        XCTAssertEqual(TokenClaims.greatestSize, 1000)
    }

    func testTheFollowerOfTheArticleGetsEverythingOnceAndInOrder() async throws {
        let world = World()
        for _ in 0..<200 { _ = try await world.device().signInAnonymously() }
        let service = world.service
        let places = Notebook<UInt64>()
        let (enough, reached) = AsyncStream<Void>.makeStream()
        let follower = Task {
            try await follow(
                service,
                after: .number(3),
                handle: { event in
                    places.note(event.number)
                    if event.number == 402 { reached.finish() }
                },
                save: { _ in },
                wait: { throw $0 }
            )
        }
        _ = try await world.device().signInAnonymously()
        for await _ in enough {}
        follower.cancel()
        _ = await follower.result
        XCTAssertEqual(places.entries, Array(4...402))
    }

    func testTheFollowerOfTheArticleBeginsAtTheStartAndTriesAgainWhatFailed() async throws {
        struct Failure: Error {}
        let world = World()
        for _ in 0..<2 { _ = try await world.device().signInAnonymously() }
        let service = world.service
        let log = try await service.events().events
        let last = try XCTUnwrap(log.last).position
        let (handled, saved, failures) = (Notebook<UInt64>(), Notebook<String>(), Notebook<String>())
        do {
            try await follow(
                service,
                after: nil,
                handle: { event in
                    handled.note(event.number)
                    if event.number == 2, failures.entries.isEmpty { throw Failure() }
                },
                save: { position in
                    saved.note(position.description)
                    if position == last { throw CancellationError() }
                },
                wait: { failures.note("\($0)") }
            )
            XCTFail("what saves the position ends the loop")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        XCTAssertEqual(handled.entries.filter { $0 == 2 }.count, 2, "the event whose handler failed is handled again")
        XCTAssertEqual(failures.entries, ["Failure()"])
        XCTAssertEqual(saved.entries, log.map(\.position.description), "each position once, from the first event on")
        XCTAssertEqual(saved.entries.compactMap { IdentityEvent.Position($0) }, log.map(\.position))
    }

    func testACodeIsLinkedByTheNonceThatCameBackAsItsState() async throws {
        let world = World(.standard, providers: [CodeVerifier(), SimulatedProvider(.google)])
        func user(_ name: String, _ person: SimulatedPerson) async throws -> User {
            let client = world.service.client(for: DeviceID(named: name), origin: .address("192.0.2.1"))
            return try await client.signIn(with: .simulated(.google, person, at: world.clock.now)).user
        }
        let (ann, mallory) = (try await user("ann", .ann), try await user("mallory", .ben))
        func callback(_ state: String) -> AuthCredential {
            var credential = AuthCredential.Federated(provider: "forge.example")
            credential.authorizationCode = Secret("mallory's")
            credential.nonce = Secret(state)
            return .federated(credential)
        }
        let stolen = try await mallory.nonce(for: .link)
        for state in [stolen, "made up", try await ann.nonce(for: .reauthenticate)] {
            do {
                try await ann.link(with: callback(state))
                XCTFail("a code was linked that came back with another state: \(state)")
            } catch { XCTAssertEqual(error.code, .missingOrInvalidNonce, state) }
        }
        let state = try await ann.nonce(for: .link)
        try await ann.link(with: callback(state))
        XCTAssertEqual(ann.providerData.map(\.provider), [.google, "forge.example"])
    }

    /// The verifier of a provider with codes and without ID tokens, as the article describes it.
    private struct CodeVerifier: CredentialVerifier {
        let provider: ProviderID = "forge.example"

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            guard let code = credential.authorizationCode else { throw VerificationFailure.missingToken }
            var assertion = ProviderAssertion(provider: provider, subject: code.revealed)
            assertion.singleUse = credential.nonce.map {
                ProviderAssertion.SingleUse(id: $0.revealed, expiresAt: context.now.addingTimeInterval(600))
            }
            return assertion
        }
    }

    func testTheMergeOfTheArticleTakesTheOrdersAlong() async throws {
        let world = World(.standard)
        let source = try await world.device("old").signIn(with: world.credential(.gitHub)).user.account.id
        let target = try await world.device("new").signIn(with: world.credential(.facebook, .ben)).user.account.id
        let shop = Shop([source: 3, target: 4])
        let hooked = World(.standard) { configuration in
            configuration.store = world.store
            configuration.environment = .manual(world.clock, seed: 2)
            configuration.mergeHooks = [MovesOrders(shop: shop)]
        }
        let auth = hooked.device()
        let merged = try await merge(world.credential(.gitHub), into: world.credential(.facebook, .ben), on: auth)
        let orders = await shop.orders
        XCTAssertEqual(orders, [target: 7])
        try await auth.undoMerge(merged.id, verifiedBy: .verified(auth.verify(world.credential(.gitHub))))
        let back = await shop.orders
        XCTAssertEqual(back, [source: 3, target: 4])
    }

    func testTheLifetimesAreThoseOfTheTable() throws {
        let lifetimes = AuthPolicy.standard.lifetimes
        let expected = [
            "verifyEmail": lifetimes.mailCode, "changeEmail": lifetimes.mailCode, "resetPassword": lifetimes.mailCode,
            "signInLink": lifetimes.signInLink, "recoverEmail": lifetimes.emailRecovery,
            "phoneCode": lifetimes.phoneCode,
        ]
        let names: [Duration: String] = [
            .seconds(3600): "an hour", .seconds(600): "ten minutes", .seconds(14 * 86400): "14 days",
        ]
        let text = try PackageFiles.text(Self.folder + "/MailedCodes.md")
        for (kind, lifetime) in expected {
            XCTAssertTrue(text.contains("| ``Message/Kind/\(kind)`` | \(names[lifetime] ?? "?") |"), kind)
        }
        XCTAssertTrue(
            text.contains("| notices, such as ``Message/Kind/methodAdded`` | \(names[lifetimes.notice] ?? "?") |")
        )
    }

    // MARK: Reasons

    func testEveryReasonExplainsItself() {
        XCTAssertEqual(Set(Reason.all).count, Reason.all.count)
        XCTAssertGreaterThan(Reason.all.count, 100)
        for reason in Reason.all { XCTAssertTrue(reason.explanation.hasSuffix("."), "\(reason)") }
        XCTAssertEqual(Reason(rawValue: "notOurs").explanation, "notOurs")
    }

    func testReasonsAreListedAsTheyExplainThemselves() throws {
        let path = Self.folder + "/Reasons.md"
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try Data(ReasonsDocument.text.utf8).write(to: PackageFiles.root.appending(path: path))
        }
        XCTAssertEqual(
            try PackageFiles.text(path),
            ReasonsDocument.text,
            "run WRITE_DOCUMENTS=1 swift test --filter ArticleTests"
        )
    }

    func testErrorsAreListedAsTheyExplainThemselves() throws {
        let path = Self.folder + "/Errors.md"
        let text = ErrorsDocument.text(after: try PackageFiles.text(path))
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil {
            try Data(text.utf8).write(to: PackageFiles.root.appending(path: path))
        }
        XCTAssertEqual(
            try PackageFiles.text(path),
            text,
            "run WRITE_DOCUMENTS=1 swift test --filter ArticleTests"
        )
    }
}
