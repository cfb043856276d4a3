@testable import AuthCore
import XCTest

/// What an account, its methods and its evidence say about an address.
final class AddressKnowledgeTests: LimitedTestCase, PlainAccount {
    func testAnAccountIsKnownAtTheAddressThatCoversOneOfItsActiveMethods() {
        var account = account()
        XCTAssertFalse(account.isOwnerKnown(at: ann, under: .standard), "without a method")
        account.note(.email(ann), .mailboxCode, at: noon)
        _ = account.add(.federated(gitHub), at: noon, coverage: [Evidence.Verification(.email(ann), at: noon)])
        XCTAssertTrue(account.isOwnerKnown(at: ann, under: .standard), "with a method that the address covers")
        account.suspendMethods(for: .recoverySuspends, at: noon) { _ in true }
        XCTAssertFalse(account.isOwnerKnown(at: ann, under: .standard), "with that method suspended")
    }

    func testWhatAnAdministratorSaidOfAnAddressIsOverOnceTheAccountHasLeftIt() {
        var account = account()
        account.note(.email(ann), .administrator, at: noon)
        XCTAssertTrue(account.isOwnerKnown(at: ann, under: .standard), "an administrator says so")
        XCTAssertTrue(account.signsInByLink(at: ann, under: .standard), "mailed links sign in")
        account.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertFalse(account.isOwnerKnown(at: ann, under: .standard), "the account has left the address")
        XCTAssertFalse(account.signsInByLink(at: ann, under: .standard), "mailed links do not sign in any more")
    }

    func testOnlyAProofIsAmongTheProofsOfAnAddress() {
        var account = account()
        account.note(.email(ann), .administrator, at: noon)
        account.note(.email(ann), .imported(trusted: true), at: noon)
        XCTAssertEqual(account.proofs(of: ann, under: .standard), [], "what others say")
        account.note(.email(ann), .mailboxCode, at: later)
        XCTAssertEqual(
            account.proofs(of: ann, under: .standard).map(\.source),
            [.mailboxCode],
            "a code from the mailbox"
        )
    }

    func testEvidenceIsAsFreshAsItsLastProof() {
        var account = account()
        account.note(.email(ann), .mailboxCode, at: noon)
        account.note(.email(ann), .mailboxCode, at: noon + .days(300))
        for (day, isFresh) in [(366, true), (665, true), (666, false)] {
            let found = account.hasFreshProof(of: ann, at: noon + .days(day), under: .standard)
            XCTAssertEqual(found, isFresh, "\(day) days after the first proof, and \(day - 300) after the last")
        }
    }

    func testBothNamesOfAMailboxAreOneOnlyWhereThePolicySaysSo() {
        let names = [EmailAddress.ascii("ann@gmail.com"), .ascii("ann@googlemail.com")]
        XCTAssertTrue(AuthPolicy.standard.keyRule.isSameMailbox(names[0], names[1]), "where a mailbox is reserved")
        XCTAssertFalse(AuthPolicy.firebase.keyRule.isSameMailbox(names[0], names[1]), "where each address is")
        XCTAssertTrue(AuthPolicy.firebase.keyRule.isSameMailbox(names[0], names[0]), "the same address")
    }

    func testAPasswordCanBeUsedOnlyWithAnAddressThatIsTheAccountsOwn() {
        var account = account()
        _ = account.setPassword(PasswordHash(tagged: "a"), at: noon)
        let rows: [(String, EmailAddress?, reserves: Bool, isProvisional: Bool, isUsable: Bool)] = [
            ("no address", nil, true, true, false), ("an address that it only shows", ann, false, false, false),
            ("an address of its own", ann, true, false, true), ("a provisional address", ann, false, true, true),
        ]
        for (what, email, reserves, isProvisional, isUsable) in rows {
            (account.email, account.reservesEmail, account.isProvisional) = (email, reserves, isProvisional)
            XCTAssertEqual(account.hasUsableMethod(under: .standard), isUsable, "a password can be used with \(what)")
        }
    }

    func testAProviderIsListedOnce() {
        var account = account()
        account.email = ann
        account.reservesEmail = true
        for kind in [.password(PasswordHash(tagged: "a")), .emailLink, .federated(gitHub)] as [SignInMethod.Kind] {
            _ = account.add(kind, at: noon)
        }
        let listed = account.listedProviders(under: .firebase)
        XCTAssertEqual(listed, [.password, .gitHub], "a password and mailed links share a provider")
    }

    func testWhoNamesAnAddressIsToldOfItsOwnerOnlyWhereThePolicyDisclosesIt() {
        var concealing = AuthPolicy.standard
        concealing.concealsSignUp = true
        let guest = Account(id: "guest", createdAt: noon)
        var person = Account(id: "ann", createdAt: noon)
        _ = person.add(.emailLink, at: noon)
        var provisional = person
        provisional.isProvisional = true
        let callers: [(String, Account?)] = [
            ("a sign-up", nil), ("a guest", guest), ("a person", person), ("a concealed account", provisional),
        ]
        let rows: [(AuthPolicy, Set<String>)] = [
            (.firebase, ["a sign-up", "a guest", "a person"]), (.standard, ["a sign-up", "a person"]),
            (concealing, []),
        ]
        for (policy, told) in rows {
            XCTAssertEqual(
                Set(callers.filter { policy.tellsOwnership(to: $0.1) }.map(\.0)),
                told,
                "\(policy.disclosure), where sign-up \(policy.concealsSignUp ? "conceals" : "tells") it"
            )
        }
    }
}
