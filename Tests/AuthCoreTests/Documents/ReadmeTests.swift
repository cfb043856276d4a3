@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// README.md says what is true: its Swift is compiled and run here, and what it points at is there.
final class ReadmeTests: XCTestCase {
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
        let user = try await signUpLinkAndResolve().currentUser
        XCTAssertEqual(user?.providerData.map(\.provider), [.password, .google, .facebook])
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
        let step = code.step(at: Timestamp(Date()))
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

    func testTheServersLinesSignInAndCloseAnAccount() async throws {
        let service = AuthService(AuthConfiguration(policy: .pinned, providers: .simulated))
        let work = SimulatedToken(hostedDomain: "example.com")
        let google = AuthCredential.simulated(.google, .ann, saying: work)
        let (token, cookie) = try await Server.signIn(service, with: google, cookie: nil, address: "192.0.2.1")
        let client = service.client(for: DeviceID(rawValue: cookie), origin: .address("192.0.2.1"))
        let nonce = try await client.user(forIDToken: token).nonce(for: .link)
        let apple = AuthCredential.simulated(.apple, .ann, saying: SimulatedToken(nonce: nonce))
        try await Server.link(apple, toBearerOf: token, on: client)
        try await Server.close(service, accountOf: "ann@example.com")
        try await Server.close(service, accountOf: "nobody@example.com")
        let account = try await service.account(email: "ann@example.com")
        XCTAssertEqual(account?.methods.map(\.kind.provider), [.google, .apple])
        XCTAssertEqual(account?.isDisabled, true)
    }

    func testThePolicyOfItsOwnIsInForce() async {
        let auth = deviceWithAPolicyOfItsOwn()
        do {
            try await auth.signInAnonymously()
            XCTFail("anonymous sign-in is switched off")
        } catch {
            XCTAssertEqual(error.code, .adminRestrictedOperation)
        }
    }

    func testWhatItSaysOfTheErrorNumbersAndTheTracesIsSo() throws {
        XCTAssertEqual(AuthErrorCode.accountExistsWithDifferentCredential.rawValue, 17012)
        XCTAssertEqual(AuthErrorCode.credentialAlreadyInUse.rawValue, 17025)
        XCTAssertEqual(AuthErrorCode.secondFactorRequired.rawValue, 17078)
        let traces = try PackageFiles.lines("Tests/authlabTests/Traces/firebase-traces.jsonl")
        XCTAssertEqual(traces.count { !$0.isEmpty }, 400)
    }
}
