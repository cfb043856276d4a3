@testable import AuthCore
import Foundation
import Synchronization
import XCTest

/// A check that sees nothing proves nothing: each is shown decisions that no rule would make.
final class DecisionInvariantTests: LimitedTestCase {
    struct Flaw {
        let invariant: String
        let situation: String
        var policy = AuthPolicy.pinned
        let plant: (inout Decided, Situation) -> Void
    }

    private func flaws() -> [Flaw] {
        flawsOfWriting + flawsOfRecords + flawsOfTelling + flawsOfPromises + flawsOfHiding
    }

    func testEveryInvariantSeesTheFlawsThatItIsFor() throws {
        let situations = try Situations().all
        let flaws = flaws()
        XCTAssertEqual(Set(flaws.map(\.invariant)), Set(DecisionInvariant.all.map(\.name)))
        for flaw in flaws {
            let situation = try XCTUnwrap(situations.first { $0.name == flaw.situation }, flaw.situation)
            let (policy, decisionContext) = (flaw.policy, Scene.decisionContext(by: flaw.policy))
            var decided = situation.decided(decisionContext)
            let missing = situation.decidedWithout(decisionContext)
            for invariant in DecisionInvariant.all {
                XCTAssertNil(invariant.violation(Trial(situation, policy, decided, missing: missing)), flaw.situation)
            }
            flaw.plant(&decided, situation)
            let invariant = try XCTUnwrap(DecisionInvariant.all.first { $0.name == flaw.invariant })
            let violation = invariant.violation(Trial(situation, policy, decided, missing: missing))
            XCTAssertNotNil(violation, "\(flaw.invariant), \(flaw.situation)")
        }
    }

    func testADecisionThatIsOtherwiseTheNextTimeIsSeen() throws {
        let operation = Wavering()
        let wavering = Situation("wavers", Scene(), by: .password) { _ in operation }
        let families = [PolicyFamily(.standard, around: [], comingBy: .password)]
        let table = DecisionTable(wavering, under: families, [])
        XCTAssertEqual(table.violations, ["wavers, standard: I7: it is decided otherwise again"])
    }

    private let free = "unknown Google, its address free"
    private let covered = "unknown Google, its address verified and all methods covered"
    private let uncovered = "unknown Google, its address verified outside the session of the password"
    private let links = "links Facebook"
    private let enters = "known Google, with the second factor"

    private var flawsOfWriting: [Flaw] {
        let refusals = "I8: a refusal changes nothing"
        let keys = "I1, I2: one owner of each key"
        let versions = "every account is the one that was read"
        return [
            Flaw(invariant: refusals, situation: uncovered) { decided, situation in
                decided.changes.sessions = situation.scene.accounts.map { .endAll($0.id, except: nil) }
            },
            Flaw(invariant: refusals, situation: uncovered) { decided, situation in
                decided.changes.accounts = situation.scene.accounts.map { .update($0, expected: $0.version) }
            },
            Flaw(invariant: refusals, situation: uncovered) { decided, _ in
                decided.changes.records.append(.consume(OneTimeRecordID(bits: 200)))
            },
            Flaw(invariant: refusals, situation: uncovered) { decided, situation in
                decided.changes.signIns = situation.scene.accounts.map {
                    Store.SignInRecord(account: $0.id, at: Scene.now)
                }
            },
            Flaw(invariant: refusals, situation: uncovered) { decided, _ in
                let key = OneTimeRecordID(bits: 1)
                decided.changes.records.append(
                    .put(
                        OneTimeRecord(
                            key: key,
                            account: nil,
                            createdAt: Scene.now,
                            expiresAt: nil,
                            content: .lostFactors
                        )
                    )
                )
            },
            Flaw(invariant: keys, situation: free) { decided, _ in decided.changes.keys = [] },
            Flaw(invariant: keys, situation: covered) { decided, situation in
                decided.changes.keys = decided.changes.keys.map { KeyChange($0.key, from: "somebody", to: $0.owner) }
            },
            Flaw(invariant: keys, situation: "links Google, whose address is another account's") { decided, situation in
                let (ben, ann) = (situation.scene.accounts[0], situation.scene.accounts[1])
                let taken = ben.changing { $0.email = ann.email }
                decided.changes.accounts = [.update(taken, expected: ben.version)]
            },
            Flaw(invariant: versions, situation: covered) { decided, _ in
                decided.editAccount { $0.version += 1 }
            },
            Flaw(invariant: versions, situation: covered) { decided, situation in
                decided.changes.accounts = situation.scene.accounts.map { .create($0) }
            },
            Flaw(invariant: versions, situation: "known Google") { decided, situation in
                decided.changes.reads = situation.scene.accounts.map { Store.AccountRead(id: $0.id, version: 9) }
            },
            Flaw(invariant: "S8: no account that verified an address loses it as unverified", situation: covered) {
                decided,
                _ in
                decided.reasons.append(.unverifiedMethodsAreRemoved)
                decided.editAccount { $0.methods.removeFirst() }
            },
            Flaw(invariant: "I6: a number is of one secret or subject", situation: covered) { decided, _ in
                decided.editAccount { $0.methods[0].kind = .password(PasswordHash(tagged: "$other")) }
            },
        ]
    }

    private var flawsOfRecords: [Flaw] {
        let writing = "a store takes what is written of sessions and one-time records"
        let mailed = "mailed link, its address verified and all methods covered"
        func kept(_ key: OneTimeRecordID) -> OneTimeRecord {
            OneTimeRecord(key: key, account: nil, createdAt: Scene.now, expiresAt: nil, content: .lostFactors)
        }
        return [
            Flaw(invariant: writing, situation: mailed) { decided, situation in
                let key = situation.scene.records[0].key
                decided.changes.records = [.put(kept(key))]
            },
            Flaw(invariant: writing, situation: mailed) { decided, _ in
                decided.changes.records = [.replace(kept(OneTimeRecordID(bits: 1)))]
            },
            Flaw(invariant: writing, situation: mailed) { decided, _ in
                decided.changes.records = [.consume(OneTimeRecordID(bits: 1))]
            },
            Flaw(invariant: writing, situation: mailed) { decided, _ in
                decided.changes.records += decided.changes.records
            },
            Flaw(invariant: writing, situation: links) { decided, situation in
                decided.changes.sessions = [.put(situation.scene.sessions[0])]
            },
            Flaw(invariant: writing, situation: links) { decided, situation in
                decided.changes.sessions = [.update(situation.scene.sessions[0], refreshCount: 7)]
            },
            Flaw(invariant: writing, situation: links) { decided, situation in
                decided.changes.sessions.append(.end(situation.scene.sessions[0].id))
            },
            Flaw(invariant: writing, situation: links) { decided, situation in
                decided.changes.sessions.insert(.endAll(situation.scene.sessions[0].account, except: nil), at: 0)
            },
        ]
    }

    private var flawsOfTelling: [Flaw] {
        let reasons = "a documented reason"
        let history = "I10: one event for each change of methods"
        let events = "I10: an event names who did it, and what was verified"
        return [
            Flaw(invariant: reasons, situation: free) { decided, _ in decided.reasons = [] },
            Flaw(invariant: reasons, situation: free) { decided, _ in
                decided.reasons.append(Reason(rawValue: "becauseItWantsTo"))
            },
            Flaw(invariant: reasons, situation: free) { decided, _ in decided.reasons = [.factsContradict] },
            Flaw(invariant: reasons, situation: uncovered) { decided, _ in decided.reasons = [.addressIsFree] },
            Flaw(invariant: history, situation: covered) { decided, _ in
                decided.changes.events.removeAll { $0.kind == .methodsChanged }
            },
            Flaw(invariant: history, situation: covered) { decided, _ in
                decided.changes.events.insert(decided.changes.events[0], at: 0)
            },
            Flaw(invariant: history, situation: covered) { decided, _ in
                decided.editEvents { event in event.copy(before: event.before.map { _ in [] }) }
            },
            Flaw(invariant: history, situation: covered) { decided, _ in
                decided.editEvents { $0.copy(reasons: []) }
            },
            Flaw(invariant: events, situation: covered) { decided, _ in
                decided.editEvents { $0.copy(actor: .administrator) }
            },
            Flaw(invariant: events, situation: covered) { decided, _ in
                decided.editEvents { $0.copy(actor: .session(SessionID(bits: 1))) }
            },
            Flaw(invariant: events, situation: covered) { decided, _ in decided.editEvents { $0.copy(actor: .system) }
            },
            Flaw(invariant: events, situation: links) { decided, _ in
                decided.editEvents { $0.copy(actor: .unauthenticated) }
            },
            Flaw(invariant: events, situation: covered) { decided, _ in
                let mailbox = IdentityEvent.Actor.mailbox(EmailAddress(normalized: "eve@example.com"))
                decided.editEvents { $0.copy(actor: mailbox) }
            },
            Flaw(invariant: events, situation: covered) { decided, _ in
                let address = EmailAddress(normalized: "eve@example.com")
                decided.editEvents { $0.copy(evidence: [Evidence(.email(address), .mailboxCode, at: Scene.now)]) }
            },
        ]
    }

    private var flawsOfPromises: [Flaw] {
        let assurance = "I5: no session claims more than was shown"
        let suspension = "I6: what is suspended or gone does nothing"
        let state = "I3: what is written is sound and can be entered"
        return [
            Flaw(invariant: assurance, situation: covered) { decided, _ in
                decided.editSession { $0.factor = SecondFactor.Use(factor: nil, kind: .recoveryCode, at: Scene.now) }
            },
            Flaw(invariant: assurance, situation: links) { decided, _ in
                decided.editSession { $0.authenticatedAt = Scene.now }
            },
            Flaw(invariant: assurance, situation: "custom token that states a login an hour ago") {
                decided,
                _ in
                decided.editSession { $0.authenticatedAt = Scene.now }
            },
            Flaw(invariant: assurance, situation: links) { decided, _ in
                let email = EmailAddress(normalized: "ann@example.com")
                decided.editSession { $0.verified = [Evidence.Verification(.email(email), at: Scene.now)] }
            },
            Flaw(invariant: "I5: the factor first, then the session", situation: enters) { decided, _ in
                decided.editSession { $0.factor = nil }
            },
            Flaw(invariant: suspension, situation: "known Google that is suspended") { decided, situation in
                decided.refusal = nil
                decided.changes.sessions = situation.scene.signedIn(by: .federated).sessions.map { .put($0) }
            },
            Flaw(invariant: suspension, situation: "links Facebook, signed in by a method that is suspended now") {
                decided,
                _ in
                decided.refusal = nil
            },
            Flaw(invariant: state, situation: "unlinks Facebook, signed in by it") { decided, _ in
                decided.editAccount { $0.methods = [] }
            },
            Flaw(invariant: state, situation: covered) { decided, _ in
                decided.editAccount { $0.reservesEmail = false }
            },
            Flaw(invariant: state, situation: covered) { decided, _ in decided.editSession { $0.sessionGeneration += 1 }
            },
            // What another policy would join to is not to be joined to under this one.
            Flaw(invariant: "I4: nothing uncovered is joined to", situation: uncovered) { decided, situation in
                decided = situation.decided(under: .firebase)
            },
            Flaw(
                invariant: "I4: nothing uncovered stays beside a new password",
                situation:
                    "resets the password beside Google, a Facebook added ten days ago and a number that is not covered"
            ) { decided, _ in
                decided.editAccount { account in
                    for index in account.methods.indices { account.methods[index].suspension = nil }
                }
            },
        ]
    }
}

/// An operation that grants and refuses by turns.
private struct Wavering: AuthCore.Operation {
    private final class Count: Sendable {
        let times = Mutex(0)
    }

    private let count = Count()

    func lookups(_ request: Request) -> Lookups { Lookups() }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) {
        let times = count.times.withLock { times in
            times += 1
            return times
        }
        if times % 2 == 0 { throw Refusal(.userNotFound, .addressIsUnknown) }
    }
}

extension Decided {
    /// Another value for every account that is written over.
    fileprivate mutating func editAccount(_ change: (inout Account) -> Void) {
        changes.accounts = changes.accounts.map { write in
            guard case .update(let account, let expected) = write else { return write }
            return .update(account.changing(change), expected: expected)
        }
    }

    /// Another value for every session that is written.
    fileprivate mutating func editSession(_ change: (inout Session) -> Void) {
        changes.sessions = changes.sessions.map { write in
            switch write {
            case .put(var session):
                change(&session)
                return .put(session)
            case .update(var session, let count):
                change(&session)
                return .update(session, refreshCount: count)
            case .end, .endAll, .endUnused: return write
            }
        }
    }

    fileprivate mutating func editEvents(_ change: (IdentityEvent) -> IdentityEvent) {
        changes.events = changes.events.map(change)
    }
}

extension IdentityEvent {
    /// The same event with something else in one place.
    fileprivate func copy(
        actor: IdentityEvent.Actor? = nil,
        reasons: [Reason]? = nil,
        evidence: [Evidence]? = nil,
        before: [SignInMethod.Summary]? = nil
    ) -> IdentityEvent {
        IdentityEvent(
            kind,
            at: at,
            account: account,
            actor: actor ?? self.actor,
            reasons: reasons ?? self.reasons,
            evidence: evidence ?? self.evidence,
            before: before ?? self.before ?? [],
            after: after ?? []
        )
    }
}
