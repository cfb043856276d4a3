@testable import AuthCore
import AuthCoreTesting
import XCTest

final class StoreConformanceTests: XCTestCase {
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
        "precondition: a record is put where none is": [.ignores(.capabilityPuts)],
        "precondition: a record is replaced where one is": [.ignores(.capabilityReplacements)],
        "precondition: a record is consumed where one is": [.ignores(.capabilityUses)],
        "precondition: a session is put where none is": [.ignores(.sessionPuts)],
        "precondition: a session is updated where one is": [.ignores(.sessionUpdates)],
        "precondition: a refresh token was exchanged as often as seen": [.ignores(.exchanges)],
        "a key has one owner": [.ignores(.identities), .ignores(.phones), .ignores(.emails)],
        "a key that was given back can be taken": [.releasesNothing],
        "a key moves from one account to another in one step": [.movesNothing],
        "identities that only look alike are two": [.comparesByLooks],
        "references list every account and no other": [.losesMentions, .keepsMentions],
        "an operation is written once": [.knowsNoOperation, .callsDuplicatesCommitted],
        "an operation that was written is known later, too": [.forgetsOperations],
        "events are in the order in which they were written": [.reversesEvents, .placesEventsAtOnce],
        "events are read in pages": [.ignoresEventLimits, .repeatsEvents],
        "the end of the log is before every later event": [.endsEarly],
        "recording a sign-in does not move the version": [.countsSignIns],
        "a session ends alone": [.endsNothing],
        "all sessions of an account end but the one kept": [.endsTheKept, .keepsAll],
        "a session that begins where all others end stays": [.endsTheNew],
        "all records about an account are found": [.losesCodes, .mixesPurposes],
        "a record is put, replaced, consumed and revoked": [.usesNothingUp],
        "records are revoked by account and purpose": [.revokesEveryPurpose, .revokesNoPurpose],
        "nothing of a removed account is left": [.revokesNoPurpose, .keepsAll],
        "a tombstone is found, and keeps its account's id from being used again": [.buriesNobody, .raisesTheDead],
        "messages wait in order until they are settled": [.reversesMessages, .settlesNothing, .settlesUpTo],
        "a sweep removes what has expired and nothing else": [.sweepsTheLiving, .sweepsLate],
        "a sweep removes no more than it may": [.sweepsWithoutLimit, .callsSweepsComplete],
        "accounts are paged in the order of their ids, while others are added": [.pagesByPlace, .pagesByLength],
        "of parallel claims to one key one wins": [
            .looksTooEarly(.identities), .looksTooEarly(.phones), .looksTooEarly(.emails),
        ],
        "of parallel updates of one version one wins": [.looksTooEarly(.updates)],
        "of parallel uses of one record one wins": [.looksTooEarly(.capabilityUses)],
        "of parallel exchanges of one refresh token one wins": [.looksTooEarly(.exchanges)],
        "one operation sent in parallel is written once": [.notesOperationsTooLate],
    ]

    func testTheStoreInMemoryKeepsEveryClause() async {
        let found = await StoreConformance { InMemoryIdentityStore() }.violations()
        XCTAssertEqual(found, [])
    }

    func testEveryClauseHasAStoreThatBreaksIt() {
        XCTAssertEqual(Set(flaws.keys), Set(StoreConformance.clauses))
        XCTAssertEqual(Set(StoreConformance.clauses).count, StoreConformance.clauses.count)
    }

    func testEveryClauseCatchesTheStoresThatBreakIt() async {
        for (clause, flaws) in flaws {
            for flaw in flaws {
                let found = await StoreConformance { flaw.make() }.violations(ofClause: clause)
                XCTAssertFalse(found.isEmpty, "\(flaw.name) went unnoticed by: \(clause)")
                XCTAssertTrue(found.allSatisfy { $0.clause == clause })
            }
        }
    }

    func testAStoreThatBehavesBehindAFlawlessWrapperIsNotBlamed() async {
        let found = await StoreConformance { FlawedStore(whole: InMemoryIdentityStore()) }.violations()
        XCTAssertEqual(found, [])
    }

    func testAFaultyStoreWithoutFaultsKeepsEveryClause() async {
        let found = await StoreConformance { FaultyStore() }.violations()
        XCTAssertEqual(found, [])
    }

    func testAStoreThatCannotBeMadeOrThrowsIsReported() async {
        struct Broken: Error {}
        let unmade = await StoreConformance { throw Broken() }.violations()
        XCTAssertEqual(unmade.map(\.clause), StoreConformance.clauses)
        let throwing = await StoreConformance {
            var store = FlawedStore(whole: InMemoryIdentityStore())
            store.onCommit = { _, _ in throw Broken() }
            return store
        }.violations()
        XCTAssertEqual(Set(throwing.map(\.clause)), Set(StoreConformance.clauses))
    }
}
