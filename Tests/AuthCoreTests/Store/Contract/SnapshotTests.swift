@testable import AuthCore
import XCTest

/// What a snapshot would be once changes were written that take something away.
final class SnapshotTests: LimitedTestCase {
    private let people = Result { try Situations() }

    private func snapshot(of account: Account, _ session: Session, _ record: OneTimeRecord) -> Snapshot {
        let row = Snapshot.Row(account, lastSignIn: Scene.now)
        let reference = Lookup.Reference.account(account.id)
        let key = UniqueKey.primaryEmail(account.email ?? EmailAddress(normalized: ""))
        let lookups: Lookups = [
            .account(account.id), .owner(key), .referencing(account.email ?? EmailAddress(normalized: "")),
            .session(session.id), .record(record.key), .sessions(of: reference),
            .records(of: reference, record.purpose),
        ]
        return Snapshot(lookups) { lookup in
            switch lookup {
            case .account, .owner: .account(row)
            case .referencing: .accounts([row], version: 1)
            case .session: .session(session)
            case .record: .record(record, row)
            case .sessions: .sessions([session])
            case .records: .records([record])
            }
        }
    }

    func testASnapshotWithoutAnswersFoundNothing() {
        let (session, record) = (SessionID(bits: 1), OneTimeRecordID(bits: 2))
        let seen = Snapshot([.account("ann"), .session(session), .record(record)]) { _ in .nothing }
        XCTAssertNil(seen["ann"])
        XCTAssertNil(seen.session(session))
        XCTAssertNil(seen.record(record))
    }

    private func scene() throws -> (account: Account, session: Session, record: OneTimeRecord) {
        let ann = try people.get().ann
        let scene = Scene(ann).signedIn().holding(.lostFactors, of: ann.id)
        return (ann, try XCTUnwrap(scene.sessions.first), try XCTUnwrap(scene.records.first))
    }

    func testARecordLeadsToItsAccountAsItIsAfterwards() throws {
        let (ann, session, record) = try scene()
        var changed = ann
        changed.displayName = "another name"
        changed.version += 1
        var changes = ChangeSet(operation: OperationID(bits: 1), at: Scene.now)
        changes.accounts = [.update(changed, expected: ann.version)]
        let seen = snapshot(of: ann, session, record).applying(changes)
        XCTAssertEqual(seen.account(of: record.key)?.displayName, "another name", "the account of the record")
        XCTAssertEqual(seen[ann.id]?.displayName, "another name", "the account")
    }

    func testAnAccountThatGoesLeavesItsTombstoneAndNothingElse() throws {
        let (ann, session, record) = try scene()
        var transaction = Transaction(Scene.decisionContext(by: .pinned))
        transaction.delete(ann, by: .system)
        let seen = snapshot(of: ann, session, record).applying(transaction.changes)
        XCTAssertNil(seen[ann.id])
        XCTAssertNotNil(seen.tombstone(of: ann.id))
        XCTAssertEqual(seen.accounts, [])
        XCTAssertNil(seen.session(session.id))
        XCTAssertNil(seen.record(record.key))
        XCTAssertEqual(seen.sessions(of: .account(ann.id)), [])
        XCTAssertEqual(seen.records(of: .account(ann.id), record.purpose), [])
        XCTAssertEqual(seen.applying(transaction.changes).tombstone(of: ann.id)?.content, .tombstone(successor: nil))
    }

    func testAnAddressThatIsGivenBackLeadsNowhereAndTheRestStays() throws {
        let (ann, session, record) = try scene()
        let key = UniqueKey.primaryEmail(try XCTUnwrap(ann.email))
        var transaction = Transaction(Scene.decisionContext(by: .pinned))
        var moved = ann
        moved.dropEmail(at: Scene.now)
        transaction.replace(ann, with: &moved)
        let seen = snapshot(of: ann, session, record).applying(transaction.changes)
        XCTAssertNil(seen.owner(of: key))
        XCTAssertEqual(seen[ann.id], moved)
        XCTAssertEqual(seen.lastSignIn(of: ann.id), Scene.now)
        XCTAssertEqual(seen.session(session.id), session)
        XCTAssertEqual(seen.record(record.key), record)
    }

    func testWhatIsUsedUpOrEndedAloneIsNotSeen() throws {
        let (ann, session, record) = try scene()
        var changes = Transaction(Scene.decisionContext(by: .pinned)).changes
        changes.records = [.consume(record.key)]
        changes.sessions = [.end(session.id)]
        let seen = snapshot(of: ann, session, record).applying(changes)
        XCTAssertNil(seen.record(record.key))
        XCTAssertNil(seen.session(session.id))
        XCTAssertEqual(seen[ann.id], ann)
    }

    func testTheSessionThatIsKeptWhereAllOthersEndIsSeen() throws {
        let (ann, session, record) = try scene()
        var changes = Transaction(Scene.decisionContext(by: .pinned)).changes
        changes.sessions = [.endAll(ann.id, except: session.id)]
        XCTAssertEqual(
            snapshot(of: ann, session, record).applying(changes).session(session.id),
            session,
            "the kept one"
        )
        changes.sessions = [.endAll(ann.id, except: nil)]
        XCTAssertNil(snapshot(of: ann, session, record).applying(changes).session(session.id), "where none is kept")
        changes.sessions = [.endAll("another", except: nil)]
        let seen = snapshot(of: ann, session, record).applying(changes)
        XCTAssertEqual(seen.session(session.id), session, "after all sessions of another account ended")
    }

    /// What is decided after a revocation must still find the other records of the account.
    func testRevokingOnePurposeOfAnAccountHidesNoOtherRecord() throws {
        let (ann, session, record) = try scene()
        let whole = snapshot(of: ann, session, record)
        var changes = Transaction(Scene.decisionContext(by: .pinned)).changes
        changes.records = [.revokeAll(ann.id, [.verifyEmail])]
        let seen = whole.applying(changes)
        XCTAssertEqual(seen.record(record.key), record, "a record of another purpose is hidden")
        let listed = seen.records(of: .account(ann.id), record.purpose)
        XCTAssertEqual(listed, [record], "a record of another purpose is missing in the list")
        changes.records = [.revokeAll("another", [record.purpose])]
        XCTAssertEqual(whole.applying(changes).record(record.key), record, "a record of another account is hidden")
        changes.records = [.revokeAll(ann.id, [record.purpose])]
        XCTAssertNil(whole.applying(changes).record(record.key), "a record that was revoked is still seen")
    }
}
