@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

/// README.md says what is true: its Swift is compiled and run here, and what it points at is there.
final class ReadmeTests: LimitedTestCase {
    func testEveryBlockOfSwiftStandsInATestLetterForLetter() throws {
        var shown = Blocks.shown(in: try PackageFiles.lines("README.md"))
        let manifest = shown.remove(at: 1)
        XCTAssertTrue(manifest.contains { $0.contains(#".product(name: "AuthCore", package: "auth-core")"#) })
        XCTAssertEqual(shown.first?.prefix(3), ["import AuthCore", "import AuthCoreTesting", ""])
        shown[0].removeFirst(3)
        let tested = Blocks.marked("README.md", in: try PackageFiles.lines(Self.examples))
        XCTAssertEqual(shown.map(Blocks.plain), tested.map(Blocks.plain))
        XCTAssertEqual(shown.count, 6)
    }

    private static let examples = "Tests/AuthCoreTests/Documents/ReadmeExamples.swift"

    func testTheFirstLinesEndInTheAccountWithBothIdentities() async throws {
        let user = try await signInWithGitHubAndResolve().currentUser
        XCTAssertEqual(user?.providerData.map(\.provider), [.google, .gitHub])
    }

    func testTheAppsSignInHandlesEveryDetail() async throws {
        let auth = Auth(providers: .simulated, policy: .pinned)
        // Her employer runs the mailbox and uses Google for it.
        let work = SimulatedToken(hostedDomain: "example.com")
        try await auth.signIn(with: .simulated(.google, .ann, saying: work))
        try await auth.signOut()
        try await App.signIn(auth, with: .simulated(.facebook, .ann), digits: { "" })
        XCTAssertNil(auth.currentUser)

        let ann = try await auth.signIn(with: .simulated(.google, .ann, saying: work)).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let seed = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        let code = TimeBasedCode()
        let step = code.step(at: Timestamp(Date()).seconds)
        // The step before this one, so that the one of now is still unused.
        try await ann.multiFactor.enroll(enrollment, code: code.code(forStep: step - 1, secret: seed))
        try await auth.signOut()
        try await App.signIn(auth, with: .simulated(.google, .ann, saying: work)) {
            code.code(forStep: step, secret: seed)
        }
        XCTAssertEqual(auth.currentUser?.session.factor?.kind, .totp)

        do {
            try await App.signIn(auth, with: .google(idToken: "nonsense"), digits: { "" })
            XCTFail("nonsense signs in")
        } catch {
            XCTAssertEqual((error as? AuthError)?.code, .invalidCredential)
        }
    }

    func testTheExplanationOfALinkIsInPlainWords() async throws {
        let auth = Auth(providers: .simulated)
        let nobody = try await Explanation.explainLink(of: .simulated(.google, .ann), on: auth)
        XCTAssertEqual(nobody, "No user is signed in.")
        try await auth.signInAnonymously()
        let explained = try await Explanation.explainLink(of: .simulated(.google, .ann), on: auth)
        XCTAssertTrue(explained.contains("adds google.com as a sign-in method"), explained)
    }

    func testTheServersLinesSignInAndLink() async throws {
        let service = AuthService(AuthConfiguration(policy: .pinned, providers: .simulated))
        let work = SimulatedToken(hostedDomain: "example.com")
        let google = AuthCredential.simulated(.google, .ann, saying: work)
        let (token, cookie) = try await Server.signIn(service, with: google, cookie: nil, address: "192.0.2.1")
        let client = service.client(for: DeviceID(rawValue: cookie), origin: .address("192.0.2.1"))
        let nonce = try await client.user(forIDToken: token).nonce(for: .link)
        let apple = AuthCredential.simulated(.apple, .ann, saying: SimulatedToken(nonce: nonce))
        try await Server.link(apple, toBearerOf: token, on: client)
        let account = try await service.account(email: "ann@example.com")
        XCTAssertEqual(account?.methods.map(\.kind.provider), [.google, .apple])
    }

    func testThePolicyOfItsOwnIsInForce() async {
        let auth = deviceWithAPolicyOfItsOwn()
        do {
            try await auth.signInAnonymously()
            XCTFail("anonymous sign-in is disabled")
        } catch {
            XCTAssertEqual(error.code, .adminRestrictedOperation)
        }
    }

    func testThePicturesAreThere() throws {
        let text = try PackageFiles.text("README.md")
        let pictures = text.matches(of: #/src(?:set)?="([^"]+)"/#).map { String($0.1) }
        XCTAssertEqual(pictures.count, 4, "the picture has a light and a dark form, each for wide and narrow pages")
        for picture in pictures { XCTAssertTrue(PackageFiles.exists(picture), picture) }
    }

    func testEveryProductAndTraitThatItNamesIsThere() throws {
        let manifest = try PackageFiles.text("Package.swift")
        var (products, traits) = (0, 0)
        var table = ""
        for line in try PackageFiles.lines("README.md") {
            if line.hasPrefix("| product ") || line.hasPrefix("| trait ") { table = line }
            if !line.hasPrefix("|") { table = "" }
            guard !table.isEmpty, let cell = line.split(separator: "|").first, cell.contains("`") else { continue }
            for name in cell.matches(of: #/`([A-Za-z]+)`/#).map({ String($0.1) }) {
                if table.hasPrefix("| trait ") {
                    traits += 1
                    XCTAssertTrue(manifest.contains(".trait(name: \"\(name)\""), "there is no trait \(name)")
                } else {
                    products += 1
                    let isThere = ["library", "executable"].contains { manifest.contains(".\($0)(name: \"\(name)\"") }
                    XCTAssertTrue(isThere, "there is no product \(name)")
                }
            }
        }
        XCTAssertGreaterThan(products, 6)
        XCTAssertGreaterThan(traits, 0)
    }

    func testWhatItSaysOfTheErrorNumbersAndTheTracesIsSo() throws {
        XCTAssertEqual(AuthErrorCode.accountExistsWithDifferentCredential.rawValue, 17012)
        XCTAssertEqual(AuthErrorCode.credentialAlreadyInUse.rawValue, 17025)
        XCTAssertEqual(AuthErrorCode.secondFactorRequired.rawValue, 17078)
        let traces = try PackageFiles.lines("Tests/authlabTests/Traces/firebase-traces.jsonl")
        XCTAssertEqual(traces.count { !$0.isEmpty }, 400)
    }
}
