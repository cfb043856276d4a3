@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws of what is kept up to a bound, and of what comes last.
extension Flaw {
    static let bounds: [String: [Flaw]] = [
        "an account is read back with everything that it has": [printsFifteenDigits],
        "of many references none is lost behind the others": [keepsSomeReferences],
        "the end of the log is before every later event": [endsWithItsReader],
        "of two sign-ins the one recorded last counts, whatever their times are": [keepsTheLatestSignIn],
        "a list of references that a change only reads is the same when it is written": [seesWhoJoins],
        "a lease that another took over ends nothing, and what is settled stays so": [reschedulesWhatItSaw],
        "a read that is canceled fails or is whole": cutsOtherPages,
    ]

    private static let printsFifteenDigits = Flaw.edits("prints fifteen digits of a claim") { _, changes, after in
        for write in changes.accounts {
            guard var account = after.accounts[write.id] else { continue }
            account.customClaims = account.customClaims.mapValues { value in
                guard case .number(let number) = value else { return value }
                return Double(String(format: "%.15g", number)).map { .number($0) } ?? value
            }
            after.accounts[write.id] = account
        }
    }

    private static let keepsSomeReferences = Flaw.edits("keeps the first sixty-four references to an address") {
        _,
        changes,
        after in
        for email in Set(changes.references.map(\.email)) {
            after.references[email] = after.references[email].map { Array($0.sorted().prefix(64)) }
        }
    }

    private static let endsWithItsReader = Flaw.wraps("ends the log where its reader is") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            return Store.EventPage(events: page.events, removed: page.removed, end: max(page.end, position))
        }
    }

    private static let keepsTheLatestSignIn = Flaw.edits("keeps the latest sign-in") { before, changes, after in
        for signIn in changes.signIns where after.accounts[signIn.account] != nil {
            after.signIns[signIn.account] = max(signIn.at, before.signIns[signIn.account] ?? signIn.at)
        }
    }

    /// Checks what was read, and sees a moment later at most who joined a list.
    private static let seesWhoJoins = Flaw("sees only who joins a list that it has checked") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onCommit = { changes, whole in
            let before = plain.tables.withLock { $0 }
            let isRight = changes.referenceReads.allSatisfy { before.version(of: $0.email) == $0.version }
            if changes.referenceReads.isEmpty || !isRight { return try await whole.commit(changes) }
            await pause()
            let now = plain.tables.withLock { $0 }
            let isJoined = changes.referenceReads.contains { read in
                !Set(now.found(read.email).map(\.account)).isSubset(of: before.found(read.email).map(\.account))
            }
            var careless = changes
            if !isJoined { careless.referenceReads = [] }
            return try await whole.commit(careless)
        }
        return StoreSubject(store)
    }

    private static let reschedulesWhatItSaw = Flaw("makes a message due later that it saw a moment ago") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onEndLease = { id, tries, dueAt, whole in
            let isOwn = plain.tables.withLock { tables in
                tables.messages.contains { $0.entry.id == id && $0.tries == tries && $0.dueAt != nil }
            }
            guard let dueAt, isOwn else { return try await whole.endLease(of: id, tries: tries, dueAt: dueAt) }
            await pause()
            plain.tables.withLock { tables in
                for place in tables.messages.indices where tables.messages[place].entry.id == id {
                    tables.messages[place].dueAt = dueAt
                }
            }
        }
        return StoreSubject(store)
    }

    private static let cutsOtherPages: [Flaw] = [
        .wraps("shows half of a page of due accounts that is canceled") { store in
            store.onDue = { now, after, limit, whole in
                let page = try await whole.accounts(dueBy: now, after: after, limit: limit)
                await pause()
                return Task.isCancelled ? Array(page.prefix(page.count / 2)) : page
            }
        },
        .wraps("shows half of a page of failed messages that is canceled") { store in
            store.onMessages = { status, id, limit, whole in
                let page = try await whole.messages(status, after: id, limit: limit)
                if status == .failed { await pause() }
                return status == .failed && Task.isCancelled ? Array(page.prefix(page.count / 2)) : page
            }
        },
    ]
}
