import XCTest

@testable import AuthCore

/// Which methods of an account belong to the person who verified an address or number.
final class AccountCoverageTests: LimitedTestCase, PlainAccount {
    func testAVerificationCountsFromTheFirstToTheLastTimeOfItsEvidence() {
        var account = account()
        account.note(.email(ann), .mailboxCode, at: noon)
        account.note(.email(ann), .mailboxCode, at: later)
        let between = Evidence.Verification(.email(ann), at: noon + .seconds(30))
        XCTAssertTrue(account.evidence.support(between), "a verification between the first and the last time")
    }

    func testAMethodAndASessionKeepTheNewestVerifications() throws {
        var account = account()
        let method = account.add(.emailLink, at: noon)
        var session = Session(
            id: SessionID(bits: 1),
            account: account.id,
            basis: Session.Basis(method),
            createdAt: noon,
            authenticatedAt: noon,
            activeAt: noon,
            sessionGeneration: 0,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        let subjects = (1...20).map { Evidence.Subject.email(EmailAddress.ascii("ann\($0)@example.com")) }
        for subject in subjects {
            account.cover([method.generation], by: [subject], at: noon)
            session.note(proof: subject, at: noon)
        }
        XCTAssertEqual(account.methods[0].coverage.map(\.subject), Array(subjects.suffix(16)), "what covers the method")
        XCTAssertEqual(session.verified.map(\.subject), Array(subjects.suffix(16)), "what the session verified")
        account.methods[0].coverage = []
        account.cover(in: session, at: noon)
        XCTAssertEqual(account.methods[0].coverage.map(\.subject), Array(subjects.suffix(16)), "what covers it again")
    }

    func testTheVerificationOfAnAddressToWhichTheAccountMayBeTakenBackStaysInAFullList() {
        var account = account()
        account.email = .ascii("ben@example.com")
        account.reservations = [Account.Reservation(email: ann, until: later)]
        let method = account.add(.emailLink, at: noon)
        let others = (1...17).map { EmailAddress.ascii("other\($0)@example.com") }
        for address in [ann] + others { account.cover([method.generation], by: [.email(address)], at: noon) }
        let kept = [ann] + others.suffix(15)
        XCTAssertEqual(account.methods[0].coverage.map(\.subject), kept.map { .email($0) }, "what covers the method")
    }

    func testWhatASessionVerifiedCoversNothingOnceTheAccountLeftTheAddress() throws {
        var account = account()
        let verification = Evidence.Verification(.email(ann), at: noon)
        account.note(.email(ann), .mailboxCode, at: noon)
        account.note(.phone(try XCTUnwrap(number)), .phoneCode, at: noon)
        XCTAssertTrue(account.evidence.support(verification, at: later), "the account still has the address")
        account.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertFalse(account.evidence.support(verification, at: later), "the address may be another person's by now")
    }

    func testWhatAMailboxCoveredCountsAfterAReturnByItsOtherNameOnlyWhileItIsReserved() {
        let mailbox = EmailAddress.ascii("ann@gmail.com")
        for isReserved in [true, false] {
            var account = account()
            account.email = ann
            let covered = Evidence.Verification(.email(mailbox), at: noon)
            _ = account.add(.federated(gitHub), at: noon, coverage: [covered])
            if isReserved { account.reservations = [Account.Reservation(email: mailbox, until: later)] }
            account.moveToUnverified(.ascii("ann@googlemail.com"), at: noon)
            let expected = isReserved ? [covered] : []
            XCTAssertEqual(account.methods[0].coverage, expected, "what covers it, reserved: \(isReserved)")
        }
    }

    func testCoverageIsOfTheMethodsThatWereUsedAndEachSubjectOnce() throws {
        var account = account()
        let link = account.add(.emailLink, at: noon)
        let identity = account.add(.federated(gitHub), at: noon)
        account.note(.email(ann), .mailboxCode, at: noon)
        account.cover([identity.generation], by: [.email(ann)], at: noon)
        account.cover([identity.generation], by: [.email(ann)], at: later)
        XCTAssertEqual(account.methods.map(\.coverage.count), [0, 1], "one method, once")
        XCTAssertEqual(account.methods[1].coverage.first?.at, noon, "at the first time")
        XCTAssertFalse(account.isCovered(by: ann, under: .standard), "the other method is not covered")
        account.methods[0].suspension = SignInMethod.Suspension(since: noon, reason: .ownerReportsChange)
        XCTAssertTrue(
            account.isCovered(by: ann, under: .standard),
            "the other method is suspended, and signs no one in"
        )
        account.methods[0].suspension = nil
        var session = Session(
            id: SessionID(bits: 1),
            account: account.id,
            sessionGeneration: 0,
            basis: Session.Basis(link),
            at: noon,
            device: nil,
            origin: nil,
            deviceName: nil
        )
        account.cover(in: session, at: noon)
        XCTAssertEqual(
            account.methods.map(\.coverage.count),
            [0, 1],
            "a session without a verification covers nothing"
        )
        session.note(proof: .email(ann), at: noon)
        session.note(proof: .email(ann), at: later)
        session.note(proof: nil, at: later)
        XCTAssertEqual(
            session.verified,
            [Evidence.Verification(.email(ann), at: later)],
            "what was verified, once, with the last time"
        )
        account.cover(in: session, at: later)
        XCTAssertEqual(account.methods.map(\.coverage.count), [1, 1], "the method of the session, and no other again")
        XCTAssertEqual(account.methods[0].coverage.first?.at, later)
        XCTAssertTrue(account.isCovered(by: ann, under: .standard), "now every method is covered")
        XCTAssertFalse(account.isCovered(by: .ascii("ben@example.com"), under: .standard), "by this address only")
        var left = account
        left.withdrawEvidence(of: .email(ann), at: later)
        XCTAssertFalse(left.isCovered(by: ann, under: .standard), "what covered them counts no more")
        XCTAssertTrue(session.hasUsed(link.generation), "the method of the session")
        XCTAssertFalse(session.hasUsed(identity.generation), "a method that it did not use")
        session.used.append(Session.Basis(identity))
        XCTAssertTrue(session.hasUsed(identity.generation), "a method that it used besides")
    }

    func testGooglemailCoversGmail() {
        var account = account()
        let method = account.add(.emailLink, at: noon)
        account.note(.email(.ascii("ann@googlemail.com")), .mailboxCode, at: noon)
        account.cover([method.generation], by: [.email(.ascii("ann@googlemail.com"))], at: noon)
        XCTAssertTrue(account.isCovered(by: .ascii("ann@gmail.com"), under: .standard), "one mailbox under two names")
        account.cover([method.generation], by: [.email(.ascii("ann@gmail.com"))], at: noon)
        XCTAssertEqual(account.methods[0].coverage.count, 1, "is not recorded twice")
    }
}
