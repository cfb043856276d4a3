import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCore

/// What an account keeps of who verified what.
final class AccountEvidenceTests: LimitedTestCase, PlainAccount {
    func testEvidenceOfOneKindIsOneEntry() throws {
        var account = account()
        account.note(.email(ann), .mailboxCode, at: noon)
        account.note(.email(ann), .mailboxCode, at: later)
        XCTAssertEqual(account.evidence.count, 1, "the same evidence again")
        XCTAssertEqual(account.evidence.first?.count, 2, "how often it was presented")
        XCTAssertEqual(account.evidence.first?.firstAt, noon, "when it was first presented")
        XCTAssertEqual(account.evidence.first?.lastAt, later, "when it was last presented")
        account.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertEqual(account.evidence.map(\.staleSince), [later], "what was withdrawn")
        account.note(.email(ann), .mailboxCode, at: later)
        XCTAssertEqual(account.evidence.map(\.staleSince), [nil], "it counts again")
        XCTAssertEqual(account.evidence.first?.count, 1, "it is new")
        XCTAssertEqual(account.evidence.first?.firstAt, later, "what came before may be of another person")
        account.note(.email(ann), .administrator, at: later)
        account.note(.phone(try XCTUnwrap(number)), .mailboxCode, at: later)
        XCTAssertEqual(account.evidence.count, 3, "another source, and another subject, have entries of their own")
    }

    func testStaleEvidenceOfTheOwnAddressIsKeptAfterFreshEvidenceOfAnother() {
        var account = account()
        account.email = ann
        var own = Evidence(.email(ann), .mailboxCode, at: later)
        own.staleSince = later
        let other = Evidence(.email(.ascii("ben@example.com")), .mailboxCode, at: noon)
        XCTAssertTrue(account.rank(of: own) < account.rank(of: other), "which evidence goes first")
    }

    func testTheProofOfAMailboxIsFoundUnderEitherOfItsNames() {
        var account = account()
        account.email = .ascii("ann@googlemail.com")
        account.note(.email(.ascii("ann@googlemail.com")), .mailboxCode, at: noon)
        XCTAssertEqual(account.emailVerifiedSince, noon, "since when the mailbox is verified")
    }

    func testAPasswordAndAMailedLinkAreDifferentKinds() {
        let password = SignInMethod.Kind.password(PasswordHash(tagged: "$cheap$a$b"))
        XCTAssertFalse(password.isSameKind(as: .emailLink), "both have the provider of passwords")
        XCTAssertTrue(password.isSameKind(as: .password(PasswordHash(tagged: "$cheap$c$d"))), "two passwords")
    }

    func testOnlyAProofVerifiesAnAccountForGood() throws {
        let key = gitHub.key
        let sources: [(Evidence.Source, Bool)] = [
            (.mailboxCode, true), (.phoneCode, true), (.provider(key, .authoritative), true),
            (.provider(key, .confirmed), false), (.provider(key, .claimed), false), (.administrator, false),
            (.imported(trusted: true), false),
        ]
        for (source, isProof) in sources {
            var account = account()
            account.email = ann
            account.reservations = [ann, .ascii("former@example.com")].map {
                Account.Reservation(email: $0, until: later)
            }
            account.note(.email(ann), source, at: noon)
            XCTAssertEqual(account.wasEverVerified, isProof, "\(source)")
            XCTAssertEqual(account.reservations.count, isProof ? 1 : 2, "the former addresses after \(source)")
            account.note(.email(ann), .administrator, at: noon)
            XCTAssertEqual(
                account.wasEverVerified,
                isProof,
                "other evidence does not take back what \(source) verified"
            )
            XCTAssertEqual(
                source.isOfOutside,
                source == .administrator || source == .imported(trusted: true),
                "\(source)"
            )
        }
    }

    func testWhereCoverageDecidesAnImportLinksNothingUnlessItsBatchIsTrusted() throws {
        for joining in AuthPolicy.Joining.allCases {
            for isTrusted in [false, true] {
                var policy = AuthPolicy.standard
                policy.joining = joining
                var account = account()
                account.note(.email(ann), .imported(trusted: isTrusted), at: noon)
                XCTAssertTrue(account.hasProof(of: ann, under: policy))
                let links = account.hasFreshProof(of: ann, at: noon, under: policy)
                XCTAssertEqual(links, isTrusted || joining == .whenVerified, "\(joining), trusted: \(isTrusted)")
            }
        }
    }

    func testAnAccountKeepsSixteenPiecesAndGivesUpTheStaleOnesFirst() throws {
        var account = account()
        let addresses = (0...Account.evidenceLimit).map { EmailAddress.ascii("a\($0)@example.com") }
        for (index, address) in addresses.dropLast().enumerated() {
            account.note(.email(address), .mailboxCode, at: noon + .seconds(index))
        }
        XCTAssertEqual(account.evidence.count, 16, "as many as there can be")
        var withoutStale = account
        withoutStale.note(.email(addresses[16]), .mailboxCode, at: noon - .seconds(1))
        XCTAssertEqual(withoutStale.evidence.count, 16, "no more than there can be")
        XCTAssertNil(withoutStale.evidencePlace(of: .email(addresses[0]), .mailboxCode), "the oldest piece is gone")
        XCTAssertEqual(
            withoutStale.evidence.last?.subject,
            .email(addresses[16]),
            "what was noted now stays, however old"
        )
        account.withdrawEvidence(of: .email(addresses[9]), at: later)
        account.note(.email(addresses[16]), .mailboxCode, at: later)
        XCTAssertNil(account.evidencePlace(of: .email(addresses[9]), .mailboxCode), "the stale piece goes first")
        XCTAssertNotNil(account.evidencePlace(of: .email(addresses[0]), .mailboxCode), "the oldest fresh piece stays")
    }

    func testOfEquallyOldPiecesTheFirstGoes() {
        var account = account()
        let addresses = (0...Account.evidenceLimit).map { EmailAddress.ascii("a\($0)@example.com") }
        for address in addresses { account.note(.email(address), .mailboxCode, at: noon) }
        XCTAssertEqual(account.evidence.map(\.subject), addresses.dropFirst().map { .email($0) })
    }

    func testEvidenceGoesOnAfterAReturnOnlyWhileTheAddressWasReserved() {
        for (until, count) in [(later + .seconds(1), 2), (later, 1)] {
            var account = account()
            account.note(.email(ann), .mailboxCode, at: noon)
            account.withdrawEvidence(of: .email(ann), at: noon)
            account.reservations = [Account.Reservation(email: ann, until: until)]
            account.note(.email(ann), .mailboxCode, at: later)
            XCTAssertEqual(account.evidence.map(\.count), [count], "how often it was verified by the same person")
        }
    }

    func testEvidenceOfTheOtherNameOfTheMailboxIsAboutTheAccountsAddress() {
        var account = account()
        account.email = .ascii("ann@gmail.com")
        let piece = Evidence(.email(.ascii("ann@googlemail.com")), .mailboxCode, at: noon)
        let other = Evidence(.email(.ascii("ben@gmail.com")), .mailboxCode, at: later)
        XCTAssertGreaterThan(account.rank(of: piece).0, account.rank(of: other).0, "what is dropped last")
    }

    func testWithdrawnEvidenceKeepsTheTimeOfItsFirstWithdrawal() {
        var account = account()
        let ben = EmailAddress.ascii("ben@example.com")
        account.note(.email(ann), .mailboxCode, at: noon)
        account.note(.email(ben), .mailboxCode, at: noon)
        account.withdrawEvidence(of: .email(ann), at: noon)
        account.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertEqual(account.evidence.map(\.staleSince), [noon, nil], "one address, once")
    }

    func testMovingToAnAddressWithdrawsTheEvidenceOfBoth() {
        let ben = EmailAddress.ascii("ben@example.com")
        let cleo = EmailAddress.ascii("cleo@example.com")
        var moved = account()
        moved.email = ann
        for address in [ann, ben, cleo] { moved.note(.email(address), .mailboxCode, at: noon) }
        var dropped = moved
        moved.moveToUnverified(ben, at: later)
        XCTAssertEqual(moved.email, ben, "the new address")
        XCTAssertTrue(moved.reservesEmail, "the new address is the account's")
        XCTAssertEqual(
            moved.evidence.map(\.staleSince),
            [later, later, nil],
            "of the old and the new address, of no third"
        )
        dropped.reservesEmail = true
        dropped.dropEmail(at: later)
        XCTAssertNil(dropped.email, "no address")
        XCTAssertFalse(dropped.reservesEmail, "no address is the account's")
        XCTAssertEqual(dropped.evidence.map(\.staleSince), [later, nil, nil], "of the old address only")
    }

    func testMailedLinksCountAsNewInAnotherMailbox() {
        var account = account()
        account.email = ann
        _ = account.add(.emailLink, at: noon)
        var same = account
        account.moveToUnverified(.ascii("ben@example.com"), at: later)
        XCTAssertEqual(account.methods.map(\.seniorSince), [later], "links that go to another mailbox")
        same.moveToUnverified(ann, at: later)
        XCTAssertEqual(same.methods.map(\.seniorSince), [noon], "links that go to the same mailbox")
    }

    func testACountOfEvidenceStaysAtItsMaximum() {
        var piece = Evidence(.email(ann), .mailboxCode, at: noon)
        piece.add(4)
        XCTAssertEqual(piece.count, 5)
        piece.count = .max - 1
        piece.add(1)
        XCTAssertEqual(piece.count, .max)
        piece.add(1)
        XCTAssertEqual(piece.count, .max, "it does not begin again")
    }

    func testOneThingThatWasEverMoreThanAnAddressMakesAnAccountOnesOwn() throws {
        var plain = account()
        plain.email = ann
        plain.note(.email(ann), .provider(gitHub.key, .claimed), at: noon)
        _ = plain.setPassword(PasswordHash(tagged: "a"), at: noon)
        _ = plain.allowEmailLink(at: noon)
        XCTAssertTrue(plain.isAdoptable, "an address, a password and mailed links")
        let number = try XCTUnwrap(number)
        let edits: [(String, (inout Account) -> Void)] = [
            ("it was verified once", { $0.wasEverVerified = true }),
            ("an administrator's word", { [noon, ann] in $0.note(.email(ann), .administrator, at: noon) }),
            ("an import's word", { [noon, ann] in $0.note(.email(ann), .imported(trusted: false), at: noon) }),
            ("it is disabled", { $0.isDisabled = true }), ("it has claims", { $0.customClaims = ["role": "x"] }),
            ("it has a factor", { [noon] in _ = $0.addFactor(.phone(number), named: nil, id: 1, at: noon) }),
            ("it takes custom tokens", { $0.acceptsCustomTokens = true }),
            (
                "it has an identity",
                { [gitHub, noon] in
                    _ = $0.add(.federated(gitHub), at: noon)
                    $0.wasEverVerified = false
                }
            ),
            (
                "it has a number",
                { [noon] in
                    _ = $0.add(.phone(number), at: noon)
                    $0.wasEverVerified = false
                }
            ),
        ]
        for (what, edit) in edits {
            var account = plain
            edit(&account)
            XCTAssertFalse(account.isAdoptable, what)
        }
    }

    func testEvidenceOfEverySourceIsReadAsItWasWritten() throws {
        let sources: [Evidence.Source] = [
            .mailboxCode, .phoneCode, .administrator, .imported(trusted: false), .imported(trusted: true),
            .provider(gitHub.key, .claimed), .provider(gitHub.key, .confirmed), .provider(gitHub.key, .authoritative),
        ]
        for source in sources {
            var piece = Evidence(.email(ann), source, at: noon)
            piece.count = 3
            for times in [(noon, nil), (later, nil), (noon, noon), (later, later)] as [(Timestamp, Timestamp?)] {
                (piece.lastAt, piece.staleSince) = times
                let text = try JSONEncoder().encode([piece])
                XCTAssertEqual(try JSONDecoder().decode([Evidence].self, from: text), [piece], "\(source), \(times)")
            }
        }
    }

    func testAHashIsShownByItsNameAlone() {
        let hash = PasswordHash(tagged: "secret")
        XCTAssertEqual("\(hash)", "PasswordHash")
        XCTAssertEqual(String(reflecting: hash), "PasswordHash")
        XCTAssertTrue(hash.customMirror.children.isEmpty, "a mirror of a hash")
    }
}
