@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// A store that answers what no store can mean is rejected; the suite neither traps nor goes on for ever.
final class AbsurdStoreTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    /// In the quick form every store meets a third of the clauses, and every clause a third of the stores; a store that
    /// none of its third rejects meets the others, up to the first that does.
    func testStoresThatAnswerAbsurdlyAreRejectedAndEndNoClause() async throws {
        let isLong = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == "1"
        let clauses = StoreConformance.clauses
        let stores = Array(Self.absurdities.enumerated())
        let reports = try await parallelMap(stores) { number, flaw in
            let isFirst = { (place: Int) in isLong || (place + number).isMultiple(of: 3) }
            var reports: [StoreConformance.Report] = []
            for place in clauses.indices.filter(isFirst) + clauses.indices.filter({ !isFirst($0) }) {
                if !isFirst(place), reports.contains(where: { !$0.violations.isEmpty }) { break }
                reports.append(await StoreConformance { flaw.make() }.report(onClause: clauses[place]))
            }
            return reports
        }
        for ((_, flaw), reports) in zip(stores, reports) {
            XCTAssertTrue(reports.contains { !$0.violations.isEmpty }, "a store that \(flaw.name) passes")
            let isWhole = reports.allSatisfy { $0.checked.count + $0.skipped.count == 1 }
            XCTAssertTrue(isWhole, "a clause is missing where a store \(flaw.name)")
        }
    }

    func testAStoreThatNeverAnswersIsReportedAtTheLimit() async {
        let never = Gate()
        let flaw = Flaw("never answers") { store in
            store.onLoad = { lookups, whole in
                await never.pass()
                return try await whole.load(lookups)
            }
        }
        let report = await StoreConformance(limit: .milliseconds(20)) { flaw.make() }.report()
        XCTAssertEqual(report.violations.map(\.finding), ["it did not end within 0.02 seconds"])
        XCTAssertEqual(report.checked, Array(StoreConformance.clauses.prefix(1)))
        XCTAssertEqual(report.skipped, Array(StoreConformance.clauses.dropFirst()), "each would take as long")
        never.open()
    }

    func testALimitBeyondAllTimeIsNone() async {
        let clause = "what was committed is read back whole"
        let report = await StoreConformance(limit: .seconds(Int64.max)) { StoreSubject(InMemoryIdentityStore()) }
            .report(onClause: clause)
        XCTAssertEqual(report.violations.map(\.finding), [], "what is said of the clause")
        XCTAssertEqual(report.checked, [clause])
    }

    func testACallThatIsWaitedForNoLongerIsCanceled() async {
        let isCanceled = Mutex(false)
        let flaw = Flaw("answers when it is canceled") { store in
            store.onLoad = { lookups, whole in
                let end = Gate()
                await withTaskCancellationHandler {
                    await end.pass()
                } onCancel: {
                    isCanceled.withLock { $0 = true }
                    end.open()
                }
                return try await whole.load(lookups)
            }
        }
        let clause = "what was committed is read back whole"
        let report = await StoreConformance(limit: .milliseconds(20)) { flaw.make() }.report(onClause: clause)
        let findings = report.violations.map(\.finding)
        XCTAssertEqual(findings, ["it did not end within 0.02 seconds"], "what is said of the clause")
        await wait(for: "the call goes on after the suite has given it up") { isCanceled.withLock { $0 } }
    }

    private static let absurdities: [Flaw] = numbers + answers + pages

    private static let numbers: [Flaw] =
        [Int.max, .min].map { number in
            Flaw("sweeps \(number) rows") { store in
                store.onSweep = { _, _, _ in Store.SweepReport(records: number, sessions: number, isComplete: false) }
            }
        }
        + [Int.max, .min].map { number in
            Flaw("counts \(number) tries") { store in
                store.onLease = { now, end, limit, whole in
                    try await whole.leaseMessages(at: now, until: end, limit: limit).map {
                        Store.QueuedMessage($0.entry, tries: number, dueAt: $0.dueAt)
                    }
                }
            }
        }
        + [
            .shows("has versions without a successor") { _, answer in
                switch answer {
                case .account(let row): .account(row.last)
                case .accounts(let rows, _): .accounts(rows.map(\.last), version: .max)
                case .record(let record, let row): .record(record, row?.last)
                default: answer
                }
            },
            .shows("has sessions that were exchanged too often") { _, answer in
                guard case .session(var session) = answer else { return answer }
                (session.refreshCount, session.sessionGeneration, session.rotation) = (.max, .max, .max)
                return .session(session)
            },
            Flaw("has events at the last position") { store in
                store.onEvents = { position, limit, whole in
                    let page = try await whole.events(after: position, limit: limit)
                    let last = IdentityEvent.Position(incarnation: .max, transaction: .max, number: .max)
                    return Store.EventPage(events: page.events.map { $0.placed(at: last) }, removed: last, end: last)
                }
            },
        ]

    private static let answers: [Flaw] = [
        .shows("finds nothing") { _, _ in .nothing },
        .shows("finds lists for rows and rows for lists") { _, answer in
            switch answer {
            case .account, .record: .sessions([])
            case .session: .accounts([], version: 0)
            default: .nothing
            }
        },
        Flaw("says that it wrote, and writes nothing") { $0.onCommit = { _, _ in .committed } },
        Flaw("knows every operation") { $0.onCommit = { _, _ in .duplicate } },
        Flaw("refuses everything") { $0.onCommit = { changes, _ in .violated(.record(OneTimeRecordID(bits: 1))) } },
        Flaw("throws at every commit") { $0.onCommit = { _, _ in throw CancellationError() } },
        Flaw("throws at every load") { $0.onLoad = { _, _ in throw CancellationError() } },
    ]

    private static let pages: [Flaw] = [
        Flaw("has no accounts") { store in
            store.onAccounts = { _, _, _ in [] }
            store.onDue = { _, _, _, _ in [] }
        },
        Flaw("begins every page of accounts at the first") { store in
            store.onAccounts = { _, limit, whole in try await whole.accounts(after: nil, limit: limit) }
            store.onDue = { now, _, limit, whole in try await whole.accounts(dueBy: now, after: nil, limit: limit) }
        },
        Flaw("begins every page of events at the first") { store in
            store.onEvents = { _, limit, whole in try await whole.events(after: .start, limit: limit) }
        },
        Flaw("has no events") { store in
            store.onEvents = { _, _, _ in Store.EventPage(events: [], removed: .start, end: .start) }
        },
        Flaw("leases to everybody and settles nothing") { store in
            store.onLease = { now, end, limit, whole in
                try await whole.messages(.waiting, after: nil, limit: limit)
            }
            store.onSettle = { _, _ in }
        },
        Flaw("begins every page of messages at the first") { store in
            store.onMessages = { status, _, limit, whole in try await whole.messages(status, after: nil, limit: limit) }
        },
        Flaw("obeys no limit") { store in
            store.onAccounts = { id, _, whole in try await whole.accounts(after: id, limit: .max) }
            store.onDue = { now, last, _, whole in try await whole.accounts(dueBy: now, after: last, limit: .max) }
            store.onEvents = { position, _, whole in try await whole.events(after: position, limit: .max) }
            store.onMessages = { status, id, _, whole in try await whole.messages(status, after: id, limit: .max) }
        },
    ]
}

extension Snapshot.Row {
    /// The same row with the last version that there is.
    fileprivate var last: Snapshot.Row {
        var account = account
        account.version = .max
        return Snapshot.Row(account, lastSignIn: lastSignIn)
    }
}
