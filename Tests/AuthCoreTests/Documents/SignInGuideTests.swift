import AuthCore
import AuthCoreTesting
import XCTest

/// The guides' lines about signing in: guests, links, numbers, conflicts and second factors.
final class SignInGuideTests: GuideTestCase {
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
}
