@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws of joins and comparisons that take accounts for one whose IDs differ in case.
extension Flaw {
    static let lookalikes: [String: [Flaw]] = [
        "ids of accounts are compared byte for byte": joinsLookalikes + comparesLookalikes,
        "references behind the list are found when those before them end": [fillsListsUp],
        "an id is compared to its last letter, and no id begins another": [unescapesIDs, readsIDsAsNumbers],
        "keys that a collation or a short hash takes for one are two": dropsControls,
    ]

    /// Ends the sessions of every account whose ID the body reads as the same.
    private static func endsAlike(_ name: String, _ read: @escaping @Sendable (String) -> String) -> Flaw {
        .prepares(name) { changes, tables in
            changes.sessions = changes.sessions.flatMap { change -> [Store.SessionChange] in
                guard case .endAll(let id, let kept) = change else { return [change] }
                let alike = tables.accounts.keys.filter { read($0.text) == read(id.text) }
                return alike.map { .endAll($0, except: kept) }
            }
        }
    }

    private static let dropsControls: [Flaw] = [
        mixes("texts with and without space at their end") { text in
            text.trimmingCharacters(in: .whitespacesAndNewlines)
        },
        mixes("texts with and without control characters") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value == 0 || $0.value > 8 }))
        },
    ]

    private static let unescapesIDs = endsAlike("reads percent signs in IDs of accounts as escapes") {
        $0.removingPercentEncoding ?? $0
    }

    private static let readsIDsAsNumbers = endsAlike("reads IDs of accounts as numbers where it can") { text in
        Double(text).map { "\($0)" } ?? text
    }

    private static func lookalike(of id: AccountID, in tables: PlainTables) -> Account? {
        tables.accounts.values.filter { $0.id.text.lowercased() == id.text.lowercased() }.min { $0.id < $1.id }
    }

    /// A store that gives another answer than the right one to some lookups.
    private static func answers(
        _ name: String,
        _ answer: @escaping @Sendable (Lookup, Snapshot.Answer, PlainTables) -> Snapshot.Answer
    ) -> Flaw {
        Flaw(name) {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onLoad = { lookups, _ in
                let tables = plain.tables.withLock { $0 }
                let seen = tables.load(lookups)
                return Snapshot(lookups) { answer($0, seen.answer(to: $0), tables) }
            }
            return StoreSubject(store)
        }
    }

    private static func joins(
        _ name: String,
        _ join: @escaping @Sendable (Snapshot.Answer, PlainTables) -> Snapshot.Answer
    ) -> Flaw {
        answers("\(name) without regard to case") { lookup, right, tables in
            if case .account = lookup { right } else { join(right, tables) }
        }
    }

    private static let joinsLookalikes: [Flaw] = [
        joins("joins the owner of a key") { answer, tables in
            guard case .account(let row) = answer, let lookalike = lookalike(of: row.account.id, in: tables) else {
                return answer
            }
            return .account(Snapshot.Row(lookalike, lastSignIn: tables.signIns[lookalike.id]))
        },
        joins("joins the account of a record") { answer, tables in
            guard case .record(let record, let row?) = answer, let lookalike = lookalike(of: row.account.id, in: tables)
            else { return answer }
            return .record(record, Snapshot.Row(lookalike, lastSignIn: tables.signIns[lookalike.id]))
        },
    ]

    private static let comparesLookalikes: [Flaw] = [
        .prepares("compares the owner of a key without regard to case") { changes, tables in
            changes.keys = changes.keys.map { change in
                let owner = tables.owners[change.key]
                let isLookalike = owner?.text.lowercased() == change.expected?.text.lowercased()
                return isLookalike ? KeyChange(change.key, from: owner, to: change.owner) : change
            }
        },
        .prepares("compares the version of an account without regard to case") { changes, tables in
            changes.reads = changes.reads.map { read in
                let lookalikes = tables.accounts.values.filter { $0.id.text.lowercased() == read.id.text.lowercased() }
                let isLookalikes = lookalikes.contains { $0.version == read.version }
                return isLookalikes ? .init(id: read.id, version: tables.accounts[read.id]?.version ?? 0) : read
            }
        },
    ]

    /// Joins first and limits then, so that an account that is not there takes no place.
    private static let fillsListsUp = answers("counts the references of accounts that are there") {
        (lookup, right, tables) in
        guard case .referencing(let email) = lookup else { return right }
        let rows = (tables.references[email] ?? []).sorted().compactMap { tables.accounts[$0.account] }
        let first = rows.prefix(EmailReference.lookupLimit)
        return .accounts(
            first.map { Snapshot.Row($0, lastSignIn: tables.signIns[$0.id]) },
            version: tables.version(of: email)
        )
    }
}
