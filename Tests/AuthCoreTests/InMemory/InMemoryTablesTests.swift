import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCore

/// The indexes of the in-memory store beside a search through everything.
final class InMemoryTablesTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    /// What the tables are to show, without indexes.
    fileprivate struct Plain {
        var accounts: [AccountID: Account] = [:]
        var owners: [UniqueKey: AccountID] = [:]
        var references: [EmailAddress: [AccountID: EmailReference]] = [:]
        var sessions: [SessionID: Session] = [:]
        var records: [OneTimeRecordID: OneTimeRecord] = [:]
    }

    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let ids = (1...5).map { AccountID(bits: UInt128($0)) }
    private static let keys: [UniqueKey] =
        (1...3).map { .identity(Identity.Key(issuer: "https://issuer.example", subject: "\($0)")) }
        + (1...3).compactMap { PhoneNumber("+1555000000\($0)") }.map { .phone($0) }
        + (1...3).compactMap { EmailAddress("owned\($0)@example.com") }.map { .primaryEmail($0) }

    func testRandomChangesLeaveWhatPlainDictionariesHold() async throws {
        let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == "1"
        _ = try await parallelMap(1...(isLong ? 24 : 6)) { seed in try Self.play(seed) }
    }

    private static func play(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var tables = InMemoryTables(eventLimit: 10)
        var plain = Plain()
        for step in 1...600 {
            let changes = try change(step, plain, &generator)
            guard case .committed = tables.commit(changes) else {
                XCTFail("step \(step) of seed \(seed) was not committed")
                return
            }
            plain.apply(changes)
            try compare(&tables, plain, "seed \(seed), step \(step)")
        }
        // What is emptied leaves no row behind.
        for account in plain.accounts.values {
            var end = ChangeSet(
                operation: OperationID(bits: UInt128.random(in: .min ... .max, using: &generator)),
                at: now
            )
            end.accounts = [.remove(account.id, expected: account.version)]
            _ = tables.commit(end)
        }
        var last = ChangeSet(
            operation: OperationID(bits: UInt128.random(in: .min ... .max, using: &generator)),
            at: now
        )
        last.keys = plain.owners.map { KeyChange($0.key, from: $0.value, to: nil) }
        last.references = plain.references.flatMap { email, ids in
            ids.values.map { Store.EmailReferenceChange(email: email, reference: $0, isReferenced: false) }
        }
        last.records = plain.records.keys.map { .revoke($0) }
        last.sessions = plain.sessions.keys.map { .end($0) }
        _ = tables.commit(last)
        XCTAssertTrue(tables.accounts.isEmpty, "seed \(seed)")
        XCTAssertTrue(tables.identities.isEmpty && tables.phones.isEmpty && tables.emails.isEmpty)
        XCTAssertTrue(tables.referencing.isEmpty)
        XCTAssertTrue(tables.sessions.isEmpty && tables.records.isEmpty)
        XCTAssertEqual(tables.tombstones, 0)
        XCTAssertTrue(tables.sortedIDs.isEmpty && tables.dueAccounts.isEmpty)
        XCTAssertTrue(tables.dueRecords.isEmpty && tables.dueSessions.isEmpty)
    }

    func testARecordThatIsRemovedLeavesNothingInTheIndexes() throws {
        var tables = InMemoryTables(eventLimit: 10)
        var changes = ChangeSet(operation: OperationID(bits: 1), at: Self.now)
        let record = OneTimeRecord(
            key: OneTimeRecordID(bits: 1),
            account: Self.ids[0],
            createdAt: Self.now,
            expiresAt: Self.now + .seconds(60),
            content: .lostFactors
        )
        changes.records = [.put(record)]
        XCTAssertEqual(tables.commit(changes), .committed)
        XCTAssertFalse(tables.accounts.isEmpty, "it is found by its account")
        XCTAssertFalse(tables.dueRecords.isEmpty, "it is found by its end")
        tables.removeRecord(record.key)
        XCTAssertTrue(tables.accounts.isEmpty, "it is still found by its account")
        XCTAssertTrue(tables.dueRecords.isEmpty, "it is still found by its end")
    }

    func testEveryChangeOfAListOfReferencesGivesItAnotherVersion() throws {
        var tables = InMemoryTables(eventLimit: 10)
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        var versions: [UInt64] = []
        for number in 0..<4 {
            var changes = ChangeSet(operation: OperationID(bits: UInt128(number)), at: Self.now)
            let reference = EmailReference(account: Self.ids[number / 2], createdAt: Self.now, strength: .own)
            let isReferenced = number != 3
            changes.references = [
                Store.EmailReferenceChange(email: email, reference: reference, isReferenced: isReferenced)
            ]
            XCTAssertEqual(tables.commit(changes), .committed)
            versions.append(tables.referencing[email]?.version ?? 0)
        }
        XCTAssertEqual(versions[1], versions[0], "the same reference again changes nothing")
        XCTAssertEqual(Set(versions).count, 3, "one reference, another one, and one less: \(versions)")
    }

    private static func change(
        _ step: Int,
        _ plain: Plain,
        _ generator: inout SeededGenerator
    ) throws -> ChangeSet {
        var changes = ChangeSet(operation: OperationID(bits: UInt128(step)), at: now)
        let id = try XCTUnwrap(ids.randomElement(using: &generator))
        let other = try XCTUnwrap(ids.randomElement(using: &generator))
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            if let account = plain.accounts[id] {
                changes.accounts = [.remove(id, expected: account.version)]
            } else {
                changes.accounts = [.create(Account(id: id, createdAt: now))]
            }
        case 1, 2:
            let key = try XCTUnwrap(keys.randomElement(using: &generator))
            let owner = Bool.random(using: &generator) ? id : nil
            changes.keys = [KeyChange(key, from: plain.owners[key], to: owner)]
        case 3:
            let email = try XCTUnwrap(EmailAddress("\(Int.random(in: 0..<3, using: &generator))@example.com"))
            let strengths = EmailReference.Strength.allCases
            let reference = EmailReference(
                account: id,
                createdAt: now,
                strength: try XCTUnwrap(strengths.randomElement(using: &generator))
            )
            let isReferenced = Int.random(in: 0..<3, using: &generator) > 0
            changes.references = [
                Store.EmailReferenceChange(email: email, reference: reference, isReferenced: isReferenced)
            ]
        case 4, 5:
            if plain.accounts[id] == nil { break }
            changes.sessions = [
                .put(
                    Session(
                        id: SessionID(bits: UInt128(step)),
                        account: id,
                        sessionGeneration: 0,
                        basis: .anonymous,
                        at: now,
                        device: nil,
                        origin: nil,
                        deviceName: nil
                    )
                )
            ]
        case 6:
            if let gone = plain.sessions.keys.sorted().randomElement(using: &generator) {
                changes.sessions = [.end(gone)]
            }
        case 7:
            let mine = plain.sessions.values.filter { $0.account == id }.map(\.id).sorted()
            // A removed account's sessions are nobody's to end together.
            if plain.accounts[id] == nil { break }
            if let kept = mine.randomElement(using: &generator), Bool.random(using: &generator) {
                changes.sessions = [.endUnused(id, keeping: 2, besides: kept)]
            } else {
                changes.sessions = [.endAll(id, except: mine.randomElement(using: &generator))]
            }
        case 8:
            let contents: [OneTimeRecord.Content] = [
                .changeReport(Store.ReversibleChange(methods: [UInt32(step)], factors: [], email: nil)),
                .changeReport(Store.ReversibleChange(methods: [], factors: [], email: nil)),
                .changeReport(
                    Store.ReversibleChange(methods: [1, 2], factors: [], email: EmailAddress("a@example.com"))
                ),
                .usedAssertion, .lostFactors,
            ]
            changes.records = try contents.map { content in
                .put(
                    OneTimeRecord(
                        key: OneTimeRecordID(bits: UInt128.random(in: .min ... .max, using: &generator)),
                        account: Bool.random(using: &generator)
                            ? try XCTUnwrap(ids.randomElement(using: &generator)) : nil,
                        createdAt: now,
                        expiresAt: Bool.random(using: &generator) ? now + .milliseconds(100) : nil,
                        content: content
                    )
                )
            }
        default:
            if Bool.random(using: &generator) {
                changes.records = [.revokeAll(other, Bool.random(using: &generator) ? [.changeReport] : [.lostFactors])]
            } else if let key = plain.records.keys.sorted().randomElement(using: &generator),
                let old = plain.records[key]
            {
                let new = OneTimeRecord(key: key, account: other, createdAt: now, expiresAt: nil, content: old.content)
                changes.records = [Bool.random(using: &generator) ? .consume(key) : .replace(new)]
            }
        }
        return changes
    }

    private static func compare(_ tables: inout InMemoryTables, _ plain: Plain, _ place: String) throws {
        for id in ids {
            let reference = Lookup.Reference.account(id)
            let found = OneTimeRecord.Purpose.allCases.flatMap { purpose in
                tables.load([.records(of: reference, purpose)]).records(of: reference, purpose)
            }
            XCTAssertEqual(tables.load([.account(id)])[id], plain.accounts[id], place)
            if plain.accounts[id] == nil { continue }
            let codes = plain.records.values.filter { $0.account == id }
            XCTAssertEqual(Set(found), Set(codes), place)
            XCTAssertEqual(found.count, codes.count, place)
        }
        for key in keys { XCTAssertEqual(tables[ownerOf: key], plain.owners[key], place) }
        for (email, referencing) in plain.references {
            XCTAssertEqual(tables.referencing[email]?.found ?? [], referencing.values.sorted(), place)
        }
        // As many, and each of them the same.
        XCTAssertEqual(tables.sessions.shards.reduce(0) { $0 + $1.count }, plain.sessions.count, place)
        for (id, session) in plain.sessions { XCTAssertEqual(tables.sessions[id]?.session, session, place) }
        XCTAssertEqual(tables.records.shards.reduce(0) { $0 + $1.count }, plain.records.count, place)
        for (key, record) in plain.records { XCTAssertEqual(tables.records[key]?.record, record, place) }
        let ids = tables.accounts(after: nil, limit: 100).map(\.account.id)
        XCTAssertEqual(ids, plain.accounts.keys.sorted(), place)
    }
}

extension InMemoryTablesTests.Plain {
    mutating func apply(_ changes: ChangeSet) {
        for write in changes.accounts {
            switch write {
            case .create(let account), .update(let account, _): accounts[account.id] = account
            case .remove(let id, _): accounts[id] = nil
            }
        }
        for change in changes.keys { owners[change.key] = change.owner }
        for change in changes.references {
            references[change.email, default: [:]][change.reference.account] =
                change.isReferenced ? change.reference : nil
        }
        for change in changes.sessions {
            switch change {
            case .put(let session), .update(let session, _): sessions[session.id] = session
            case .end(let id): sessions[id] = nil
            case .endAll(let id, let kept):
                for session in sessions.values where session.account == id && session.id != kept {
                    sessions[session.id] = nil
                }
            case .endUnused(let id, let limit, let kept):
                let unused = sessions.values.filter { $0.account == id && $0.id != kept }
                    .sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
                for session in unused.dropLast(limit - 1) { sessions[session.id] = nil }
            }
        }
        for change in changes.records {
            switch change {
            case .put(let record), .replace(let record): records[record.key] = record
            case .consume(let key), .revoke(let key): records[key] = nil
            case .revokeAll(let id, let purposes):
                for record in records.values
                where record.account == id && purposes.contains(record.purpose) {
                    records[record.key] = nil
                }
            }
        }
    }
}
