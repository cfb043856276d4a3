@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show in who owns a key, and when that is looked at.
extension Flaw {
    static let owners: [String: [Flaw]] = [
        "an owner is seen with its sessions, and a removal with its tombstone": [findsOwnersOfRecordsEarlier],
        "a key that a change expects of its owner is the owner's when it is written": [
            forgetsOwners(of: "numbers", isReleased: true) { if case .phone = $0 { true } else { false } },
            forgetsOwners(of: "addresses", isReleased: true) { if case .primaryEmail = $0 { true } else { false } },
            forgetsOwners(of: "keys that move", isReleased: false) { _ in true },
        ],
        "what a change writes does not fulfill its own preconditions": [
            fulfillsByMoves, looksAtMovesFirst, writesWhatIsExpected,
        ],
    ]

    private static let findsOwnersOfRecordsEarlier = Flaw("finds the owner of records a moment before them") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onLoad = { lookups, whole in
            let owners = plain.tables.withLock { $0.owners }
            let found = lookups.map { lookup in
                guard case .records(of: .owner(let key), let purpose) = lookup, let owner = owners[key] else {
                    return lookup
                }
                return .records(of: .account(owner), purpose)
            }
            if found != Array(lookups) { await pause() }
            let seen = try await whole.load(Lookups(found))
            let places = Dictionary(zip(lookups, found)) { first, _ in first }
            return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
        }
        return StoreSubject(store)
    }

    /// Checks what a change only expects of an owner, and knows a moment later at most of what was released.
    private static func forgetsOwners(
        of what: String,
        isReleased: Bool,
        _ isMeant: @escaping @Sendable (UniqueKey) -> Bool
    ) -> Flaw {
        Flaw("checks and forgets the owners of \(what)") {
            let plain = PlainStore()
            var store = FlawedStore(whole: plain)
            store.onCommit = { changes, whole in
                let meant = changes.keys.filter { $0.expected == $0.owner && $0.owner != nil && isMeant($0.key) }
                let before = plain.tables.withLock { $0.owners }
                guard !meant.isEmpty, meant.allSatisfy({ before[$0.key] == $0.expected }) else {
                    return try await whole.commit(changes)
                }
                await pause()
                let now = plain.tables.withLock { $0.owners }
                var careless = changes
                careless.keys.removeAll { meant.contains($0) && (isReleased || now[$0.key] != nil) }
                return try await whole.commit(careless)
            }
            return StoreSubject(store)
        }
    }

    private static let fulfillsByMoves = Flaw.prepares("looks at an owner that the change itself writes") {
        changes,
        _ in
        let moves = changes.keys.filter { $0.owner != $0.expected }
        changes.keys.removeAll { change in
            change.owner == change.expected && moves.contains { $0.key == change.key && $0.owner == change.owner }
        }
    }

    private static let looksAtMovesFirst = Flaw.wraps("looks at an owner after the move before it") { store in
        store.onCommit = { changes, whole in
            var moved: Set<UniqueKey> = []
            for change in changes.keys {
                if moved.contains(change.key), change.owner == change.expected { return .violated(.owner(change.key)) }
                if change.owner != change.expected { moved.insert(change.key) }
            }
            return try await whole.commit(changes)
        }
    }

    private static let writesWhatIsExpected = Flaw.edits("writes the owner that is only expected") {
        _,
        changes,
        after in
        for change in changes.keys where change.owner == change.expected { after.owners[change.key] = change.owner }
    }
}
