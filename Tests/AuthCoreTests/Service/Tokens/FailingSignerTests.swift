@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A signer whose key service does not answer for a while.
private final class FlakySigner: TokenSigner {
    let whole: HMACTokenSigner
    let isDown = Mutex(false)
    let cancels = Mutex(false)
    let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init() throws { whole = HMACTokenSigner(current: try .init(id: "one", secret: Array(repeating: 9, count: 32))) }

    var algorithm: String { whole.algorithm }
    var keyID: String { whole.keyID }

    func sign(_ input: [UInt8]) async throws -> [UInt8] {
        let meanwhile = meanwhile.withLock { $0.take() }
        try await meanwhile?()
        if isDown.withLock({ $0 }) { throw StoreFailure() }
        if cancels.withLock({ $0 }) { throw CancellationError() }
        return try await whole.sign(input)
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        if cancels.withLock({ $0 }) { throw CancellationError() }
        return try await whole.isValid(signature, of: input, keyID: keyID)
    }
}

/// A signer that fails costs no session, and its tokens say what they are.
final class FailingSignerTests: LimitedTestCase {
    private func signedIn() async throws -> (signer: FlakySigner, world: World, ann: User) {
        let signer = try FlakySigner()
        let world = World(.standard) { $0.tokenSigner = signer }
        let ann = try await world.device().signIn(with: .simulated(.google, .ann)).user
        return (signer, world, ann)
    }

    func testASignerThatIsDownDuringAnExchangeEndsNoSession() async throws {
        let (signer, world, ann) = try await signedIn()
        let tokens = try await ann.issueTokens()
        let client = world.service.client(for: nil, origin: .local)
        signer.isDown.withLock { $0 = true }
        await assertThrows(.internalError) { try await client.refresh(tokens.refreshToken) }
        signer.isDown.withLock { $0 = false }
        // The client got an error of the server, so it asks again with the only token that it has.
        let next = try await client.refresh(tokens.refreshToken)
        let user = try await client.user(forIDToken: next.idToken.token)
        XCTAssertEqual(user.uid, ann.uid, "whose the next tokens are")
        XCTAssertEqual(user.session.id, ann.session.id, "the session of the next tokens")
        try await ann.reload()
    }

    /// The account changes while the token is signed, so that another one must be signed.
    func testASignerThatIsDownAtTheSecondSignatureOfAnExchangeEndsNoSession() async throws {
        let (signer, world, ann) = try await signedIn()
        let tokens = try await ann.issueTokens()
        let service = world.service
        let client = service.client(for: nil, origin: .local)
        signer.meanwhile.withLock { meanwhile in
            meanwhile = {
                try await service.setCustomClaims(["role": "none"], account: ann.accountID)
                signer.meanwhile.withLock { $0 = { signer.isDown.withLock { $0 = true } } }
            }
        }
        await assertThrows(.internalError) { try await client.refresh(tokens.refreshToken) }
        signer.isDown.withLock { $0 = false }
        let next = try await client.refresh(tokens.refreshToken)
        XCTAssertEqual(next.idToken.claims["role"], "none")
    }

    func testASignerThatIsDownWhileTokensAreIssuedKeepsTheOnesBefore() async throws {
        let (signer, world, ann) = try await signedIn()
        let tokens = try await ann.issueTokens()
        let client = world.service.client(for: nil, origin: .local)
        signer.isDown.withLock { $0 = true }
        await assertThrows(.internalError) { try await ann.issueTokens() }
        signer.isDown.withLock { $0 = false }
        let next = try await client.refresh(tokens.refreshToken)
        let user = try await client.user(forIDToken: next.idToken.token)
        XCTAssertEqual(user.session.id, ann.session.id, "the session of the tokens that follow the ones before")
    }

    /// Another user of the session issued the tokens, so that this one must issue its own twice.
    func testASignerThatFailsAUserWhoIsOutOfDateKeepsTheTokensOfAnother() async throws {
        let (signer, world, ann) = try await signedIn()
        let client = world.service.client(for: nil, origin: .local)
        let other = try await client.user(forIDToken: ann.idToken())
        let tokens = try await other.issueTokens()
        signer.meanwhile.withLock { first in
            first = { signer.meanwhile.withLock { $0 = { signer.isDown.withLock { $0 = true } } } }
        }
        await assertThrows(.internalError, "the second signature") { try await ann.issueTokens() }
        signer.isDown.withLock { $0 = false }
        _ = try await client.refresh(tokens.refreshToken)
        let own = try await ann.issueTokens()
        _ = try await client.refresh(own.refreshToken)
    }

    func testClaimsThatChangeWhileAnExchangeIsSignedAreInItsToken() async throws {
        let (signer, world, ann) = try await signedIn()
        let tokens = try await ann.issueTokens()
        let service = world.service
        signer.meanwhile.withLock { meanwhile in
            meanwhile = { try await service.setCustomClaims(["role": "none"], account: ann.accountID) }
        }
        let next = try await service.client(for: nil, origin: .local).refresh(tokens.refreshToken)
        XCTAssertEqual(next.idToken.claims["role"], "none", "a token of the state before")
    }

    func testACancellationInASignerIsACancellation() async throws {
        let (signer, world, ann) = try await signedIn()
        let token = try await ann.idToken()
        let custom = try await world.service.makeCustomToken(for: "ben")
        signer.cancels.withLock { $0 = true }
        await assertThrows(.canceled, "signing") { try await ann.idToken(forcingRefresh: true) }
        await assertThrows(.canceled, "checking a custom token") {
            try await world.device("other").signIn(with: .customToken(custom))
        }
        await assertThrows(.canceled, "checking") {
            try await world.service.client(for: nil, origin: .local).user(forIDToken: token)
        }
    }

    func testAnIDTokenIsGoodUntilTheDateThatItsResultNames() async throws {
        let world = World(.standard)
        world.clock.advance(by: .seconds(0.75))
        let ann = try await world.device().signIn(with: .simulated(.google, .ann)).user
        let token = try await ann.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(token.claims["exp"]?.numberValue, token.expirationDate.timeIntervalSince1970)
        world.clock.set(token.expirationDate.addingTimeInterval(-0.5))
        do { _ = try await world.service.client(for: nil, origin: .local).user(forIDToken: token.token) } catch {
            XCTFail("\(error.code), half a second before it expires")
        }
    }

    func testTheResultOfAnIDTokenNamesTheSecondsOfItsClaims() async throws {
        let world = World(.standard)
        world.clock.advance(by: .seconds(0.5))
        let ann = try await world.device().signIn(with: .simulated(.google, .ann)).user
        let token = try await ann.idTokenResult(forcingRefresh: true)
        let (issued, authenticated) = (token.claims["iat"]?.numberValue, token.claims["auth_time"]?.numberValue)
        XCTAssertEqual(token.issuedAtDate.timeIntervalSince1970, issued, "when the token was issued")
        XCTAssertEqual(token.authDate.timeIntervalSince1970, authenticated, "when Ann signed in")
    }
}

/// A signer whose key service rotates its key while it signs.
private final class RotatingSigner: TokenSigner {
    let signers: [HMACTokenSigner]
    let index = Mutex(0)
    /// During how many of the next signatures it rotates its key.
    let rotations = Mutex(0)

    init() throws {
        let keys = try (0..<2).map { number throws(AuthError) in
            try HMACTokenSigner.Key(id: "key \(number)", secret: Array(repeating: UInt8(number + 1), count: 32))
        }
        signers = [HMACTokenSigner(current: keys[0], former: [keys[1]]), .init(current: keys[1], former: [keys[0]])]
    }

    private var current: HMACTokenSigner { signers[index.withLock { $0 }] }
    var algorithm: String { current.algorithm }
    var keyID: String { current.keyID }

    func sign(_ input: [UInt8]) async throws -> [UInt8] {
        let rotates = rotations.withLock { left in
            left -= 1
            return left >= 0
        }
        if rotates { index.withLock { $0 = 1 - $0 } }
        return try await current.sign(input)
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        try await current.isValid(signature, of: input, keyID: keyID)
    }
}

final class RotatingSignerTests: LimitedTestCase {
    func testATokenThatIsSignedWhileTheKeyRotatesOnceOrTwiceIsValid() async throws {
        for count in 1...2 {
            let signer = try RotatingSigner()
            let world = World(.standard) { $0.tokenSigner = signer }
            let ann = try await world.device().signIn(with: .simulated(.google, .ann)).user
            signer.rotations.withLock { $0 = count }
            do {
                let token = try await ann.idToken(forcingRefresh: true)
                _ = try await world.service.client(for: nil, origin: .local).user(forIDToken: token)
            } catch {
                XCTFail("no token that the service knows, after \(count) rotations: \(error)")
            }
        }
    }

    func testAKeyThatRotatesAtEachSignatureIsAnErrorOfTheServer() async throws {
        let signer = try RotatingSigner()
        let ann = try await World(.standard) { $0.tokenSigner = signer }.device().signInAnonymously().user
        signer.rotations.withLock { $0 = 3 }
        let error = await authError { try await ann.idToken(forcingRefresh: true) }
        XCTAssertEqual(error?.code, .internalError)
        XCTAssertEqual(error?.message, "The signer's key changes at every signature.")
    }
}
