@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of lists of references.
extension Flaw {
    static let lists: [String: [Flaw]] = [
        "references of equally old accounts are found in the order of their IDs": misordersEqual,
        "a list of references has another version whenever it shows others": keepsVersions,
        "a list of references is not disturbed by that of another address": countsOtherLists,
        "one change may write one list of references many times": writesOneReference,
    ]

    private static func orders(
        _ name: String,
        _ isBefore: @escaping @Sendable (EmailReference, EmailReference) -> Bool
    ) -> Flaw {
        Flaw("orders references \(name)") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let tables = plain.tables.withLock { $0 }
                return Snapshot(lookups) { lookup in
                    guard case .referencing(let email) = lookup else { return seen.answer(to: lookup) }
                    let found = (tables.references[email] ?? []).sorted(by: isBefore).prefix(8)
                    let rows = found.compactMap { reference in
                        tables.accounts[reference.account].map {
                            Snapshot.Row($0, lastSignIn: tables.signIns[reference.account])
                        }
                    }
                    return .accounts(rows, version: tables.version(of: email))
                }
            }
            return StoreSubject(store)
        }
    }

    private static let misordersEqual: [Flaw] = [
        orders("by strength and age alone") {
            ($1.strength.rawValue, $0.createdAt) < ($0.strength.rawValue, $1.createdAt)
        },
        orders("of equal age by length") {
            ($1.strength.rawValue, $0.createdAt.milliseconds, $0.account.text.count, $0.account)
                < ($0.strength.rawValue, $1.createdAt.milliseconds, $1.account.text.count, $1.account)
        },
        orders("of equal age without regard to case") {
            ($1.strength.rawValue, $0.createdAt, $0.account.text.lowercased())
                < ($0.strength.rawValue, $1.createdAt, $1.account.text.lowercased())
        },
        orders("of equal age backwards") {
            ($1.strength.rawValue, $0.createdAt, $1.account) < ($0.strength.rawValue, $1.createdAt, $0.account)
        },
    ]

    /// Keeps the version of a list where some of what it shows is the same.
    private static func keepsVersion(
        _ name: String,
        _ isKept: @escaping @Sendable (_ before: [EmailReference], _ after: [EmailReference]) -> Bool
    ) -> Flaw {
        .edits("keeps the version of a list \(name)") { before, changes, after in
            for change in changes.references {
                let (old, new) = (before.found(change.email), after.found(change.email))
                if old != new, isKept(old, new) { after.listVersions[change.email] = before.listVersions[change.email] }
            }
        }
    }

    private static let keepsVersions: [Flaw] = [
        keepsVersion("that shows as many") { !$0.isEmpty && $0.count == $1.count && $0.count == 8 },
        keepsVersion("with the same first one") { $0.first == $1.first && $0.count == $1.count },
        keepsVersion("of the same accounts") { Set($0.map(\.account)) == Set($1.map(\.account)) },
        keepsVersion("of the same accounts in the same order") { $0.map(\.account) == $1.map(\.account) },
        keepsVersion("that becomes weaker") { left, right in
            zip(left, right).contains { $0.account == $1.account && $0.strength.rawValue > $1.strength.rawValue }
        },
        .edits("counts the versions of a list down where one leaves it") { before, changes, after in
            for change in changes.references where !change.isReferenced {
                after.listVersions[change.email] = before.listVersions[change.email].map { $0 - 7 }
            }
        },
    ]

    private static let countsOtherLists: [Flaw] = [
        .edits("has one version for all lists") { before, changes, after in
            if !changes.references.isEmpty { for email in after.listVersions.keys { after.listVersions[email]? += 7 } }
        },
        .judges("refuses every list once one changed") { checks, tables in
            let isChanged = tables.listVersions.values.contains { $0 > 1007 }
            let list = checks.first { if case .references = $0.precondition { isChanged } else { false } }
            return list?.precondition ?? checks.first { !$0.holds }?.precondition
        },
    ]

    private static let writesOneReference: [Flaw] = [
        .writes("writes the last reference of a change to an address") { changes in
            var last: [EmailAddress: Store.EmailReferenceChange] = [:]
            for change in changes.references { last[change.email] = change }
            changes.references = Array(last.values)
        },
        .writes("ends references last") { changes in
            changes.references = changes.references.filter(\.isReferenced)
        },
        .edits("compares how many a list shows") { before, changes, after in
            for change in changes.references where before.found(change.email).count == after.found(change.email).count {
                after.listVersions[change.email] = before.listVersions[change.email]
            }
        },
        .edits("keeps the version of a list that became empty") { before, changes, after in
            for change in changes.references where after.references[change.email] == [] && !change.isReferenced {
                after.references[change.email] = nil
                after.owners[.primaryEmail(change.email)] = nil
                after.listVersions[change.email] = 0
            }
            let ended = changes.references.filter { !$0.isReferenced }
            if ended.count > 5, let email = ended.first?.email {
                after.references[email] = ended.prefix(1).map(\.reference)
            }
        },
    ]
}
