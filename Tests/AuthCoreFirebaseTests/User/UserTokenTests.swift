@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreFirebase

/// What a user's tokens say, and when new ones take their place.
final class UserTokenTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }

    func testTokensSayWhatTheyRestOn() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let first = try await user.getIDToken()
        let again = try await user.getIDToken()
        XCTAssertEqual(first, again)
        let begun = world.clock.now
        world.clock.advance(by: .seconds(600))
        let result = try await user.getIDTokenResult(forcingRefresh: true)
        XCTAssertEqual(result.authDate, begun, "when the person signed in")
        XCTAssertEqual(result.issuedAtDate, begun + 600, "when the token was issued")
        XCTAssertEqual(result.signInProvider, "password")
        XCTAssertEqual(result.signInSecondFactor, "")
        XCTAssertEqual(result.claims["sub"] as? String, user.uid)
        XCTAssertEqual(result.expirationDate.timeIntervalSince(result.issuedAtDate), 3600)
        let pair = try await world.service.client(for: "another device", origin: .unknown).refresh(
            try XCTUnwrap(user.refreshToken)
        )
        XCTAssertEqual(pair.idToken.claims["sub"]?.stringValue, user.uid)
        XCTAssertEqual(auth.getUserID(), user.uid)
    }

    func testAForcedRefreshAlwaysGivesANewToken() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        var tokens: Set = [try await user.getIDToken()]
        for count in 2...4 {
            tokens.insert(try await user.getIDToken(forcingRefresh: true))
            XCTAssertEqual(tokens.count, count, "two refreshes of the same second gave the same token")
        }
        let kept = try await user.getIDToken()
        XCTAssertTrue(tokens.contains(kept))
    }

    func testAChangeOfPrivilegesBringsTheCurrentUserNewTokens() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let server = world.service.client(for: "server", origin: .unknown)
        let before = (try await user.getIDToken(), try XCTUnwrap(user.refreshToken))
        try await user.updatePassword(to: "another long one")
        XCTAssertNotEqual(user.refreshToken, before.1, "the refresh token from before the change")
        let renewed = user.refreshToken
        try await user.reload()
        XCTAssertEqual(user.refreshToken, renewed, "what changes no privilege brings no token")
        for _ in 0..<2 {
            let after = (try await user.getIDToken(), try XCTUnwrap(user.refreshToken))
            XCTAssertNotEqual(after.0, before.0)
            _ = try await server.user(forIDToken: after.0)
            try await user.reauthenticate(
                with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "another long one")
            )
        }
        _ = try await server.refresh(try XCTUnwrap(user.refreshToken))
        do {
            _ = try await server.user(forIDToken: before.0)
            XCTFail("the ID token from before the change is still good")
        } catch {
            XCTAssertEqual(error.code, .userTokenExpired, "the ID token from before the change")
        }
        XCTAssertTrue(auth.currentUser === user)
    }

    func testAMailedCodeBringsNewTokensOnlyWhereItChangesPrivileges() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        for (what, isChange) in [("the first verification", true), ("another one", false)] {
            let before = user.refreshToken
            try await user.sendEmailVerification()
            try await auth.applyActionCode(world.newestCode)
            XCTAssertEqual(user.refreshToken != before, isChange, "whether \(what) brings a new refresh token")
        }
    }

    /// A token that was exchanged ends the session, so no handle may hold one.
    func testEveryHandleOfASessionHasItsNewestRefreshToken() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let other = try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        ).user
        XCTAssertFalse(other === user, "the test needs two handles")
        try await other.updatePassword(to: "another long one")
        XCTAssertEqual(user.refreshToken, other.refreshToken, "the refresh token of the other handle")
        _ = try await world.service.client(for: "server", origin: .unknown).refresh(
            try XCTUnwrap(user.refreshToken)
        )
    }

    func testTwoChangesOfPrivilegesAtOnceLeaveTheNewestRefreshToken() async throws {
        let signer = SlowSigner()
        let world = World(signer: signer)
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        signer.holdNext()
        let changes = ["the first", "the second"].map { expectation(description: $0) }
        let isDone = { (place: Int, error: (any Error)?) in
            XCTAssertNil(error, "a change of the password")
            changes[place].fulfill()
        }
        user.updatePassword(to: "another long one") { isDone(0, $0) }
        while !signer.isHolding { await Task.yield() }
        let held = user.refreshToken
        user.updatePassword(to: "yet another long one") { isDone(1, $0) }
        let patience = ContinuousClock.now + .seconds(30)
        var made = 0
        while made < 2, ContinuousClock.now < patience {
            made = try await world.service.events().events.count { $0.kind == .methodsChanged }
        }
        XCTAssertEqual(made, 2, "the changes that are made while the tokens of the first are held")
        // Tokens of the second would come now if they did not wait for those of the first.
        for _ in 0..<1000 where user.refreshToken == held { await Task.yield() }
        signer.goOn()
        await fulfillment(of: changes, timeout: 10)
        _ = try await world.service.client(for: "server", origin: .unknown).refresh(
            try XCTUnwrap(user.refreshToken)
        )
    }

    func testATokenThatIsAskedForBesideAChangeOfPrivilegesLeavesTheRefreshTokenOfTheChange() async throws {
        let signer = SlowSigner()
        let world = World(signer: signer)
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let isAnswered = expectation(description: "the token is there")
        signer.holdNext()
        user.getIDTokenForcingRefresh(true) { _, error in
            XCTAssertNil(error, "the error of the token")
            isAnswered.fulfill()
        }
        while !signer.isHolding { await Task.yield() }
        try await assertTheTokenOfAChangeStays(user, world, beside: isAnswered) { signer.goOn() }
    }

    /// Changes privileges, lets what is held go on, and expects that the refresh token of the change is still good.
    private func assertTheTokenOfAChangeStays(
        _ user: AuthCoreFirebase.User,
        _ world: World,
        beside isAnswered: XCTestExpectation,
        _ goOn: () -> Void
    ) async throws {
        try await user.updatePassword(to: "another long one")
        let token = try XCTUnwrap(user.refreshToken)
        goOn()
        await fulfillment(of: [isAnswered], timeout: 10)
        XCTAssertEqual(user.refreshToken, token, "the refresh token that the change brought")
        _ = try await world.service.client(for: "server", origin: .unknown).refresh(token)
    }

    func testAReloadBesideAChangeOfPrivilegesLeavesTheRefreshTokenOfTheChange() async throws {
        let (store, gate) = (FaultyStore(), Gate())
        let world = World(store: store)
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let isAnswered = expectation(description: "the account was read again")
        store.script(.load, .waitsAfterwards(gate))
        user.reload { error in
            XCTAssertNil(error, "the error of the reload")
            isAnswered.fulfill()
        }
        await gate.waitForArrivals()
        try await assertTheTokenOfAChangeStays(user, world, beside: isAnswered) { gate.open() }
    }

    func testOfTwoChangesOfPrivilegesTheSecondBringsOnePairOfTokensWhereverThoseOfTheFirstAreHeld() async throws {
        let places: [(name: String, fault: (Gate) -> StoreFault)] = [
            ("before they are written", { .waitsBefore($0) }), ("after they were written", { .waitsAfterwards($0) }),
        ]
        for (name, fault) in places {
            let (store, gate) = (FaultyStore(), Gate())
            let user = try await World(store: store).verifiedUser()
            let changes = ["the first", "the second"].map { expectation(description: $0) }
            let isDone = { (place: Int, error: (any Error)?) in
                XCTAssertNil(error, "a change of the password, where the tokens are held \(name)")
                changes[place].fulfill()
            }
            store.script(.commit, .succeeds, fault(gate))
            user.updatePassword(to: "another long one") { isDone(0, $0) }
            await gate.waitForArrivals()
            let rotation = user.core.session.rotation
            user.updatePassword(to: "yet another long one") { isDone(1, $0) }
            while user.core.session.rotation == rotation { await Task.yield() }
            gate.open()
            await fulfillment(of: changes, timeout: 10)
            let session = user.core.session
            let pairs = session.refreshCount - session.rotation
            XCTAssertEqual(pairs, 1, "the pairs of tokens of the second change, where the first are held \(name)")
        }
    }

    func testAnObjectFromBeforeTheFactorOfItsSessionWasShownLeavesTheNewestRefreshToken() async throws {
        let user = try await world.personWithFactor()
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await user.reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        try auth.signOut()
        let newest = try await resolver.resolveSignIn(with: assertion).user
        XCTAssertFalse(newest.core === user.core, "the test needs two objects of the session")
        let token = try XCTUnwrap(newest.refreshToken)
        _ = try await user.getIDToken()
        XCTAssertEqual(newest.refreshToken, token, "the refresh token that the factor brought")
        _ = try await world.service.client(for: "server", origin: .unknown).refresh(token)
    }

    func testAListenerIsCalledAfterTheTokensWereRenewed() async throws {
        let signer = SlowSigner()
        let world = World(signer: signer)
        let auth = world.auth
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "another long one")
        let changes: [(String, (@escaping ((any Error)?) -> Void) -> Void)] = [
            ("a new password", { user.updatePassword(to: "another long one", completion: $0) }),
            ("a re-authentication", { heard in user.reauthenticate(with: password) { heard($1) } }),
            ("a sign-in", { heard in auth.signIn(with: password) { heard($1) } }),
        ]
        for (what, change) in changes {
            let before = auth.currentUser?.refreshToken
            let heard = Mutex<[String?]>([])
            let handle = auth.addIDTokenDidChangeListener { _, user in
                heard.withLock { $0.append(user?.refreshToken) }
            }
            signer.holdNext()
            let isDone = expectation(description: what)
            change { error in
                XCTAssertNil(error, what)
                isDone.fulfill()
            }
            while !signer.isHolding { await Task.yield() }
            await DispatchQueue.main.settle()
            signer.goOn()
            await fulfillment(of: [isDone], timeout: 10)
            await DispatchQueue.main.settle()
            auth.removeIDTokenDidChangeListener(handle)
            let after = auth.currentUser?.refreshToken
            XCTAssertNotEqual(after, before, "\(what) brings a new token")
            XCTAssertEqual(heard.withLock { $0 }, [before, after], "the tokens that a listener finds around \(what)")
        }
    }

    func testARefreshTokenStaysUntilANewOneCanBeIssued() async throws {
        let store = FaultyStore()
        let user = try await World(store: store).verifiedUser()
        let token = user.refreshToken
        XCTAssertNotNil(token, "the refresh token of a sign-up")
        store.script(.commit, [.succeeds], then: .failsBefore())
        try await user.updatePassword(to: "battery staple")
        XCTAssertEqual(user.refreshToken, token, "the refresh token when the store fails after the change")
        store.script(.commit)
        _ = try await user.getIDToken(forcingRefresh: true)
        let renewed = try XCTUnwrap(user.refreshToken)
        XCTAssertNotEqual(renewed, token, "the refresh token once the store answers again")
        _ = try await user.core.service.client(for: nil, origin: .local).refresh(renewed)
    }

    func testUnlinkingLeavesTheSignInProviderOfTheSession() async throws {
        let user = try await auth.signIn(with: world.phone("+15555550100", in: auth)).user
        try await user.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        _ = try await user.unlink(fromProvider: "google.com")
        let token = try await user.getIDTokenResult(forcingRefresh: true)
        XCTAssertEqual(token.signInProvider, "google.com", "the provider of the last sign-in")
        let session = try await user.multiFactor.session()
        let sent = world.outbox.messages.count
        _ = try await PhoneAuthProvider.provider(auth: auth)
            .verifyPhoneNumber("+15555550111", multiFactorSession: session)
        XCTAssertEqual(world.outbox.messages.count, sent + 1, "the codes for the number of a factor")
    }
}

/// A signer that holds one signature back until it is told to go on.
private final class SlowSigner: TokenSigner {
    private let signer = HMACTokenSigner([Array(repeating: 1, count: 32)])
    private let state = Mutex((holdsNext: false, isHolding: false))

    var algorithm: String { signer.algorithm }
    var keyID: String { signer.keyID }
    var isHolding: Bool { state.withLock { $0.isHolding } }

    func holdNext() { state.withLock { $0.holdsNext = true } }

    func goOn() { state.withLock { $0.isHolding = false } }

    func sign(_ input: [UInt8]) async throws -> [UInt8] {
        let isHeld = state.withLock { state in
            defer { state.holdsNext = false }
            if state.holdsNext { state.isHolding = true }
            return state.holdsNext
        }
        while isHeld, isHolding { await Task.yield() }
        return try await signer.sign(input)
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        try await signer.isValid(signature, of: input, keyID: keyID)
    }
}
