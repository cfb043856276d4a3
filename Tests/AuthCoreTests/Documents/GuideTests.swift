import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// The guides' lines, run under the default policy.
final class GuideTests: LimitedTestCase {
    private let clock = ManualClock()
    private let outbox = Message.Outbox()

    private func makeService() -> AuthService {
        AuthService(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
    }

    private func signInByMail(_ email: String, on auth: Auth) async throws -> User {
        try await auth.sendSignInLink(to: email)
        return try await auth.signIn(with: .emailLink(outbox.signInLink(to: email))).user
    }

    func testTheFirstStepsEndInOneAccountWithThreeMethods() async throws {
        let auth = try await Guide.start()
        XCTAssertEqual(auth.currentUser?.providerData.map(\.provider), [.password, .google, .gitHub])
        let accounts = try await auth.service.accounts()
        XCTAssertEqual(accounts.count, 1)
    }

    func testANumberSignsInAndAGuestKeepsTheirAccount() async throws {
        let auth = Auth(service: makeService())
        let outbox = outbox
        let user = try await Guide.signIn(
            byPhone: "+15550001234",
            digits: { (try? outbox.code(.phoneCode, to: "+15550001234")) ?? "" },
            on: auth
        )
        XCTAssertEqual(user.phoneNumber, "+15550001234")
        let guest = try await auth.signInAnonymously().user
        try await Guide.keepBasket(of: guest, with: .simulated(.apple, .ben))
        XCTAssertFalse(guest.isAnonymous, "the guest has a sign-in method now")
    }

    func testAGuestComesToTheAccountThatHasTheIdentityOrOnlyTheAddress() async throws {
        let service = makeService()
        // Google runs the mailbox of this address, so the account owns the address.
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let google = AuthCredential.simulated(.google, person)
        let ann = try await Auth(service: service).signIn(with: google).user
        for incoming in [AuthCredential.simulated(.gitHub, person), google] {
            let auth = Auth(service: service)
            let guest = try await auth.signInAnonymously().user
            try await Guide.keepBasket(of: guest, linking: incoming, on: auth, signingInAsBefore: { google })
            XCTAssertEqual(auth.currentUser?.uid, ann.uid)
            XCTAssertEqual(auth.currentUser?.providerData.map(\.provider), [.google, .gitHub])
        }
    }

    func testADeletionAsksForAFreshLoginAndIsCanceledByASignIn() async throws {
        let auth = Auth(service: makeService())
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        clock.advance(by: .seconds(3600))
        try await Guide.deleteAccount(of: user, verifying: .simulated(.google, .ann))
        XCTAssertNil(auth.currentUser)
        let again = try await auth.signIn(with: .simulated(.google, .ann)).user
        XCTAssertEqual(again.uid, user.uid, "a sign-in in the time of grace keeps the account")
    }

    func testRemovingAsksForAFreshLoginAndGoesOn() async throws {
        let auth = Auth(service: makeService())
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        try await user.link(with: .simulated(.gitHub, .ann))
        clock.advance(by: .seconds(3600))
        try await Guide.remove(.gitHub, from: user, verifying: .simulated(.google, .ann))
        XCTAssertEqual(user.providerData.map(\.provider), [.google])
    }

    func testAPersonChangesWhatTheAccountHas() async throws {
        let outbox = outbox
        let auth = Auth(service: makeService())
        let user = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        try await Guide.verifyAddress(of: user)
        try await auth.applyActionCode(try outbox.code(.verifyEmail, to: "ann@example.com"))
        XCTAssertTrue(user.isEmailVerified, "the mailed code verifies the address")
        try await Guide.changeAddress(of: user, to: "ann@example.org")
        XCTAssertEqual(user.email, "ann@example.com", "the address stays until the new one is verified")
        try await auth.applyActionCode(try outbox.code(.changeEmail, to: "ann@example.org"))
        XCTAssertEqual(user.email, "ann@example.org")
        try await Guide.changePassword(of: user, to: "battery staple correct")
        for number in ["+15550001234", "+15550005678"] {
            try await Guide.changeNumber(
                of: user,
                to: number,
                digits: { (try? outbox.code(.phoneCode, to: number)) ?? "" },
                on: auth
            )
            XCTAssertEqual(user.phoneNumber, number)
        }
        try await Guide.changeName(of: user, to: "Ann Archer")
        XCTAssertEqual(user.displayName, "Ann Archer")
        let again = AuthCredential.password(email: "ann@example.org", password: "battery staple correct")
        let back = try await Auth(service: auth.service).signIn(with: again).user
        XCTAssertEqual(back.uid, user.uid, "the new password signs in at the new address")
    }

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
        let lines = try await Guide.personalData(of: user, in: auth.service)
        let text = lines.joined(separator: "\n")
        for part in [user.uid, "ann@example.com", "+15550001234", "session since", "accountCreated at"] {
            XCTAssertTrue(text.contains(part), "\(part) in \(text)")
        }
    }

    func testTheLinkNamesTheLanguageAndThePageThatFollows() async throws {
        var configuration = AuthConfiguration(messageSender: outbox, environment: .manual(clock))
        configuration.continueHosts = ["boats.example.com"]
        let auth = Auth(configuration)
        try await Guide.sendSignInLink(to: "ann@example.com", inLanguage: "de", on: auth)
        let message = try XCTUnwrap(outbox.messages.last)
        XCTAssertEqual(message.settings?.language, "de")
        let link = try XCTUnwrap(message.link.flatMap { ActionCode.Link($0) })
        XCTAssertEqual(link.languageCode, "de")
        XCTAssertEqual(link.continueURL, "https://boats.example.com/welcome")
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

    func testAConflictHasThreeWaysOut() async throws {
        for answer in 0..<3 {
            let service = makeService()
            let owner = try await signInByMail("ann@example.com", on: Auth(service: service))
            // Without another method, the account could not lose its address.
            try await owner.link(with: .simulated(.apple, .ben))
            let auth = Auth(service: service)
            let conflict: Conflict
            do {
                try await auth.signIn(with: .simulated(.gitHub, .ann))
                return XCTFail("GitHub signed in beside the owner of the address")
            } catch {
                conflict = try XCTUnwrap(error.conflict, "\(error)")
            }
            try await auth.sendSignInLink(to: "ann@example.com")
            let link = try outbox.signInLink(to: "ann@example.com")
            let answers: [Guide.Answer] = [
                .signingIn(.emailLink(link)), .openingLink(link), .beingAnotherPerson(link),
            ]
            let user = try await Guide.resolve(conflict, by: answers[answer], on: auth)
            XCTAssertEqual(user.uid == owner.uid, answer < 2, "only another person gets another account")
            XCTAssertTrue(user.providerData.map(\.provider).contains(.gitHub))
            XCTAssertEqual(user.email, "ann@example.com")
        }
    }

    func testAFactorIsEnrolledAskedForAndRecovered() async throws {
        let auth = Auth(service: makeService())
        let ann = try await signInByMail("ann@example.com", on: auth)
        let apps = Notebook<AuthenticatorApp>()
        let codes = try await Guide.enroll(
            ann,
            showing: { address in
                let secret = address.split(separator: "secret=").last?.prefix { $0 != "&" } ?? ""
                if let app = try? AuthenticatorApp(sharedSecret: String(secret), clock: clock) { apps.note(app) }
            },
            digits: { apps.entries.first?.nextCode() ?? "" }
        )
        XCTAssertEqual(codes.count, 10)
        try await auth.signOut()
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = AuthCredential.emailLink(try outbox.signInLink(to: "ann@example.com"))
        let again = try await Guide.signIn(with: link, on: auth) { _ in apps.entries.first?.nextCode() ?? "" }
        XCTAssertEqual(again.session.factor?.kind, .totp)
        let fromMail = Auth(service: auth.service)
        try await fromMail.sendSignInLink(to: "ann@example.com")
        let lost = try outbox.signInLink(to: "ann@example.com")
        let told = try await Guide.recover(fromMail, opening: lost, older: nil)
        XCTAssertTrue(told.hasPrefix("Ask for another link after"), told)
    }

    func testThePageBehindALinkDoesWhatTheLinkIsFor() async throws {
        let auth = Auth(service: makeService())
        let email = "ann@example.com"
        let ann = try await auth.signUp(email: email, password: "correct horse battery").user
        try await ann.sendEmailVerification()
        let told = try await Guide.open(outbox.link(.verifyEmail, to: email), on: auth, newPassword: { "" })
        XCTAssertEqual(told, "The address is \(email).")
        try await ann.link(with: .simulated(.gitHub, .ann))
        let notice = try outbox.link(.methodAdded, to: email)
        try await auth.sendPasswordReset(to: email)
        let reset = try outbox.link(.resetPassword, to: email)
        let after = try await Guide.open(
            reset,
            on: Auth(service: auth.service),
            newPassword: { "another horse battery" }
        )
        XCTAssertTrue(after.hasPrefix("Sign in"), after)
        let reported = try await Guide.open(notice, on: Auth(service: auth.service), newPassword: { "" })
        XCTAssertTrue(reported.hasPrefix("All sessions are ended, and what could be reversed is reversed"), reported)
        try await auth.sendSignInLink(to: email)
        let link = try await Guide.open(outbox.link(.signInLink, to: email), on: auth, newPassword: { "" })
        XCTAssertEqual(link, "This link opens in the app.")
    }

    func testASignInLinkIsOpenedWithTheAddressThatTheDeviceKeptOrThePersonTypes() async throws {
        let auth = Auth(service: makeService())
        let email = "ann@example.com"
        for kept in [email, nil] {
            try await auth.sendSignInLink(to: email)
            let link = try outbox.link(.signInLink, to: email)
            let user = try await Guide.signIn(
                opening: link,
                mailedTo: kept,
                askingForAddress: { email },
                on: auth
            )
            XCTAssertEqual(user.email, email)
        }
    }

    func testAPhoneFactorIsAskedFor() async throws {
        let auth = Auth(service: makeService())
        let outbox = outbox
        let ann = try await signInByMail("ann@example.com", on: auth)
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        let digits: @Sendable () -> String = { outbox.messages.last { $0.kind == .phoneCode }?.code ?? "" }
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: digits())
        try await auth.signOut()
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = AuthCredential.emailLink(try outbox.signInLink(to: "ann@example.com"))
        let again = try await Guide.signIn(with: link, on: auth) { _ in digits() }
        XCTAssertEqual(again.session.factor?.kind, .phone)
    }

    func testSessionsAreListedAndTokensExchanged() async throws {
        let service = makeService()
        let laptop = Auth(service: service, deviceName: "Ann's laptop")
        let user = try await laptop.signIn(with: .simulated(.google, .ann)).user
        clock.advance(by: .seconds(60))
        let phone = Auth(service: service)
        try await phone.signIn(with: .simulated(.google, .ann))
        let devices = try await Guide.devices(of: user)
        XCTAssertEqual(devices, ["Ann's laptop (this one)", "an unnamed device"])
        let tokens = try await user.issueTokens()
        let next = try await Guide.exchange(tokens.refreshToken, on: laptop.client)
        XCTAssertNotEqual(next.refresh, tokens.refreshToken)
        let bearer = try await laptop.client.user(forIDToken: next.bearer)
        XCTAssertEqual(bearer.uid, user.uid)
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

    func testAnAppIsSignedInAfterARelaunch() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "authcore-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let service = makeService()
        let key: [UInt8] = Array(repeating: 3, count: 32)
        let first = try await Guide.launch(service, keeping: path, key: key)
        XCTAssertNil(first.currentUser)
        let user = try await first.signIn(with: .simulated(.google, .ann)).user
        let second = try await Guide.launch(service, keeping: path, key: key)
        XCTAssertEqual(second.currentUser?.uid, user.uid)
        let tampered = try await Guide.launch(service, keeping: path, key: Array(repeating: 4, count: 32))
        XCTAssertNil(tampered.currentUser, "a file of another key signs nobody in")
    }

    func testAnObserverIsToldOfEveryChange() async throws {
        let auth = Auth(service: makeService())
        let shown = Notebook<String>()
        let (steps, step) = AsyncStream<Void>.makeStream()
        let follower = Task {
            await Guide.follow(auth) { text in
                shown.note(text)
                step.yield()
            }
        }
        var waits = steps.makeAsyncIterator()
        await waits.next()
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        await waits.next()
        try await auth.signOut()
        await waits.next()
        try await auth.signIn(with: .simulated(.google, .ann))
        await waits.next()
        try await auth.service.revokeSessions(of: user.accountID)
        try? await auth.currentUser?.reload()
        await waits.next()
        follower.cancel()
        XCTAssertEqual(
            shown.entries,
            ["signed out", "Ann Archer", "signed out", "Ann Archer", "signed out elsewhere (userTokenExpired)"]
        )
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
