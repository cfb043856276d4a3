import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What is read from the methods of an account.
final class AccountReadingTests: LimitedTestCase, PlainAccount {
    func testAnEntryIsSuspendedWhereItsMethodsAre() throws {
        var account = account()
        account.email = ann
        let kinds: [SignInMethod.Kind] = [
            .password(PasswordHash(tagged: "a")), .phone(try XCTUnwrap(number)),
            .federated(Identity(key: gitHub.key, provider: .gitHub)),
        ]
        for kind in kinds { _ = account.add(kind, at: noon) }
        XCTAssertEqual(account.providerData.map(\.isSuspended), [false, false, false], "methods that can be used")
        for index in account.methods.indices {
            var other = account
            other.methods[index].suspension = SignInMethod.Suspension(since: noon, reason: .methodIsSuspended)
            let suspended = other.providerData.filter(\.isSuspended).map(\.provider)
            XCTAssertEqual(suspended, [other.methods[index].kind.provider], "the entry of the suspended method")
        }
        // A password and mailed links share an entry, which can be used while one of them can.
        _ = account.add(.emailLink, at: noon)
        for (index, isSuspended) in [(0, false), (3, true)] {
            account.methods[index].suspension = SignInMethod.Suspension(since: noon, reason: .methodIsSuspended)
            XCTAssertEqual(account.providerData.first?.isSuspended, isSuspended, "a password, and links beside it")
        }
    }

    func testMailedLinksHaveTheEntryOfAPassword() {
        var account = account()
        account.email = ann
        _ = account.add(.emailLink, at: noon)
        XCTAssertEqual(account.providerData.map(\.provider), [.password], "an account with mailed links alone")
        _ = account.add(.password(PasswordHash(tagged: "a")), at: noon)
        XCTAssertEqual(account.providerData.map(\.provider), [.password], "mailed links, and a password beside them")
    }

    func testASuspendedFactorHasItsNumberStill() throws {
        let number = try XCTUnwrap(number)
        var factor = SecondFactor(id: SecondFactor.ID(bits: 1), kind: .phone(number), enrolledAt: noon, generation: 1)
        XCTAssertEqual(factor.phoneNumber, number, "the number of a factor")
        factor.suspension = SignInMethod.Suspension(since: noon, reason: .ownerReportsChange)
        XCTAssertEqual(factor.phoneNumber, number, "the number of a suspended factor")
    }

    func testKindsOfFactorsHaveTheNamesThatTokensHave() {
        let kinds: [FactorKind] = [.phone, .totp, .recoveryCode]
        XCTAssertEqual(kinds.map(\.rawValue), ["phone", "totp", "recovery"])
    }

    func testAMethodIsTheSameAsAnotherOfItsIdentityOrNumber() throws {
        let other = Identity(key: Identity.Key(issuer: "github.com", subject: "8"), provider: .gitHub)
        let kinds: [SignInMethod.Kind] = [
            .password(PasswordHash(tagged: "a")), .emailLink, .federated(gitHub), .federated(other),
            .phone(try XCTUnwrap(number)), .phone(try XCTUnwrap(PhoneNumber("+15550005678"))),
        ]
        for (index, kind) in kinds.enumerated() {
            let same = kinds.indices.filter { kind.isSameMethod(as: kinds[$0]) }
            XCTAssertEqual(same, [index], "the methods that are the same as \(kind.methodKind), method \(index)")
        }
        let password = SignInMethod.Kind.password(PasswordHash(tagged: "b"))
        XCTAssertTrue(password.isSameMethod(as: kinds[0]), "another password is the same method")
    }

    func testTheOwnerSeesOneEntryOfEachProviderWithWhatItKnows() throws {
        var account = account()
        account.displayName = "Ann"
        account.photoURL = "https://example.com/ann.jpg"
        _ = account.add(.password(PasswordHash(tagged: "a")), at: noon)
        _ = account.add(.emailLink, at: noon)
        XCTAssertEqual(account.providerData, [], "a password without an address is no entry")
        XCTAssertFalse(account.lists(.password), "nor listed")
        account.email = ann
        _ = account.add(.phone(try XCTUnwrap(number)), at: noon)
        let identity = Identity(
            key: gitHub.key,
            provider: .gitHub,
            email: .ascii("ann@github.example"),
            displayName: "Annie",
            photoURL: "https://example.com/annie.jpg"
        )
        _ = account.add(.federated(identity), at: noon)
        let entries = account.providerData
        XCTAssertEqual(entries.map(\.provider), [.password, .phone, .gitHub], "a password and links share an entry")
        XCTAssertEqual(entries.map(\.uid), ["ann@example.com", "+15550001234", "7"], "the ID at the provider")
        XCTAssertEqual(entries.map(\.email), ["ann@example.com", nil, "ann@github.example"], "the address there")
        XCTAssertEqual(entries.map(\.displayName), ["Ann", nil, "Annie"], "the name there")
        XCTAssertEqual(
            entries.map(\.photoURL),
            ["https://example.com/ann.jpg", nil, "https://example.com/annie.jpg"],
            "the picture there"
        )
        XCTAssertEqual(entries.map(\.phoneNumber), [nil, "+15550001234", nil], "the number")
        for provider in [ProviderID.password, .phone, .gitHub] { XCTAssertTrue(account.lists(provider), "\(provider)") }
        XCTAssertFalse(account.lists(.google), "a provider without a method")
        account.email = nil
        XCTAssertEqual(account.providerData.map(\.provider), [.phone, .gitHub], "the entries without an address")
        account.email = ann
        account.methods.removeAll { $0.kind == .emailLink || $0.kind.methodKind == .password }
        XCTAssertFalse(account.lists(.password), "an address without a password or links")
    }

    func testAnEntryHasOnlyTheAddressThatItsProviderKnows() {
        var account = account()
        account.email = ann
        _ = account.add(.federated(gitHub), at: noon)
        XCTAssertEqual(account.providerData.map(\.email), [nil], "the address at a provider that told none")
    }

    func testAnEntryHasOnlyTheNameAndThePictureThatItsProviderKnows() {
        var account = account()
        account.displayName = "Ann"
        account.photoURL = "https://example.com/ann.jpg"
        _ = account.add(.federated(gitHub), at: noon)
        XCTAssertEqual(account.providerData.map(\.displayName), [nil], "the name at a provider that told none")
        XCTAssertEqual(account.providerData.map(\.photoURL), [nil], "the picture at a provider that told none")
    }

    func testAnAccountIsAsOldAsItsFirstMethodOrFactor() throws {
        var account = account()
        _ = account.add(.federated(gitHub), at: later)
        _ = account.addFactor(.phone(try XCTUnwrap(number)), named: nil, id: 1, at: noon)
        XCTAssertEqual(account.oldestDate, noon, "a factor that is older than the methods")
    }

    func testASummaryIdentifiesAMethodAndSaysWhetherItIsSuspended() throws {
        var account = account()
        _ = account.add(.federated(gitHub), at: noon)
        _ = account.add(.phone(try XCTUnwrap(number)), at: later)
        account.methods[1].suspension = SignInMethod.Suspension(since: noon, reason: .codeIsUnknown)
        let summaries = account.methodSummaries
        XCTAssertEqual(summaries.map(\.kind), [.federated, .phone])
        XCTAssertEqual(summaries.map(\.provider), [.gitHub, .phone])
        XCTAssertEqual(summaries.map(\.identity), [gitHub.key, nil])
        XCTAssertEqual(summaries.map(\.phoneNumber), [nil, number])
        XCTAssertEqual(summaries.map(\.addedAt), [noon, later])
        XCTAssertEqual(summaries.map(\.generation), [0, 1])
        XCTAssertEqual(summaries.map(\.isSuspended), [false, true])
    }

    func testEvidenceIsOfAnAccountThatHasItsAddressNumberOrIdentity() throws {
        var account = account()
        account.email = ann
        let phone = try XCTUnwrap(number)
        let second = try XCTUnwrap(PhoneNumber("+15550005678"))
        let ben = Evidence.Subject.email(.ascii("ben@example.com"))
        let other = Identity.Key(issuer: "github.com", subject: "8")
        _ = account.add(.phone(phone), at: noon)
        _ = account.add(.federated(gitHub), at: noon)
        _ = account.addFactor(.phone(second), named: nil, id: 1, at: noon)
        func verifies(_ subject: Evidence.Subject, _ source: Evidence.Source = .mailboxCode) -> Bool {
            account.isVerified(by: Evidence(subject, source, at: noon))
        }
        XCTAssertTrue(verifies(.email(ann)), "its address")
        XCTAssertTrue(verifies(.phone(phone)), "its number")
        XCTAssertTrue(verifies(.phone(second)), "the number of a factor")
        XCTAssertTrue(verifies(ben, .provider(gitHub.key, .confirmed)), "another address, on the word of its identity")
        XCTAssertFalse(verifies(ben), "another address")
        XCTAssertFalse(verifies(ben, .provider(other, .confirmed)), "another address, on the word of another identity")
        XCTAssertFalse(verifies(.phone(try XCTUnwrap(PhoneNumber("+15550009999")))), "another number")
        XCTAssertEqual(
            account.without(identity: gitHub.key).methods.map(\.kind.methodKind),
            [.phone],
            "without its identity"
        )
        XCTAssertEqual(account.without(identity: other).methods.count, 2, "without another identity")
        XCTAssertEqual(account.oldestDate, noon)
        XCTAssertNil(self.account().oldestDate, "an account without methods")
        _ = account.setPassword(PasswordHash(tagged: "a"), at: later, seniorSince: noon - .seconds(60))
        XCTAssertEqual(
            account.oldestDate,
            noon - .seconds(60),
            "the age of a password is that of its verification"
        )
        account.note(.email(ann), .mailboxCode, at: noon - .seconds(120))
        XCTAssertEqual(account.oldestDate, noon - .seconds(120), "the address was verified before the methods")
        account.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertEqual(account.oldestDate, noon - .seconds(60), "a verification that is stale has no age")
    }

    func testAnAccountHasTheSameAccessUntilAMethodAFactorOrItsAddressChanges() throws {
        var account = account()
        account.email = ann
        _ = account.add(.federated(gitHub), at: noon)
        let factor = SecondFactor.Kind.phone(try XCTUnwrap(number))
        _ = account.addFactor(factor, named: nil, id: 1, at: noon)
        let suspension = SignInMethod.Suspension(since: noon, reason: .ownerReportsChange)
        let edits: [(String, Bool, (inout Account) -> Void)] = [
            ("a name", true, { $0.factors[0].displayName = "mobile" }),
            ("an address", false, { $0.email = nil }),
            ("a deletion", false, { [later] in $0.deletedUntil = later }),
            ("a suspended method", false, { $0.methods[0].suspension = suspension }),
            ("a suspended factor", false, { $0.factors[0].suspension = suspension }),
            (
                "another factor", false,
                { [noon] in
                    $0.factors = []
                    _ = $0.addFactor(factor, named: nil, id: 2, at: noon)
                }
            ),
        ]
        for (what, isSame, edit) in edits {
            var changed = account
            edit(&changed)
            XCTAssertEqual(changed.hasSameAccess(as: account), isSame, what)
        }
        var deleted = account
        deleted.deletedUntil = later
        XCTAssertTrue(account.hasSameAccess(as: deleted), "a deletion that was taken back")
    }
}
