@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-32: where sign-up conceals which addresses are taken, no other request that names an address tells it.
final class NamedAddressAttackTests: LimitedTestCase {
    private let store = FaultyStore()
    private var world = World()

    override func setUp() {
        super.setUp()
        let store = store
        world = World(.standard) { $0.store = store }
        world.policy.concealsSignUp = true
        world.policy.limits = nil
    }

    /// An account may display any address that a provider claims; a wrong password for it tells nothing of its owner.
    func testAT20_ReauthenticatingByADisplayedAddressAnswersAlike() async throws {
        for conceals in [false, true] {
            world.startOver(.standard)
            world.policy.concealsSignUp = conceals
            try await world.signUpVerifiedAnn()
            var answers: [AuthErrorCode?] = []
            for email in ["ann@example.com", "free@example.com"] {
                let person = SimulatedPerson(name: "Eve of \(email)", email: "eve@example.org")
                let token = SimulatedToken(email: .text(email), address: .unverified)
                let credential = world.credential("oidc.example", person, saying: token)
                let eve = try await world.device("at \(email)").signIn(with: credential).user
                XCTAssertEqual(eve.email, email, "the address is displayed")
                answers.append(
                    await outcome { try await eve.reauthenticate(with: .password(email: email, password: "a guess")) }
                )
            }
            let answer: AuthErrorCode? = .invalidCredential
            XCTAssertEqual(answers, [answer, answer], "where sign-up conceals addresses: \(conceals)")
        }
    }

    /// One request that names an address, as a person or a stranger would.
    private struct Request: Sendable {
        let name: String
        let act: @Sendable (String) async throws -> Void
    }

    private func requests() async throws -> [Request] {
        let world = world
        let verified = try await world.signUp("eve@example.org")
        let password = "a word of mine"
        let unverified = try await world.device("unverified").signUp(email: "mal@example.org", password: password).user
        let digits = try await world.digits(to: world.evesNumber, from: world.device("number"))
        let number = try await world.device("number").signIn(with: digits).user
        let shown = try await world.device("shown").signIn(with: world.facebook(.ben)).user
        return [
            Request(name: "sign up") { try await world.device("at \($0)").signUp(email: $0, password: password) },
            Request(name: "guest's first password") {
                let guest = try await world.device("guest at \($0)").signInAnonymously().user
                try await guest.link(with: .password(email: $0, password: password))
            },
            Request(name: "reset") { try await world.device("stranger").sendPasswordReset(to: $0) },
            Request(name: "mailed link") { try await world.device("stranger").sendSignInLink(to: $0) },
            Request(name: "mailed methods") { try await world.device("stranger").sendSignInMethods(to: $0) },
            Request(name: "listed methods") {
                let methods = try await world.device("stranger").fetchSignInMethods(forEmail: $0)
                XCTAssertEqual(methods, [])
            },
            Request(name: "wrong password") {
                try await world.device("stranger").signIn(with: .password(email: $0, password: "a guess at it"))
            },
            Request(name: "change, verified") { try await verified.updateEmail(to: $0) },
            Request(name: "change, unverified") { try await unverified.updateEmail(to: $0) },
            Request(name: "change, by a number") { try await number.updateEmail(to: $0) },
            Request(name: "verify before change, verified") {
                try await verified.sendEmailVerification(beforeUpdatingTo: $0)
            },
            Request(name: "verify before change, unverified") {
                try await unverified.sendEmailVerification(beforeUpdatingTo: $0)
            },
            Request(name: "verify before change, displayed") {
                try await shown.sendEmailVerification(beforeUpdatingTo: $0)
            },
            Request(name: "link, by a number") {
                try await number.link(with: .password(email: $0, password: password))
            },
            Request(name: "link, displayed") { try await shown.link(with: .password(email: $0, password: password)) },
            Request(name: "claimed address, preview") {
                let token = SimulatedToken(subject: $0, email: .text($0), address: .unverified)
                let device = world.device("claims \($0)")
                let credential = world.credential("oidc.example", .eve, saying: token)
                let preview = try await device.previewSignIn(with: device.verify(credential))
                XCTAssertEqual(preview.answer, .succeeds)
                XCTAssertEqual(preview.reasons, [.addressIsOnlyClaimed])
            },
        ]
    }

    private static func answer(to request: Request, _ email: String) async -> String {
        do {
            try await request.act(email)
            return "done"
        } catch {
            guard let error = error as? AuthError else { return "\(error)" }
            return "\(error.code) \(error.reasons)"
        }
    }

    func testAT32_FiveHundredAddressesAtOnceAnswerAlike() async throws {
        let taken = (0..<250).map { "person\($0)@example.com" }
        for email in taken {
            let auth = world.device("of \(email)")
            try await auth.signIn(with: world.mailedLink(to: email, from: auth))
        }
        let free = (0..<250).map { "nobody\($0)@example.com" }
        for request in try await requests() {
            let answers = await withTaskGroup(of: (String, String).self) { group in
                for email in taken + free { group.addTask { (email, await Self.answer(to: request, email)) } }
                var answers: [String: Set<String>] = [:]
                for await (email, answer) in group {
                    answers[email.hasPrefix("person") ? "taken" : "free", default: []].insert(answer)
                }
                return answers
            }
            XCTAssertEqual(answers["taken"], answers["free"], request.name)
            XCTAssertEqual(answers["taken"]?.count, 1, "\(request.name): \(answers)")
        }
    }

    func testAT32_NamingATakenAddressDoesTheSameWork() async throws {
        let auth = world.device("of person")
        try await auth.signIn(with: world.mailedLink(to: "person@example.com", from: auth))
        for request in try await requests() {
            var work: [[Int]] = []
            for email in ["person@example.com", "nobody@example.com"] {
                let before = [store.calls(of: .load), store.calls(of: .commit)]
                _ = await Self.answer(to: request, email)
                let after = [store.calls(of: .load), store.calls(of: .commit)]
                work.append(zip(after, before).map { $0 - $1 })
            }
            XCTAssertEqual(work[0], work[1], request.name)
        }
    }

    /// The message lists the methods of an account, if there is one.
    func testS29_MailingTheMethodsOfAnUnknownAddressDoesTheSameWork() async throws {
        try await world.signUpVerifiedAnn()
        var loads: [Int] = []
        for email in ["ann@example.com", "nobody@example.com"] {
            let before = store.calls(of: .load)
            try await world.device("stranger").sendSignInMethods(to: email)
            loads.append(store.calls(of: .load) - before)
        }
        XCTAssertEqual(loads[0], loads[1], "loads for an account and for none")
    }

    func testAT32_ReplacingAMethodByAPasswordAnswersAlike() async throws {
        let auth = world.device("of person")
        try await auth.signIn(with: world.mailedLink(to: "person@example.com", from: auth))
        for (number, email) in [("+15550007001", "person@example.com"), ("+15550007002", "nobody@example.com")] {
            let device = world.device("of \(number)")
            let user = try await device.signIn(with: world.digits(to: number, from: device)).user
            let password = AuthCredential.password(email: email, password: "a word of mine")
            await assertThrows(.emailChangeNeedsVerification, email) { try await user.replace(.phone, with: password) }
            // It is no sign-up: otherwise the account would have one password that is good on one device.
            let account = try await world.account(user)
            XCTAssertEqual(account.methods.map(\.kind.provider), [.phone])
            XCTAssertFalse(account.isProvisional)
        }
    }

    /// The owner of the mailbox learns of the request, and is told where the address has an account already.
    func testTheReaderOfTheMailIsToldThatTheAddressIsTaken() async throws {
        let auth = world.device("of person")
        try await auth.signIn(with: world.mailedLink(to: "person@example.com", from: auth))
        let eve = try await world.signUp("eve@example.org")
        try await eve.sendEmailVerification(beforeUpdatingTo: "person@example.com")
        let code = try world.code(.changeEmail, to: "person@example.com")
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await auth.applyActionCode(code) }
        try await eve.reload()
        XCTAssertEqual(eve.email, "eve@example.org")
    }

    func testAPersonVerifiesTheNewAddressAndThenHasIt() async throws {
        let eve = try await world.signUp("eve@example.org")
        try await eve.sendEmailVerification(beforeUpdatingTo: "new@example.org")
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.org"))
        try await eve.reload()
        XCTAssertEqual(eve.email, "new@example.org")
    }

    func testWithoutAnAddressAMailedLinkComesBeforeAPassword() async throws {
        let auth = world.device()
        let user = try await auth.signIn(with: world.digits(to: world.evesNumber, from: auth)).user
        try await world.refusal(.emailChangeNeedsVerification, .disclosureIsWithheld) {
            try await user.link(with: .password(email: "eve@example.org", password: "a word of mine"))
        }
        try await user.link(with: world.mailedLink(to: "eve@example.org", from: auth))
        try await user.updatePassword(to: "a word of mine")
        let back = try await world.device("tablet").signIn(
            with: .password(email: "eve@example.org", password: "a word of mine")
        )
        XCTAssertEqual(back.user.uid, user.uid)
    }
}
