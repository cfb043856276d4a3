@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What the target of a merge has verified afterwards, of what either account had.
final class MergeEvidenceTests: LimitedTestCase {
    private let world = World(.standard)

    /// The target of a merge of both, as it is afterwards.
    private func target(of giver: Account, into receiver: Account) -> Account {
        let plan = Merge.Plan(giver, into: receiver, choices: [], under: world.policy)
        return MergeHandover(of: giver, to: receiver, by: plan, verified: [], at: world.clock.timestamp).target
    }

    func testAnAccountThatWasNeverVerifiedIsVerifiedByAMethodThatWas() async throws {
        let ann = try await world.signUp("ann@example.com")
        let source = try await world.storedAccount(ann)
        var giver = try XCTUnwrap(source)
        var receiver = Account(id: AccountID(bits: 5), createdAt: world.clock.timestamp)
        func isVerified() -> Bool { target(of: giver, into: receiver).wasEverVerified }
        XCTAssertTrue(isVerified())
        giver.wasEverVerified = false
        giver.evidence = []
        XCTAssertFalse(isVerified())
        giver.wasEverVerified = true
        receiver.email = EmailAddress("ben@example.com")
        XCTAssertFalse(isVerified(), "the password stays behind, and what was verified of its address")
    }

    func testTheProofOfAFactorsNumberGoesAlongWithTheFactor() async throws {
        let ann = try await world.signUp("ann@example.com")
        let ben = try await world.signUp("ben@example.com")
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var giver = try XCTUnwrap(source)
        let (number, other) = (try XCTUnwrap(PhoneNumber("+15550001234")), try XCTUnwrap(PhoneNumber("+15550009999")))
        for verified in [number, other] { giver.note(.phone(verified), .phoneCode, at: world.clock.timestamp) }
        _ = giver.addFactor(.phone(number), named: nil, id: 1, at: world.clock.timestamp)
        let after = self.target(of: giver, into: try XCTUnwrap(target))
        let fresh = after.evidence.filter(\.isFresh).map(\.subject)
        XCTAssertTrue(fresh.contains(.phone(number)))
        XCTAssertFalse(fresh.contains(.phone(other)))
    }

    func testOfWhatBothSidesKnewTheYoungerWordCounts() async throws {
        let ann = try await world.signUp("ann@example.com")
        let ben = try await world.signIn(.gitHub, .ben)
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var (giver, receiver) = (try XCTUnwrap(source), try XCTUnwrap(target))
        let address = try XCTUnwrap(giver.email)
        receiver.dropEmail(at: world.clock.timestamp)
        receiver.note(.email(address), .mailboxCode, at: world.clock.timestamp)
        receiver.withdrawEvidence(of: .email(address), at: world.clock.timestamp)
        world.clock.advance(by: .seconds(60))
        giver.note(.email(address), .mailboxCode, at: world.clock.timestamp)
        func word() -> Evidence? {
            let evidence = self.target(of: giver, into: receiver).evidence
            return evidence.first { $0.subject == .email(address) && $0.source == .mailboxCode }
        }
        XCTAssertEqual(word()?.isFresh, true)
        XCTAssertEqual(word()?.lastAt, world.clock.timestamp)
        giver.withdrawEvidence(of: .email(address), at: world.clock.timestamp)
        XCTAssertEqual(word()?.isFresh, false)
    }

    func testOfMoreEvidenceThanAnAccountKeepsTheStaleAndTheOldestGo() async throws {
        let ann = try await world.signUp("ann@example.com")
        let ben = try await world.signUp("ben@example.com")
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var (giver, receiver) = (try XCTUnwrap(source), try XCTUnwrap(target))
        let address = try XCTUnwrap(receiver.email)
        func word(_ number: Int) -> Evidence.Source {
            .provider(Identity.Key(issuer: "issuer", subject: "\(number)"), .confirmed)
        }
        for number in 1..<Account.evidenceLimit {
            world.clock.advance(by: .seconds(1))
            receiver.note(.email(address), word(number), at: world.clock.timestamp)
        }
        world.clock.advance(by: .seconds(1))
        giver.note(.email(address), word(100), at: world.clock.timestamp)
        let evidence = self.target(of: giver, into: receiver).evidence
        XCTAssertEqual(evidence.count, Account.evidenceLimit)
        XCTAssertTrue(evidence.allSatisfy { $0.isFresh || $0.source == word(100) })
        XCTAssertTrue(evidence.contains { $0.source == word(1) }, "what came along is history, and the first to go")
    }
}
