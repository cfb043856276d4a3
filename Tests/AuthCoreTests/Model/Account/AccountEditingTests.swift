import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What edits do to the methods and the counters of an account.
final class AccountEditingTests: LimitedTestCase, PlainAccount {
    func testEachMethodAndFactorHasTheNextGeneration() throws {
        var account = account()
        XCTAssertEqual(account.add(.emailLink, at: noon).generation, 0, "the first method")
        XCTAssertEqual(account.add(.federated(gitHub), at: noon).generation, 1, "the second method")
        XCTAssertEqual(account.addFactor(.phone(try XCTUnwrap(number)), named: nil, id: 1, at: noon).generation, 2)
        XCTAssertEqual(account.setPassword(PasswordHash(tagged: "a"), at: noon).generation, 3, "a first password")
        XCTAssertEqual(account.setPassword(PasswordHash(tagged: "b"), at: later).generation, 4, "another password")
        XCTAssertEqual(account.nextGeneration, 5, "the next generation")
        XCTAssertEqual(account.methods.map(\.generation), [0, 1, 4], "the new password stands where the old one stood")
    }

    func testAMethodMakesAnAccountOfAGuest() {
        var guest = account()
        guest.isAnonymous = true
        _ = guest.add(.emailLink, at: noon)
        XCTAssertFalse(guest.isAnonymous, "an account with a method is no guest's")
    }

    func testOnlyAnIdentityOrANumberIsVerifiedByAddingIt() throws {
        let kinds: [(SignInMethod.Kind, Bool)] = [
            (.password(PasswordHash(tagged: "a")), false), (.emailLink, false), (.federated(gitHub), true),
            (.phone(try XCTUnwrap(number)), true),
        ]
        for (kind, isVerified) in kinds {
            var account = account()
            _ = account.add(kind, at: noon)
            XCTAssertEqual(account.wasEverVerified, isVerified, "\(kind.methodKind)")
        }
    }

    func testAPasswordIsAsOldAsWhatAllowedIt() {
        var account = account()
        XCTAssertEqual(account.setPassword(PasswordHash(tagged: "a"), at: later).seniorSince, later, "as old as itself")
        let old = account.setPassword(PasswordHash(tagged: "b"), at: later, seniorSince: noon)
        XCTAssertEqual(old.seniorSince, noon, "as old as the verification")
        XCTAssertEqual(old.addedAt, later, "though it was added later")
        let early = account.setPassword(PasswordHash(tagged: "c"), at: noon, seniorSince: later)
        XCTAssertEqual(early.seniorSince, noon, "never younger than itself")
    }

    func testTheSameNumberStaysTheSameMethodAndAnotherReplacesIt() throws {
        var account = account()
        let first = try XCTUnwrap(number)
        let second = try XCTUnwrap(PhoneNumber("+15550005678"))
        XCTAssertEqual(account.setPhone(first, at: noon).generation, 0, "a first number")
        XCTAssertEqual(account.setPhone(first, at: later), account.methods.first, "the same number again")
        XCTAssertEqual(account.methods.first?.addedAt, noon, "the same number is not added again")
        XCTAssertEqual(account.setPhone(second, at: later).generation, 1, "another number is another method")
        XCTAssertEqual(account.phoneNumber, second, "the number that signs in")
        XCTAssertEqual(account.methods.count, 1, "an account has one number")
    }

    func testMailedLinksAreAllowedOnce() {
        var account = account()
        let method = account.allowEmailLink(at: noon)
        XCTAssertEqual(account.allowEmailLink(at: later), method, "the method that is there")
        XCTAssertEqual(account.methods, [method], "one method for mailed links")
    }

    func testAnotherSpellingOfTheMailboxIsTheSameMailboxForMailedLinks() throws {
        let gmail = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        for (text, isSame) in [("ann@googlemail.com", true), ("ann@example.com", false)] {
            let new = try XCTUnwrap(EmailAddress(text))
            var account = account()
            account.email = gmail
            _ = account.allowEmailLink(at: noon)
            account.methods[0].coverage = [Evidence.Verification(.email(new), at: noon)]
            account.moveToUnverified(new, at: later)
            let method = try XCTUnwrap(account.methods.first)
            XCTAssertEqual(method.seniorSince, isSame ? noon : later, "since when links are mailed to \(text)")
            XCTAssertEqual(method.coverage.isEmpty, !isSame, "what a verification of \(text) covered before")
        }
    }

    func testConfirmingAMethodTakesBackItsSuspensionAndNoOther() {
        var account = account()
        let first = account.add(.emailLink, at: noon)
        _ = account.add(.federated(gitHub), at: noon)
        let suspension = SignInMethod.Suspension(since: noon, reason: .codeIsUnknown)
        for index in account.methods.indices { account.methods[index].suspension = suspension }
        let confirmed = account.confirm(first, at: later)
        XCTAssertEqual(confirmed.suspension, nil, "the method that was confirmed")
        XCTAssertEqual(confirmed.seniorSince, later, "it is as new as its confirmation")
        XCTAssertEqual(account.confirm(first, at: later + .days(1)).seniorSince, later, "only what was suspended is")
        XCTAssertEqual(account.methods.map(\.isActive), [true, false], "the other one stays suspended")
        var gone = first
        gone.generation = 9
        XCTAssertEqual(account.confirm(gone, at: noon), gone, "a method that the account does not have")
        XCTAssertEqual(account.methods.map(\.isActive), [true, false], "confirms nothing")
    }

    func testASuspensionStaysAsItWasFirst() throws {
        let kind = SecondFactor.Kind.phone(try XCTUnwrap(number))
        let first = SignInMethod.Suspension(since: noon, reason: .ownerReportsChange)
        let factor = SecondFactor(
            id: SecondFactor.ID(bits: 1),
            kind: kind,
            enrolledAt: noon,
            generation: 1,
            suspension: first
        )
        XCTAssertEqual(factor.suspension, first, "a factor that is made suspended")
        var account = account()
        _ = account.add(.emailLink, at: noon)
        account.suspendMethods(for: .ownerReportsChange, at: noon) { _ in true }
        account.suspendMethods(for: .methodIsSuspended, at: later) { _ in true }
        let suspension = SignInMethod.Suspension(since: noon, reason: .ownerReportsChange)
        XCTAssertEqual(account.methods.map(\.suspension), [suspension], "a method that is suspended twice")
    }

    func testAPartThatIsLongerThanAuthCoreWritesItIsNamed() throws {
        let phone = Evidence.Subject.phone(try XCTUnwrap(number))
        let longest = String(repeating: "n", count: 2048)
        let (key, seed) = (gitHub.key, SecondFactor.Kind.totp(sealedSeed: [1], lastUsedStep: nil))
        func identity(_ name: String?, _ photo: String?, _ username: String?) -> SignInMethod.Kind {
            .federated(Identity(key: key, provider: .gitHub, displayName: name, photoURL: photo, username: username))
        }
        func coverage(_ count: Int) -> [Evidence.Verification] {
            Array(repeating: Evidence.Verification(phone, at: noon), count: count)
        }
        for (text, more, isLonger) in [(longest, 0, false), (longest + "n", 1, true)] {
            let edits: [(String, (inout Account) -> Void)] = [
                ("displayName", { $0.displayName = text }), ("photoURL", { $0.photoURL = text }),
                ("knownDevices", { $0.knownDevices = (1...10 + more).map { DeviceID(bits: UInt128($0)).key } }),
                ("recoveryCodes", { $0.recoveryCodes = Array(repeating: .init(hash: [1]), count: 32 + more) }),
                ("methods", { _ = $0.add(.emailLink, at: .distantPast, coverage: coverage(16 + more)) }),
                ("factors", { _ = $0.addFactor(seed, named: text, id: 1, at: .distantPast) }),
                ("methods", { _ = $0.add(identity(text, nil, nil), at: .distantPast) }),
                ("methods", { _ = $0.add(identity(nil, text, nil), at: .distantPast) }),
                ("methods", { _ = $0.add(identity(nil, nil, text), at: .distantPast) }),
            ]
            for (part, edit) in edits {
                var account = account()
                edit(&account)
                XCTAssertEqual(
                    account.overlongPart,
                    isLonger ? part : nil,
                    "\(part) with \(isLonger ? "too much" : "all that fits")"
                )
            }
        }
    }
}
