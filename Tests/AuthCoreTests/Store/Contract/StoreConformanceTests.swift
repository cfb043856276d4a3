@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

final class StoreConformanceTests: LimitedTestCase {
    override class var timeLimit: Int { 600 }

    /// What breaks each clause; a clause that nothing breaks would prove nothing.
    private let flaws: [String: [Flaw]] = [
        "what was committed is read back whole": [.losesClaims],
        "everything is found by every name": Flaw.dropsWhatWasFound,
        "what is not there is not found": [.findsSomebodyElse],
        "a snapshot shows one moment": [.showsTheLastLook],
        "precondition: keys of addresses follow the store's rule": [.ignores(.keyRule)],
        "precondition: an update names the version it saw": Flaw.halves + [
            .ignores(.updates), .namesAnother, .remembersRefusals,
        ],
        "precondition: a removal names the version it saw": [.ignores(.removals)],
        "precondition: an account that was only read has the version it had": [.ignores(.reads)],
        "precondition: a new account's id is free": [.ignores(.creations)],
        "precondition: an identity has the owner expected": [.ignores(.identities)],
        "precondition: a number has the owner expected": [.ignores(.phones)],
        "precondition: an address has the owner expected": [.ignores(.emails)],
        "precondition: an owner that is only expected is the owner": [.ignores(.expectations)],
        "precondition: a record is put where none is": [.ignores(.recordPuts)],
        "precondition: a record is replaced where one is": [.ignores(.recordReplacements)],
        "precondition: a record is consumed where one is": [.ignores(.recordUses)],
        "precondition: a session is put where none is": [.ignores(.sessionPuts)],
        "precondition: a session is updated where one is": [.ignores(.sessionUpdates)],
        "precondition: a refresh token was exchanged as often as seen": [.ignores(.exchanges)],
        "a key has one owner": [.ignores(.identities), .ignores(.phones), .ignores(.emails)],
        "a key that was given back can be taken": [.releasesNothing],
        "a key moves from one account to another in one step": [.movesNothing],
        "identities that only look alike are two": Flaw.folds,
        "identities of one subject at two issuers are two": [.ignoresIssuers, .joinsTexts] + Flaw.folds,
        "ids of accounts are compared byte for byte": [.foldsAccountIDs],
        "references list every account and no other": [.losesReferences, .keepsReferences],
        "of many references the strongest are found, then those of the oldest accounts": Flaw.misordersReferences,
        "a list of references that was read is unchanged": [.ignores(.references)],
        "a reference behind the list disturbs no decision": [.countsStrangers],
        "lists are whole, however long": Flaw.cutsLists + Flaw.cutsLoads + Flaw.cutsLongPages + [.leavesAccountsOut],
        "times are kept to the millisecond": Flaw.cutsTimes,
        "times are kept and compared however far away": Flaw.knowsFewTimes,
        "what is written in an order is read in that order": [.reversesMethods, .writesEventsBackwards],
        "accounts that are due are found by their time": Flaw.misreadsDueTimes,
        "a sweep spares what was given more time": [.sweepsByTheFirstTime],
        "an operation is known for a day": [.forgetsAfterHours, .forgetsEveryDay],
        "an operation without events is written once": [.knowsOperationsByEvents],
        "the log keeps what the store says, and says what it removed": [.hidesRemoved, .showsOldEvents],
        "the log keeps all that it must": Flaw.losesEvents,
        "what one commit writes is seen together": [.readsPieceByPiece],
        "events and messages are seen with their change": Flaw.splitTransactions,
        "a reader of the log misses nothing that others write": [.showsEventsLate, .endsBehindWhatIsShown],
        "what is committed on one handle is read on the other": [.keepsAccounts],
        "an operation is known on every handle": [.keepsOperations],
        "a version that one handle raised is not met on the other": [.countsVersions],
        "what was committed is there after the store is opened again": [
            .losesEverything, .losesOperations, .losesMessages,
        ],
        "what is due and what was read is known after the store is opened again": [
            .losesDueTimes, .losesLeases, .losesFailures, .losesListVersions, .forgetsListReads, .losesKeyRule,
            .losesExpiries,
        ],
        "every name shows an account as it is": Flaw.copiesAccounts,
        "events are read back whole": Flaw.losesEventDetails,
        "numbers are kept however large": [.cutsVersions, .cutsExchanges],
        "addresses and numbers that only look alike are two": Flaw.takesContactsForOne,
        "a record that is put where others are revoked stays": [.revokesLast],
        "a restored account has not signed in yet": [.remembersSignIns],
        "what was leased, settled, swept and ended is so after the store is opened again": Flaw.endsInMemory,
        "positions grow on after the store is opened again": [.beginsPositionsAnew],
        "a commit that is interrupted is written whole or not at all": Flaw.keepsHalf,
        "a large commit that is interrupted is written whole or not at all": [.keepsBatches],
        "of parallel creations of one account one wins": [.looksTooEarly(.creations)],
        "of parallel puts of one record one wins": [.looksTooEarly(.recordPuts)],
        "of parallel insertions of one session one wins": [.looksTooEarly(.sessionPuts)],
        "a session that is updated while it ends stays ended": [.looksTooEarly(.sessionUpdates)],
        "of two changes that each read what the other writes one wins": [.checksAndForgets(.reads)],
        "a key that a change expects to be free is free when it is written": [.checksAndForgets(.expectations)],
        "of parallel changes that read one list of references one wins": [.checksAndForgets(.references)],
        "an operation is written once": [.knowsNoOperation, .callsDuplicatesCommitted, .writesEventsAgain],
        "an operation that was written is known later, too": [.forgetsOperations],
        "events are in the order in which they were written": [
            .reversesEvents, .placesEventsAtOnce, .callsEventsRemoved,
        ],
        "events are read in pages": [.ignoresEventLimits, .repeatsEvents],
        "the end of the log is before every later event": [.endsEarly],
        "recording a sign-in does not move the version": [.countsSignIns],
        "a session ends alone": [.endsNothing],
        "all sessions of an account end but the one kept": [.endsTheKept, .keepsAll],
        "a session that begins where all others end stays": [.endsTheNew],
        "a session that is written where all others end stays as it was written": [.keepsTheKeptAsItWas],
        "all records about an account are found": [.losesCodes, .mixesPurposes],
        "the sessions that were unused longest end": [.keepsTheUnused],
        "a record is put, replaced, consumed and revoked": [.usesNothingUp, .replacesNothing, .revokesNothing],
        "records are revoked by account and purpose": [.revokesEveryPurpose, .revokesNoPurpose],
        "nothing of a removed account is left": [.revokesNoPurpose, .keepsAll],
        "a tombstone is found, and keeps its account's id from being used again": [
            .keepsNoTombstones, .reusesRemovedIDs,
        ],
        "a message is leased by one caller at a time": [.leasesFromTheWriter, .leasesToAll],
        "messages are leased in the order in which they are due": [
            .reversesMessages, .leasesWithoutLimit, .showsWhatItMayNotLease, .leasesByTheFirstTry,
        ],
        "a message whose lease ends is due again, or has failed": [.triesAtOnce, .givesNothingUp],
        "a message that was leased again is not touched by an earlier lease": [.heedsEveryLease],
        "a settled message is gone": [.settlesNothing, .settlesUpTo, .keepsFailures],
        "messages are listed by status, in pages": [.mixesStatuses, .repeatsMessages, .listsAllForNothing],
        "a sweep removes what has expired and nothing else": [.sweepsTheLiving, .sweepsLate],
        "a sweep removes no more than it may": [
            .sweepsWithoutLimit, .callsSweepsComplete, .sweepsAllForNothing,
        ],
        "accounts are paged in the order of their ids, while others are added": [
            .pagesByPlace, .pagesByLength, .takesNoLimitForNone,
        ],
        "of parallel claims to one key one wins": [
            .looksTooEarly(.identities), .looksTooEarly(.phones), .looksTooEarly(.emails),
        ],
        "of parallel updates of one version one wins": [.looksTooEarly(.updates)],
        "of parallel uses of one record one wins": [.looksTooEarly(.recordUses)],
        "of parallel exchanges of one refresh token one wins": [.looksTooEarly(.exchanges)],
        "one operation sent in parallel is written once": [.notesOperationsTooLate, .notesEventsTooLate],
    ].merging(StoreConformanceTests.more) { $0 + $1 }

    private static let more = [
        Flaw.members, Flaw.commits, Flaw.keys, Flaw.operations, Flaw.tombstones, Flaw.names, Flaw.rows, Flaw.lists,
        Flaw.pageBounds, Flaw.messages, Flaw.sideBySide, Flaw.meanwhile, Flaw.compounds, Flaw.times, Flaw.snapshots,
        Flaw.logs, Flaw.details, Flaw.remains, Flaw.remembering, Flaw.extremes, Flaw.parts, Flaw.combinations,
        Flaw.repeated, Flaw.pages, Flaw.indexes, Flaw.lookalikes, Flaw.interleaved, Flaw.long, Flaw.purposes, Flaw.gone,
        Flaw.contacts, Flaw.orders, Flaw.owners, Flaw.duplicates, Flaw.bounds, Flaw.oldValues, Flaw.hashes,
        Flaw.canceled, Flaw.reused,
    ]
    .reduce(into: [:]) { $0.merge($1) { $0 + $1 } }

    /// Clauses for which a store in memory has neither files nor connections.
    private let skipped = [
        "what was committed is there after the store is opened again",
        "what is due and what was read is known after the store is opened again",
        "what was leased, settled, swept and ended is so after the store is opened again",
        "rows that no account shows are there after the store is opened again",
        "positions grow on after the store is opened again",
        "a commit that is interrupted is written whole or not at all",
        "a large commit that is interrupted is written whole or not at all",
        "a commit that is interrupted is whole or not there after the store is opened again",
    ]

    private func assertFlawless(
        skipping more: [String] = [],
        _ subject: @escaping @Sendable () -> StoreSubject,
        line: UInt = #line
    ) async {
        let report = await StoreConformance(makeSubject: subject).report()
        XCTAssertEqual(report.violations, [], "the right store is blamed", line: line)
        XCTAssertEqual(report.checked.count + report.skipped.count, StoreConformance.clauses.count, line: line)
        XCTAssertTrue(report.skipped.allSatisfy((skipped + more).contains), "\(report)", line: line)
    }

    func testTheStoreInMemoryKeepsEveryClause() async {
        await assertFlawless { StoreSubject(InMemoryIdentityStore(eventLimit: 1000)) }
        let report = await StoreConformance { StoreSubject(InMemoryIdentityStore()) }.report()
        XCTAssertEqual(report.skipped.count, 9, "a log of a hundred thousand events is not overrun: \(report)")
        XCTAssertTrue(report.description.hasPrefix("\(report.checked.count) clauses checked, 9 could not be"))
    }

    func testEveryClauseHasAStoreThatBreaksIt() {
        XCTAssertEqual(Set(flaws.keys), Set(StoreConformance.clauses))
        XCTAssertEqual(Set(StoreConformance.clauses).count, StoreConformance.clauses.count)
        XCTAssertGreaterThan(Set(flaws.values.joined().map(\.name)).count, 100)
    }

    func testEveryClauseCatchesTheStoresThatBreakIt() async throws {
        let planted = flaws.flatMap { clause, flaws in flaws.map { (clause: clause, flaw: $0) } }
        let found = try await parallelMap(planted) { clause, flaw in
            await StoreConformance { flaw.make() }.report(onClause: clause).violations.map(\.clause)
        }
        for (planted, clauses) in zip(planted, found) {
            XCTAssertEqual(Set(clauses), [planted.clause], "\(planted.flaw.name) went unnoticed, or by another clause")
        }
    }

    func testARightStoreBehindAWrapperThatOpensTwiceReopensAndIsInterruptedIsNotBlamed() async {
        await assertFlawless {
            let whole = FlawedStore(whole: InMemoryIdentityStore(eventLimit: 1000))
            return StoreSubject(open: { whole }, reopen: { whole })
        }
        let clause = "a commit that is interrupted is written whole or not at all"
        let nothing = Flaw.interrupts("keeps nothing") { _, _, _ in nil }
        let everything = Flaw.interrupts("keeps everything from a statement on") { changes, statements, whole in
            if statements > 7 { _ = try await whole.commit(changes) }
            return nil
        }
        for right in [nothing, everything] {
            let report = await StoreConformance { right.make() }.report(onClause: clause)
            XCTAssertEqual(report.violations, [], right.name)
            XCTAssertEqual(report.checked, [clause])
        }
    }

    func testARightStoreThatFindsRowsByIndexesIsNotBlamed() async {
        for clause in Flaw.indexes.keys {
            let report = await StoreConformance { IndexedStore { $1.follow($0) }.subject }.report(onClause: clause)
            XCTAssertEqual(report.violations, [], "\(report)")
            XCTAssertEqual(report.checked, [clause], "the clause was not checked")
        }
    }

    func testARightStoreThatIsWrittenDifferentlyKeepsEveryClause() async {
        let log = "the log keeps what the store says, and says what it removed"
        await assertFlawless(skipping: [log]) { StoreSubject(PlainStore()) }
    }

    /// What no change contains, the suite does not write either.
    func testAStoreThatRefusesWhatNoChangeContainsIsNotBlamed() async {
        await assertFlawless {
            var store = FlawedStore(whole: InMemoryIdentityStore(eventLimit: 1000))
            store.onCommit = { changes, whole in
                if let fault = changes.fault { throw ImpossibleChange(fault: fault) }
                return try await whole.commit(changes)
            }
            return StoreSubject(store)
        }
    }

    func testALogThatKeepsFewEventsIsNotBlamed() async throws {
        let long = [
            "lists are whole, however long", "a page is as long as it may be",
            "one change writes many rows of each kind",
            "events and messages are seen with their change", "a reader of the log misses nothing that others write",
            "a change may have many events, and the next one follows them", "many rows of each kind are seen together",
            "what many write side by side is all there", "lists and pages are whole, however large their rows are",
            "a read that is canceled fails or is whole",
        ]
        let short = [
            "events are in the order in which they were written", "events are read in pages",
            "an event is read back with everything that it has", "times are kept and compared however far away",
            "what is written in an order is read in that order", "events are read back whole",
            "the end of the log is before every later event", "of parallel claims to one key one wins",
            "an operation is known by its ID and by nothing else",
            "events follow each other as their changes do, whatever their times are",
            "a reader of the whole log stays at its end", "a store places events itself, wherever they were",
        ]
        let limits = [1, 9, 20, 100, 700]
        let reports = try await parallelMap(limits) { limit in
            await StoreConformance {
                StoreSubject(limit < 20 ? Flaw.log(ofNewest: limit) : InMemoryIdentityStore(eventLimit: limit))
            }.report()
        }
        for (limit, report) in zip(limits, reports) {
            XCTAssertEqual(report.violations, [], "a right store with a log of \(limit) events is blamed")
            let others = Set(report.skipped).subtracting(skipped + long + (limit < 20 ? short : []))
            XCTAssertEqual(others, [], "clauses that need no longer log than \(limit)")
        }
    }

    func testALogForATimeIsCheckedAndNotBlamed() async {
        let log = { @Sendable in Flaw.log(keeping: .days(400), removingAfter: .days(400)) }
        await assertFlawless { StoreSubject(log()) }
        await assertFlawless {
            let plain = PlainStore(events: .lasting(.days(400)))
            var store = FlawedStore(whole: plain)
            store.onSweep = { now, limit, whole in
                plain.tables.withLock { tables in
                    Flaw.remove(tables.events.prefix { $0.at < now - .days(400) }.count, of: &tables)
                }
                return try await whole.sweep(at: now, limit: limit)
            }
            return StoreSubject(store)
        }
        let clause = "the log keeps what the store says, and says what it removed"
        let report = await StoreConformance {
            var store = FlawedStore(whole: log())
            store.onEvents = { position, limit, whole in
                let page = try await whole.events(after: position, limit: limit)
                return Store.EventPage(events: page.events, end: page.end)
            }
            return StoreSubject(store)
        }.report(onClause: clause)
        XCTAssertEqual(report.violations.map(\.clause), [clause], "a log that hides what it removed")
    }

    /// A member that no value has set could be lost by any store.
    func testWhatTheSuiteWritesHasEverything() async {
        let written = Mutex<[ChangeSet]>([])
        for clause in StoreConformance.clauses where clause.hasSuffix("everything that it has") {
            _ = await StoreConformance {
                var store = FlawedStore(whole: InMemoryIdentityStore())
                store.onCommit = { changes, whole in
                    written.withLock { $0.append(changes) }
                    return try await whole.commit(changes)
                }
                return StoreSubject(store)
            }.report(onClause: clause)
        }
        var census = Census()
        for change in written.withLock({ $0 }) {
            for write in change.accounts { census.visit(write) }
            for change in change.sessions { census.visit(change) }
            for change in change.records { census.visit(change) }
            for event in change.events { census.visit(event) }
            for message in change.messages { census.visit(message) }
        }
        XCTAssertEqual(census.neverSet.sorted(), [])
        let cases = ["Content": 21, "StoredProof": 6, "Actor": 5, "Source": 5, "Intent": 3, "Use": 3, "Recipient": 2]
        for (type, count) in cases { XCTAssertEqual(census.cases[type]?.count, count, "the cases of \(type)") }
    }

    func testAFaultyStoreWithoutFaultsKeepsEveryClause() async {
        await assertFlawless { StoreSubject(FaultyStore(InMemoryIdentityStore(eventLimit: 1000))) }
    }

    func testAStoreThatCannotBeMadeOrThrowsIsReported() async {
        struct Broken: Error {}
        let unmade = await StoreConformance { throw Broken() }.report()
        XCTAssertEqual(unmade.violations.map(\.clause), StoreConformance.clauses)
        XCTAssertEqual(unmade.checked, StoreConformance.clauses, "a clause that cannot begin was not counted")
        XCTAssertEqual(unmade.skipped, [], "a store that cannot be made keeps no clause from being checked")
        let throwing = await StoreConformance {
            var store = FlawedStore(whole: InMemoryIdentityStore(eventLimit: 1000))
            store.onCommit = { _, _ in throw Broken() }
            return StoreSubject(store)
        }.report()
        XCTAssertEqual(Set(throwing.violations.map(\.clause)), Set(throwing.checked))
        XCTAssertEqual(throwing.skipped, skipped)
        let unknown = await StoreConformance { throw Broken() }.report(onClause: "unheard of")
        XCTAssertEqual(unknown.violations.map(\.finding), ["there is no such clause"])
    }

    func testAReportNamesEveryClauseThatWasNotCheckedAndEveryViolation() async {
        struct Broken: Error {}
        let clause = "a session ends alone"
        let unmade = await StoreConformance { throw Broken() }.report(onClause: clause)
        XCTAssertEqual(
            unmade.description,
            "1 clauses checked, 0 could not be\n\(clause): no store could be made: Broken()",
            "the report on a store that cannot be made"
        )
        let memory = await StoreConformance { StoreSubject(InMemoryIdentityStore()) }.report(onClause: skipped[0])
        XCTAssertEqual(
            memory.description,
            "0 clauses checked, 1 could not be\nnot checked: \(skipped[0])",
            "the report on a store that cannot be opened again"
        )
    }

    func testAFindingSaysWhatWasFoundAndThenWhatShouldHaveBeen() async {
        let clause = "a sweep removes no more than it may"
        let report = await StoreConformance { Flaw.sweepsAllForNothing.make() }.report(onClause: clause)
        let finding = "how much a sweep of nothing removed: 10.0, not 0.0"
        XCTAssertEqual(report.violations.first?.finding, finding, "what is said of ten rows that a sweep removed")
    }
}
