@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Flaws of stores that take characters of an address for more than themselves.
extension Flaw {
    static let contacts: [String: [Flaw]] = [
        "an address may have every character that addresses have": [
            losesPaths, endsNoQuotes, unquotes, unescapes, looksByPatterns,
        ]
    ]

    private static let losesPaths = Flaw.prepares("loses references to addresses that are no name of a file") {
        changes,
        _ in
        changes.references.removeAll { $0.email.text.contains { "/*?|".contains($0) } }
    }

    private static let endsNoQuotes = Flaw.prepares("ends no reference to an address with a quote") { changes, _ in
        changes.references.removeAll { !$0.isReferenced && $0.email.text.contains("'") }
    }

    /// Claims another address than that which it is given.
    private static func reads(_ name: String, _ text: @escaping @Sendable (String) -> String?) -> Flaw {
        .prepares(name) { changes, _ in
            changes.keys = changes.keys.map { change in
                guard case .primaryEmail(let email) = change.key,
                    let one = text(email.text).flatMap({ EmailAddress($0) })
                else { return change }
                return KeyChange(.primaryEmail(one), from: change.expected, to: change.owner)
            }
        }
    }

    private static let unquotes = reads("takes two quotes in an address for one") {
        $0.replacing("''", with: "'")
    }

    private static let unescapes = reads("reads percent signs in an address as escapes") { $0.removingPercentEncoding }

    /// A question mark stands for any character.
    private static let looksByPatterns = Flaw("looks for an address by a pattern") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onLoad = { lookups, whole in
            let owned = plain.tables.withLock { $0.owners }.keys
            let emails = owned.compactMap { if case .primaryEmail(let email) = $0 { email } else { nil } }
            let found = lookups.map { lookup in
                guard case .owner(.primaryEmail(let email)) = lookup, email.text.contains("?") else { return lookup }
                let fitting = emails.filter { candidate in
                    candidate.text.count == email.text.count
                        && zip(candidate.text, email.text).allSatisfy { $0 == $1 || $1 == "?" }
                }
                return fitting.min { $0.text < $1.text }.map { .owner(.primaryEmail($0)) } ?? lookup
            }
            let seen = try await whole.load(Lookups(found))
            let places = Dictionary(zip(lookups, found)) { first, _ in first }
            return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
        }
        return StoreSubject(store)
    }
}
