@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Accounts as only a long life, an import or another version leaves them.
final class UnusualAccountTests: LimitedTestCase {
    private var world = World(.firebase)

    private func account() -> Account { Account(id: AccountID(bits: 5), createdAt: world.clock.timestamp) }

    func testEvidenceThatIsStaleGoesBeforeEvidenceThatIsOld() throws {
        var ann = account()
        let address = try XCTUnwrap(EmailAddress("ann@example.com"))
        let left = try XCTUnwrap(EmailAddress("left@example.com"))
        func note(_ subject: EmailAddress, _ number: Int) {
            let key = Identity.Key(issuer: "issuer", subject: "\(number)")
            ann.note(.email(subject), .provider(key, .confirmed), at: world.clock.timestamp)
        }
        for number in 1...Account.evidenceLimit - 1 {
            world.clock.advance(by: .seconds(1))
            note(address, number)
        }
        world.clock.advance(by: .seconds(1))
        note(left, 0)
        ann.withdrawEvidence(of: .email(left), at: world.clock.timestamp)
        world.clock.advance(by: .seconds(1))
        note(address, 100)
        XCTAssertEqual(ann.evidence.count, Account.evidenceLimit)
        XCTAssertTrue(ann.evidence.allSatisfy { $0.subject == .email(address) }, "the younger, but stale one went")
    }

    func testASessionWithAnEndIsOverThen() async throws {
        let ann = try await world.signUpAnn()
        var session = ann.session
        session.expiresAt = world.clock.timestamp + .seconds(60)
        let there = try await world.account(ann)
        XCTAssertTrue(session.isAlive(for: there, world.service.decisionContext()))
        world.clock.advance(by: .seconds(60))
        XCTAssertFalse(session.isAlive(for: there, world.service.decisionContext()))
    }

    func testANumberOfUnknownVerificationTimeIsOldWhereThereIsAnotherMethod() throws {
        let policy = AuthPolicy.standard
        var ann = account()
        _ = ann.add(.phone(try XCTUnwrap(PhoneNumber("+15550001234"))), at: world.clock.timestamp)
        XCTAssertFalse(ann.canSpareOldNumber(at: world.clock.timestamp, under: policy))
        let identity = Identity(key: Identity.Key(issuer: "https://github.com", subject: "1"), provider: .gitHub)
        _ = ann.add(.federated(identity), at: world.clock.timestamp)
        XCTAssertTrue(ann.canSpareOldNumber(at: world.clock.timestamp, under: policy))
        ann.note(.phone(try XCTUnwrap(ann.phoneNumber)), .phoneCode, at: world.clock.timestamp)
        XCTAssertFalse(ann.canSpareOldNumber(at: world.clock.timestamp, under: policy))
    }

    func testWhoContestsTheOnlyMethodSuspendsTheFactorThatCameWithItAndKeepsTheMethod() async throws {
        world.startOver(.standard)
        var ann = account()
        let identity = Identity(
            key: Identity.Key(issuer: "https://github.com", subject: "1"),
            provider: .gitHub,
            email: nil,
            assurance: .claimed,
            displayName: nil,
            photoURL: nil,
            username: nil
        )
        let method = ann.add(.federated(identity), at: world.clock.timestamp)
        let factor = ann.addFactor(
            .totp(sealedSeed: [1], lastUsedStep: nil),
            named: nil,
            id: 3,
            at: world.clock.timestamp
        )
        let codes = [SecondFactor.RecoveryCode(hash: [1])]
        ann.recoveryCodes = codes
        let change = Store.ReversibleChange(methods: [method.generation], factors: [factor.id], recoveryCodes: codes)
        let key = OneTimeRecordID(bits: 6)
        let notice = OneTimeRecord(
            key: key,
            account: ann.id,
            createdAt: world.clock.timestamp,
            expiresAt: nil,
            content: .changeReport(change)
        )
        let snapshot = Snapshot([.record(key)]) { _ in .record(notice, Snapshot.Row(ann)) }
        let decision = ReportUnauthorizedChange(code: key).decision(on: snapshot, world.service.decisionContext())
        XCTAssertEqual(decision.reasons, [.ownerReportsChange, .methodIsTheLast])
        guard case .update(let after, _)? = decision.changes.accounts.first else {
            return XCTFail("nothing is written")
        }
        XCTAssertTrue(after.methods.allSatisfy(\.isActive))
        XCTAssertTrue(after.factors.allSatisfy { $0.suspension != nil })
        XCTAssertEqual(after.recoveryCodes, [])
    }

    func testAnAdoptedAccountLosesTheNameAndThePictureThatASquatterGaveIt() async throws {
        world.startOver(.standard)
        let eve = try await world.device("eve").signUp(email: "ann@gmail.com", password: "eves own word").user
        try await eve.updateProfile(displayName: .set("Eve"), photoURL: .set("https://example.com/eve.png"))
        let plain = SimulatedToken(email: .text("ann@gmail.com"), name: .absent)
        let ann = try await world.device().signIn(
            with: world.google(SimulatedPerson(name: "Ann", email: "ann@gmail.com"), plain)
        )
        XCTAssertEqual(ann.user.uid, eve.uid)
        let after = try await world.account(ann.user)
        XCTAssertNotEqual(after.displayName, "Eve")
        XCTAssertNotEqual(after.photoURL, "https://example.com/eve.png")
    }
}
