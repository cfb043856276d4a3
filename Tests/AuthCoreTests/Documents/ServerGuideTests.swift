import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// The guides' lines about a server, its policy, and what an operator does.
final class ServerGuideTests: GuideTestCase {
    func testARouteReadsTheClaimsAsTheyAreNow() async throws {
        let service = makeService()
        let client = service.client(for: nil, origin: .local)
        let user = try await client.signIn(with: .simulated(.google, .ann)).user
        let token = try await user.idToken()
        let before = try await Guide.isAdministrator(bearer: token, on: client)
        XCTAssertFalse(before, "no claim was set yet")
        try await service.setCustomClaims(["admin": true], account: user.accountID)
        let after = try await Guide.isAdministrator(bearer: token, on: client)
        XCTAssertTrue(after, "the claim is read with the token from before")
        let claims = try await user.idTokenResult(forcingRefresh: true).claims
        XCTAssertEqual(claims["admin"], true)
        XCTAssertNotNil(claims["jti"], "a token that was asked for anew differs from every other")
    }

    func testASignerOverAKeyServiceSignsTokens() async throws {
        var configuration = AuthConfiguration(providers: .simulated, environment: .manual(clock))
        configuration.tokenSigner = Guide.KeyServiceSigner(keyID: "key 1", keys: KeyService())
        let client = AuthService(configuration).client(for: nil, origin: .local)
        let user = try await client.signIn(with: .simulated(.google, .ann)).user
        let same = try await client.user(forIDToken: user.idToken())
        XCTAssertEqual(same.uid, user.uid)
    }

    func testAnOperatorFindsAnAccountAndReadsAPersonsData() async throws {
        let outbox = outbox
        let auth = Auth(service: makeService())
        let user = try await signInByMail("ann@example.com", on: auth)
        try await Guide.changeNumber(
            of: user,
            to: "+15550001234",
            digits: { (try? outbox.code(.phoneCode, to: "+15550001234")) ?? "" },
            on: auth
        )
        for text in ["ann@example.com", "+15550001234"] {
            let found = try await Guide.find(text, in: auth.service)
            XCTAssertEqual(found?.id, user.accountID, text)
        }
        try await auth.service.setCustomClaims(["level": 3], account: user.accountID)
        let lines = try await Guide.personalData(of: user.accountID, sessions: user.sessions(), in: auth.service)
        let text = lines.joined(separator: "\n")
        let parts = [
            user.uid, "ann@example.com", "+15550001234", "session since", "accountCreated at", "claims {\"level\":3}",
            "mailboxCode",
        ]
        for part in parts { XCTAssertTrue(text.contains(part), "\(part) in \(text)") }
    }

    func testAnAddressThatAnAccountOnlyDisplaysFindsNoAccount() async throws {
        let auth = Auth(service: makeService())
        let user = try await auth.signIn(with: .simulated(.gitHub, .ann, at: clock.now)).user
        let email = try XCTUnwrap(user.email)
        let found = try await Guide.find(email, in: auth.service)
        XCTAssertNil(found, "GitHub's address is displayed and not owned")
        let accounts = try await auth.service.accounts()
        XCTAssertEqual(accounts.filter { $0.email?.description == email }.map(\.id), [user.accountID])
    }

    func testAfterARestoreTheArticleEndsAllSessionsButThoseOfGuests() async throws {
        let service = makeService()
        let (ann, guest, gone) = (Auth(service: service), Auth(service: service), Auth(service: service))
        let user = try await ann.signIn(with: .simulated(.google, .ann, at: clock.now)).user
        let stranger = try await guest.signInAnonymously().user
        let leaving = try await gone.signIn(with: .simulated(.google, .ben, at: clock.now)).user
        try await leaving.delete()
        clock.advance(by: .seconds(8 * 86_400))
        try await Guide.endAllSessions(in: service)
        do {
            try await user.reload()
            XCTFail("the session goes on")
        } catch { XCTAssertEqual(error.code, .userTokenExpired) }
        do { try await stranger.reload() } catch { XCTFail("a guest has lost the account: \(error)") }
    }

    func testAStoreThatWasFilledUnderAnotherPresetNeedsItsAddressReservation() async throws {
        func auth(over store: InMemoryIdentityStore, _ policy: AuthPolicy) -> Auth {
            Auth(AuthConfiguration(store: store, policy: policy, passwordHasher: CheapPasswordHasher()))
        }
        for (old, new) in [(AuthPolicy.firebase, AuthPolicy.standard), (.standard, .firebase)] {
            let store = InMemoryIdentityStore()
            let ann = AuthCredential.password(email: "ann@example.com", password: "correct horse battery")
            let user = try await auth(over: store, old).signUp(
                email: "ann@example.com",
                password: "correct horse battery"
            ).user
            do {
                try await auth(over: store, new).signIn(with: ann)
                XCTFail("the keys of the store were made by another rule")
            } catch {
                XCTAssertEqual(error.code, .keyRuleMismatch)
            }
            var kept = new
            kept.addressReservation = old.addressReservation
            let back = try await auth(over: store, kept).signIn(with: ann).user
            XCTAssertEqual(back.uid, user.uid, "all other choices can change")
        }
    }

    func testTheServersConfigurationSignsIn() async throws {
        let store = InMemoryIdentityStore()
        let service = Guide.service(store, InMemoryAttemptStore(), .simulated, key: Array(repeating: 7, count: 32))
        let client = service.client(for: nil, origin: .address("192.0.2.1"))
        let user = try await client.signIn(with: .simulated(.google, .ann)).user
        let claims = try await user.idTokenResult().claims
        XCTAssertEqual(claims["iss"], "https://accounts.example.com")
        XCTAssertEqual(claims["aud"], "boats")
    }

    func testFailedMessagesAreReportedAndSettled() async throws {
        let world = World(.standard) { $0.messageSender = Mailer() }
        let reports = Notebook<String>()
        try await Guide.settle(world.service) { reports.note($0) }
        XCTAssertEqual(reports.entries, [])
    }

    func testAPolicyIsReadFromAFile() throws {
        let file = try JSONEncoder().encode(AuthPolicy.standard)
        let policy = try Guide.readPolicy(from: file, denying: nil).policy
        XCTAssertEqual(policy.recency, AuthPolicy.standard.recency)
        XCTAssertEqual(policy.limits, AuthPolicy.standard.limits)
    }

    /// What the guides say of times and numbers is what the presets have.
    func testTheNumbersOfTheGuidesAreThoseOfThePolicy() throws {
        let policy = AuthPolicy.standard
        XCTAssertEqual(policy.sessions.idle, .seconds(30 * 86_400))
        XCTAssertEqual(policy.sessions.absolute, .seconds(180 * 86_400))
        XCTAssertEqual(policy.sessions.guestIdle, .seconds(90 * 86_400))
        XCTAssertEqual(policy.sessions.perAccount, 50)
        XCTAssertEqual(policy.lifetimes.idToken, .seconds(3600))
        XCTAssertEqual(policy.lifetimes.pendingIdentity, .seconds(600))
        XCTAssertEqual(policy.limits?.wrongCodes, 5)
        XCTAssertEqual(policy.recency.interval, .seconds(300))
        XCTAssertEqual(policy.seniority, .seconds(7 * 86_400))
        XCTAssertEqual(policy.factorRecoveryWait, .seconds(72 * 3600))
        XCTAssertEqual(policy.factorLimit, 5)
        XCTAssertEqual(policy.deletionGrace, .seconds(7 * 86_400))
        XCTAssertEqual(policy.unverifiedLifetime, .seconds(30 * 86_400))
        XCTAssertEqual(policy.delivery.tries, 20)
        XCTAssertEqual(policy.delivery.age, .seconds(86_400))
        XCTAssertEqual(policy.delivery.kept, .seconds(30 * 86_400))
    }
}
