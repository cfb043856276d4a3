@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Every change of methods has exactly one event, so that an account's methods can be rebuilt from its events alone.
final class MethodHistoryTests: LimitedTestCase {
    private static let policies: [(String, AuthPolicy)] = [("firebase", .firebase), ("standard", .standard)]
    private static let password = "correct horse"

    /// Plays the steps under both policies and compares after each of them.
    private func play(_ body: (Play) async throws -> Void) async throws {
        for (name, policy) in Self.policies {
            let play = Play(name, World(policy))
            try await body(play)
            try await play.compare("the end")
        }
    }

    func testLinkingAndUnlinkingEverything() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let ann = try await world.verifiedUser(in: device)
            try await play.compare("a sign-up and a first proof")
            for provider in [ProviderID.google, .facebook, .gitHub] {
                _ = try await ann.link(with: world.credential(provider))
                try await play.compare("linking \(provider)")
            }
            _ = try await ann.link(with: try await world.digits(to: "+15550001234", from: device))
            try await play.compare("linking a number")
            for provider in [ProviderID.facebook, .phone] {
                _ = try await ann.unlink(provider)
                try await play.compare("unlinking \(provider)")
            }
            _ = try await ann.replace(.google, with: world.credential(.google, .eve))
            try await play.compare("another identity of the same provider")
            try await ann.updatePassword(to: "battery staple")
            try await play.compare("another password")
            _ = try await ann.unlink(.password)
            try await play.compare("unlinking the password")
        }
    }

    func testAnAnonymousAccountGrows() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let ann = try await device.signInAnonymously().user
            try await play.compare("an anonymous sign-in")
            _ = try await ann.link(with: .password(email: "ann@example.com", password: Self.password))
            try await play.compare("a first method")
            let other = try await world.device("tablet").signInAnonymously().user
            _ = try await other.link(with: world.credential(.gitHub, .ben))
            try await play.compare("a first identity")
        }
    }

    func testWhoProvesTheAddressTakesOver() async throws {
        try await play { play in
            let world = play.world
            let squatter = SimulatedPerson.ann.with(email: "ann@gmail.com")
            _ = try await world.device().signUp(email: "ann@gmail.com", password: Self.password)
            _ = try await world.device("desk").signIn(with: world.credential(.google, squatter))
            try await play.compare("a provider's proof takes over or adopts")
            _ = try await world.device().signUp(email: "ben@example.com", password: Self.password)
            let device = world.device("desk")
            try await device.sendSignInLink(to: "ben@example.com")
            let link = world.outbox.last(to: "ben@example.com", .signInLink)?.link ?? ""
            _ = try await device.signIn(with: .emailLink(email: "ben@example.com", link: link))
            try await play.compare("a mailed link takes over or adopts")
        }
    }

    func testJoiningByTheAddress() async throws {
        try await play { play in
            let world = play.world
            let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
            let device = world.device()
            let ann = try await world.verifiedUser("ann@gmail.com", in: device)
            let google = try await world.device("desk").signIn(with: world.credential(.google, person)).user
            XCTAssertEqual(google.uid, ann.uid)
            try await play.compare("a join")
            let again = SimulatedPerson.eve.with(email: "ann@gmail.com")
            await play.attempt { try await world.device("desk").signIn(with: world.credential(.google, again)) }
            try await play.compare("a recycled subject replaces, or does not")
        }
    }

    func testAConflictIsResolvedInOneStep() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            _ = try await world.verifiedUser(in: device)
            // Each policy has its own kind of word that makes a conflict.
            let token = SimulatedToken(address: play.policy == "firebase" ? .unverified : .verified)
            do {
                _ = try await device.signIn(with: world.credential(.gitHub, .ann, saying: token))
                XCTFail("\(play.policy): no conflict")
            } catch let error as AuthError {
                guard case .conflict(let conflict) = error.detail else { throw error }
                let existing = AuthCredential.password(email: "ann@example.com", password: Self.password)
                _ = try await device.resolve(conflict, signingInWith: existing)
            }
            try await play.compare("a resolved conflict")
        }
    }

    func testAConflictIsAnsweredByTheMailboxOrByAFreshStart() async throws {
        for startsFresh in [false, true] {
            try await play { play in
                let world = play.world
                let ann = try await world.verifiedUser(in: world.device())
                _ = try await ann.link(with: world.credential(.facebook, .eve))
                let device = world.device("desk")
                let token = SimulatedToken(address: play.policy == "firebase" ? .unverified : .verified)
                do {
                    _ = try await device.signIn(with: world.credential(.gitHub, .ann, saying: token))
                    XCTFail("\(play.policy): no conflict")
                } catch let error as AuthError {
                    guard case .conflict(let conflict) = error.detail else { throw error }
                    try await device.sendSignInLink(to: "ann@example.com")
                    let link = world.outbox.last(to: "ann@example.com", .signInLink)?.link ?? ""
                    let mailbox = AuthCredential.emailLink(email: "ann@example.com", link: link)
                    if startsFresh {
                        let fresh = try await device.createSeparateAccount(from: conflict, verifying: mailbox.mailed)
                        XCTAssertNotEqual(fresh.user.uid, ann.uid)
                    } else {
                        let same = try await device.resolve(conflict, signingInWith: mailbox)
                        XCTAssertEqual(same.user.uid, ann.uid)
                    }
                }
                try await play.compare(startsFresh ? "a fresh start" : "a code from the mailbox")
            }
        }
    }

    func testResettingThePasswordAndConfirmingWhatItSuspended() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let ann = try await world.verifiedUser(in: device)
            _ = try await ann.link(with: world.credential(.facebook))
            _ = try await ann.link(with: try await world.digits(to: "+15550001234", from: device))
            try await device.sendPasswordReset(to: "ann@example.com")
            let code = world.outbox.last(to: "ann@example.com", .resetPassword)?.code ?? ""
            try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
            try await play.compare("a reset")
            let back = try await device.signIn(with: .password(email: "ann@example.com", password: "battery staple"))
                .user
            _ = try await back.link(with: world.credential(.facebook))
            try await play.compare("linking again")
        }
    }

    func testMovingToAnotherAddressAndBack() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let ann = try await world.verifiedUser(in: device)
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
            try await device.applyActionCode(world.outbox.last(to: "new@example.com", .changeEmail)?.code ?? "")
            try await play.compare("another address")
            let failure = await outcome { try await ann.link(with: world.credential(.gitHub)) }
            XCTAssertNil(failure, "\(play.policy): linking between the changes")
            let recovery = world.outbox.last(to: "ann@example.com", .recoverEmail)
            if play.policy == "firebase" {
                XCTAssertNil(recovery, "firebase: a change to a verified address is not reversible")
            } else {
                try await device.applyActionCode(XCTUnwrap(recovery?.code, "\(play.policy): the way back"))
            }
            let account = try await world.account(ann)
            let address = play.policy == "firebase" ? "new@example.com" : "ann@example.com"
            XCTAssertEqual(account.email?.text, address, "\(play.policy): the address at the end")
            try await play.compare("the address from before")
        }
    }

    func testFactorsComeAndGo() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let ann = try await world.verifiedUser(in: device)
            let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
            try await play.compare("a factor")
            let codes = try await ann.multiFactor.makeRecoveryCodes(count: 2)
            do {
                _ = try await device.signIn(with: .password(email: "ann@example.com", password: Self.password))
                XCTFail("\(play.policy): no challenge")
            } catch let error as AuthError {
                guard case .secondFactor(let challenge) = error.detail else { throw error }
                let code = try XCTUnwrap(codes.first)
                _ = try await device.resolve(challenge, with: .recoveryCode(code))
            }
            let kinds = try await world.service.events(limit: .max).events.map(\.kind)
            XCTAssertEqual(kinds.suffix(2), [.factorsChanged, .signedIn])
            try await play.compare("a recovery code")
        }
    }

    func testWhatAdministratorsDo() async throws {
        try await play { play in
            let world = play.world
            let device = world.device()
            let result = try await device.signIn(with: world.credential(.gitHub))
            let key = try XCTUnwrap(result.user.account.identities.first?.key)
            let renamed = Identity.Key(issuer: key.issuer.description, subject: "4711")
            try await world.service.remap(from: key, to: renamed)
            try await play.compare("another name at the provider")
            try await world.service.setDisabled(true, account: result.user.account.id)
            try await world.service.setDisabled(false, account: result.user.account.id)
            try await play.compare("shut and opened")
            let token = try await world.service.makeCustomToken(for: "carl")
            let carl = try await device.signIn(with: .customToken(token)).user
            _ = try await carl.link(with: world.credential(.facebook, .ben))
            try await play.compare("a custom token and a first identity")

            let elsewhere = Play("an import", World(world.service.policy))
            for account in try await world.service.accounts(limit: .max) {
                _ = try await elsewhere.world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
            }
            try await elsewhere.compare("an import")
            try await elsewhere.world.service.deleteAccount("carl")
            try await elsewhere.compare("a deletion")
            let events = try await elsewhere.world.service.events(limit: .max).events
            XCTAssertEqual(SignInMethod.History(of: "carl", events: events).changes.count, 2)
        }
    }

    func testAMissingEventShowsAsAGap() async throws {
        let world = World()
        let ann = try await world.verifiedUser(in: world.device())
        _ = try await ann.link(with: world.credential(.google))
        _ = try await ann.link(with: world.credential(.facebook))
        let events = try await world.service.events(limit: .max).events
        let changes = events.filter { $0.kind == .methodsChanged }.map(\.position)
        let history = SignInMethod.History(of: ann.account.id, events: events.filter { $0.position != changes[0] })
        XCTAssertEqual(history.gaps, [changes[1]])
        XCTAssertEqual(history.methods.count, 3)
    }

    func testAMissingBeginningShowsAsAGap() async throws {
        let world = World()
        let ann = try await world.signIn(.google)
        try await ann.link(with: world.credential(.facebook))
        let later = try await world.service.events(limit: .max).events.filter { $0.kind != .accountCreated }
        let history = SignInMethod.History(of: ann.account.id, events: later)
        XCTAssertEqual(history.gaps.count, 1, "gaps of a history without its beginning")
        XCTAssertEqual(history.gaps, Array(history.changes.prefix(1).map(\.position)), "where the gap is")
    }
}

/// One world under one policy, whose accounts and events are compared.
private struct Play {
    let policy: String
    let world: World

    init(_ policy: String, _ world: World) {
        self.policy = policy
        self.world = world
    }

    /// Does what one of the policies may refuse.
    func attempt(_ act: () async throws -> some Any) async { _ = try? await act() }

    /// Every account's methods are what its events tell, each change once, with who and why.
    func compare(_ step: String, file: StaticString = #filePath, line: UInt = #line) async throws {
        let what = "\(policy): \(step)"
        let events = try await world.service.events(limit: .max).events
        let accounts = try await world.service.accounts(limit: .max)
        for account in accounts {
            let history = SignInMethod.History(of: account.id, events: events)
            XCTAssertEqual(history.methods, account.methodSummaries, what, file: file, line: line)
            XCTAssertEqual(history.gaps, [], what, file: file, line: line)
        }
        let living = Set(accounts.map(\.id))
        for gone in Set(events.map(\.account)).subtracting(living) {
            XCTAssertEqual(SignInMethod.History(of: gone, events: events).methods, [], what, file: file, line: line)
        }
        for event in events where event.before != nil {
            XCTAssertFalse(event.reasons.isEmpty, "\(what): no cause", file: file, line: line)
            if event.kind == .methodsChanged {
                XCTAssertNotEqual(event.before, event.after, what, file: file, line: line)
            }
        }
    }
}
