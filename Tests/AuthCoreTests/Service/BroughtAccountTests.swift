import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What becomes of an account of another system that is written into this one.
final class BroughtAccountTests: LimitedTestCase, PlainAccount {
    private let world = World(.standard)

    /// Ann with a verified address and a password.
    private func accountOfAnn(_ id: AccountID = "ann", password: PasswordHash? = nil) -> Account {
        var account = Account(id: id, createdAt: noon)
        account.email = ann
        account.note(.email(ann), .mailboxCode, at: noon)
        account.wasEverVerified = true
        account.reservesEmail = true
        let hash = password ?? PasswordHash(tagged: "$cheap$c2FsdA$aGFzaA")
        let method = account.setPassword(hash, at: noon)
        account.cover([method.generation], by: [.email(ann)], at: noon)
        return account
    }

    private func bring(_ account: Account, trusted: Bool = false) async throws -> ImportOutcome {
        world.clock.set((later + .seconds(60)).date)
        return try await world.service.bring(account, lastSignIn: later, trustedForJoin: trusted)
    }

    /// No merge of this system would ever end it.
    func testALockOfAnotherSystemsMergeIsLeftOut() async throws {
        var account = accountOfAnn()
        account.mergeLock = Account.MergeLock(intent: OneTimeRecordID(bits: 1), until: later + .seconds(86_400))
        let outcome = try await bring(account)
        XCTAssertEqual(outcome, .created)
        let written = try await world.service.account("ann")
        XCTAssertNil(written.mergeLock)
    }

    /// Its codes, which could take the address back, are of the other system.
    func testAnAddressThatAnotherSystemReservesIsFree() async throws {
        var account = accountOfAnn()
        let former = try XCTUnwrap(EmailAddress("former@example.com"))
        account.reservations = [Account.Reservation(email: former, until: later + .seconds(86_400))]
        _ = try await bring(account)
        let written = try await world.service.account("ann")
        XCTAssertEqual(written.reservations, [], "the former addresses that are kept for the account")
    }

    /// Else a session that was stolen for a moment could change the address of an account that was imported.
    func testAnAddressThatAnImportVerifiedIsAsOldAsTheImportSays() async throws {
        let former = World(.standard)
        var account = try await former.account(former.device().signIn(with: former.facebook()).user)
        account.email = ann
        account.evidence = []
        account.note(.email(ann), .imported(trusted: false), at: account.createdAt)
        world.clock.set(account.createdAt.date)
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
        world.clock.advance(by: .seconds(100 * 86_400))
        let stolen = try await world.device().signIn(with: world.facebook()).user
        try await stolen.link(with: world.google(.eve))
        world.clock.advance(by: .seconds(3600))
        try await stolen.reauthenticate(with: world.google(.eve))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        }
    }

    func testAnUnverifiedAccountHasTheWholeTimeFromItsImport() async throws {
        var account = account()
        _ = account.setPassword(PasswordHash(tagged: "$cheap$c2FsdA$aGFzaA"), at: noon)
        account.email = ann
        _ = try await bring(account)
        let lifetime = try XCTUnwrap(world.policy.unverifiedLifetime)
        let written = try await world.storedAccount("ann")
        XCTAssertEqual(written?.dueAt, world.clock.timestamp + lifetime, "when it is removed without a sign-in")
    }

    func testEvidenceThatIsNotValidAnyMoreCoversNoMethodInATrustedBatch() async throws {
        for isStale in [false, true] {
            let world = World(.standard)
            var account = accountOfAnn()
            account.evidence = []
            account.methods[0].coverage = []
            account.note(.email(ann), .imported(trusted: false), at: noon)
            if isStale { account.evidence[0].staleSince = later }
            _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: true)
            let written = try await world.service.account("ann")
            XCTAssertEqual(written.methods.count { !$0.coverage.isEmpty }, isStale ? 0 : 1, "stale: \(isStale)")
        }
    }

    func testEvidenceOfAnotherSystemIsThatOfAnImport() async throws {
        for (id, isTrusted) in [("one", false), ("other", true)] as [(AccountID, Bool)] {
            var account = accountOfAnn(id)
            if isTrusted {
                account.email = EmailAddress("ben@example.com")
                account.evidence = []
                let subject = Evidence.Subject.email(try XCTUnwrap(account.email))
                account.note(subject, .imported(trusted: false), at: noon)
            }
            let outcome = try await bring(account, trusted: isTrusted)
            XCTAssertEqual(outcome, .created)
            let written = try await world.service.account(id)
            XCTAssertEqual(written.evidence.map(\.source), [.imported(trusted: isTrusted)], "the evidence of \(id)")
            XCTAssertEqual(written.methods.allSatisfy { $0.coverage.isEmpty }, !isTrusted, "the methods of \(id)")
        }
    }

    /// Who opened the link for the address need not be who set the password: an import must not say that they are one
    /// person.
    func testEvidenceThatCoversNoMethodStaysWhatItWas() async throws {
        for (name, isSuspended) in [("a method", false), ("only a suspended one", true)] {
            let world = World(.standard)
            var account = accountOfAnn()
            account.methods[0].coverage = []
            if isSuspended {
                account.methods[0].suspension = SignInMethod.Suspension(since: noon, reason: .methodIsSuspended)
            }
            _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
            let written = try await world.service.account("ann")
            let source: Evidence.Source = isSuspended ? .imported(trusted: false) : .mailboxCode
            XCTAssertEqual(written.evidence.map(\.source), [source], "the evidence beside \(name)")
            XCTAssertTrue(written.isEmailVerified(under: .standard), name)
        }
    }

    func testEvidenceOfOneAddressIsOnePieceAfterAnImport() async throws {
        var account = accountOfAnn()
        account.note(.email(ann), .administrator, at: later)
        account.note(.email(ann), .mailboxCode, at: later)
        let outcome = try await bring(account)
        XCTAssertEqual(outcome, .created)
        let written = try await world.service.account("ann")
        XCTAssertEqual(written.evidence.map(\.source), [.imported(trusted: false)], "the evidence of the address")
        XCTAssertEqual(written.evidence.map(\.count), [3], "how often it was verified")
        XCTAssertEqual(written.evidence.map(\.lastAt), [later], "when it was verified last")
    }

    func testNothingOfAnImportIsOfTheFuture() async throws {
        var account = accountOfAnn()
        let future = later + .seconds(1_000_000)
        account.methods[0].addedAt = future
        account.methods[0].seniorSince = future
        account.evidence[0].firstAt = future
        account.evidence[0].lastAt = future
        _ = try await bring(account)
        let written = try await world.service.account("ann")
        let now = world.clock.timestamp
        XCTAssertEqual(written.methods.map(\.addedAt), [now])
        XCTAssertEqual(written.methods.map(\.seniorSince), [now])
        XCTAssertEqual(written.evidence.map(\.lastAt), [now])
    }

    func testAPasswordThatCannotBeCheckedHereIsLeftOut() async throws {
        let foreign = PasswordHash(tagged: "$other$c2FsdA$aGFzaA")
        XCTAssertEqual(world.service.uncheckablePassword(of: accountOfAnn(password: foreign)), foreign)
        XCTAssertNil(world.service.uncheckablePassword(of: accountOfAnn()), "a password that can be checked")
        XCTAssertNil(world.service.uncheckablePassword(of: account()), "the password of an account without one")
        var account = accountOfAnn(password: foreign)
        _ = account.add(.federated(gitHub), at: noon)
        let outcome = try await bring(account)
        XCTAssertEqual(outcome, .created)
        let written = try await world.service.account("ann")
        XCTAssertEqual(written.methods.map(\.kind.provider), [.gitHub], "the methods that were written")
        let checkable = try await bring(accountOfAnn("other").with(email: "other@example.com"))
        XCTAssertEqual(checkable, .created)
        let other = try await world.service.account("other")
        XCTAssertEqual(other.methods.map(\.kind.provider), [.password], "the methods of an account with a known hash")
    }

    /// Else the first who signs up with the address would take it.
    func testTheAddressOfAnAccountThatVerifiedItBelongsToItAlone() async throws {
        var account = accountOfAnn()
        account.reservesEmail = false
        // A password under the address would reserve it too.
        account.methods = []
        _ = account.add(.federated(gitHub), at: noon)
        let outcome = try await bring(account)
        XCTAssertEqual(outcome, .created)
        let owner = try await world.store.load([.owner(.primaryEmail(ann))]).owner(of: .primaryEmail(ann))
        XCTAssertEqual(owner?.id, "ann", "the owner of the address")
    }

    func testANumberThatIsASecondFactorAsWellDoesNotSignInWhereThePolicyAsksForAnotherOne() async throws {
        let sent = try XCTUnwrap(number)
        for (needsOther, factorNumber, isKept) in [
            (true, sent, false), (false, sent, true), (true, try XCTUnwrap(PhoneNumber("+15550009999")), true),
        ] {
            var world = World(.standard)
            world.policy.phoneWithFactors = needsOther ? .asksForFactor : .refused
            var account = accountOfAnn()
            _ = account.add(.phone(sent), at: noon)
            account.factors = [
                SecondFactor(id: SecondFactor.ID(bits: 1), kind: .phone(factorNumber), enrolledAt: noon, generation: 9)
            ]
            _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
            let written = try await world.service.account("ann")
            XCTAssertEqual(
                written.phoneNumber,
                isKept ? sent : nil,
                "the number that signs in, beside the factor \(factorNumber), where another one is asked for: \(needsOther)"
            )
        }
    }

    func testWhatIsThereIsNotOverwrittenAndEachConflictIsNamed() async throws {
        let first = try await bring(accountOfAnn())
        XCTAssertEqual(first, .created)
        let again = try await bring(accountOfAnn())
        XCTAssertEqual(again, .existing, "the same account once more")
        let taken = try await bring(accountOfAnn("other"))
        XCTAssertEqual(taken, .conflict(.primaryEmail(ann), owner: "ann"), "an address that is taken")
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts.map(\.id), ["ann"], "the accounts that were written")
    }

    func testTheLastSignInComesAlong() async throws {
        _ = try await bring(accountOfAnn())
        let seen = try await world.store.load([.account("ann")])
        XCTAssertEqual(seen.lastSignIn(of: "ann"), later, "the last sign-in of the other system")
    }

    func testAnIdentityIsFoundUnderTheKeyItWasMovedTo() async throws {
        var account = account()
        _ = account.add(.federated(gitHub), at: noon)
        _ = try await bring(account)
        let key = Identity.Key(issuer: "github.com", subject: "8")
        try await world.service.remap(from: gitHub.key, to: key)
        let moved = try await world.service.account("ann")
        XCTAssertEqual(moved.identities.map(\.key), [key], "the key of the identity")
    }

    /// Its domain may be pinned later.
    func testS39_AnImportedWordThatIsNotBelievedIsNoAuthoritativeOne() async throws {
        var world = World(.standard)
        world.policy.addressTrust = .authorities(.wellKnown.pinning(["other.org"], of: "https://accounts.google.com"))
        var account = Account(id: try XCTUnwrap(AccountID("imported")), createdAt: world.clock.timestamp)
        account.email = EmailAddress("ann@example.com")
        let key = Identity.Key(issuer: "https://accounts.google.com", subject: "g")
        account.note(.email(try XCTUnwrap(account.email)), .provider(key, .authoritative), at: world.clock.timestamp)
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
        let kept = try await world.storedAccount(account.id)
        XCTAssertEqual(kept?.evidence.map(\.source), [.provider(key, .confirmed)])
    }
}

extension Account {
    fileprivate func with(email: String) -> Account {
        var account = self
        account.email = EmailAddress(email)
        return account
    }
}
