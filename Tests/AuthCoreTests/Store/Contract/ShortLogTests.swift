@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A store may keep few events, or none: it says so, and is not blamed for it.
final class ShortLogTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    /// The clauses that look for events.
    private let needingEvents = [
        "lists are whole, however long", "times are kept and compared however far away",
        "what is written in an order is read in that order", "events are in the order in which they were written",
        "events are read in pages", "the end of the log is before every later event",
        "a reader of the whole log stays at its end", "a store places events itself, wherever they were",
        "the log keeps what the store says, and says what it removed", "the log keeps all that it must",
        "events are read back whole", "an event is read back with everything that it has",
        "values are kept however large", "an operation is known by its ID and by nothing else",
        "one change writes many rows of each kind", "a page is as long as it may be",
        "of parallel claims to one key one wins", "of parallel creations of one account one wins",
        "one operation sent in parallel is written once", "a read that is canceled fails or is whole",
        "what many write side by side is all there", "many rows of each kind are seen together",
        "events and messages are seen with their change", "a reader of the log misses nothing that others write",
        "a removed account leaves what the change does not remove",
        "lists and pages are whole, however large their rows are", "the greatest limit is a limit",
        "a limit below one asks for nothing", "a list keeps what it contains twice, and its order",
        "events follow each other as their changes do, whatever their times are",
        "a change may have many events, and the next one follows them",
        "positions grow on after the store is opened again",
        "a commit that is interrupted is written whole or not at all",
        "a commit that is interrupted is whole or not there after the store is opened again",
    ]

    /// The store says that it keeps as many events, and can be opened again and interrupted.
    private static func report(keeping count: Int) async -> StoreConformance.Report {
        await StoreConformance {
            let store = PlainStore(
                events: .newest(count),
                edit: { _, _, after in Flaw.remove(after.events.count - max(0, count), of: &after) }
            )
            return StoreSubject(open: { store }, reopen: { store }, interrupt: { _ in })
        }.report()
    }

    func testAStoreThatKeepsNoLogIsNotBlamedAndWhatItCannotBeAskedIsSkipped() async throws {
        let reports = try await parallelMap([0, -1, .min]) { await Self.report(keeping: $0) }
        for report in reports {
            XCTAssertEqual(report.violations, [], "a right store without a log is blamed")
            XCTAssertEqual(report.skipped, needingEvents, "the clauses that were not checked")
            let checked = StoreConformance.clauses.filter { !needingEvents.contains($0) }
            XCTAssertEqual(report.checked, checked, "the clauses that were checked")
            let counts = "\(checked.count) clauses checked, \(needingEvents.count) could not be"
            XCTAssertTrue(report.description.hasPrefix(counts), "what the report counts: \(report)")
        }
    }

    func testAStoreThatKeepsFewEventsAndCanBeOpenedAgainIsNotBlamed() async throws {
        let reports = try await parallelMap([1, 2, 3]) { await Self.report(keeping: $0) }
        for report in reports { XCTAssertEqual(report.violations, [], "a right store with a short log is blamed") }
    }
}
