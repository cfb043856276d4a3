@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws that show in which operations a store knows, where and how long.
extension Flaw {
    static let duplicates: [String: [Flaw]] = [
        "an operation is written once, whatever it writes": [knowsItsOwnWithoutEvents, losesThoseWithoutEvents],
        "an operation that is answered as a duplicate is there": [reservesOperations],
        "an operation that was written is known later, too": [remembersSome],
        "an operation is known for a day": [remembersTwoDays],
    ]

    /// The same change under another ID, which has the number, unless it writes an event.
    private static func hide(_ changes: ChangeSet, _ number: Int) -> ChangeSet {
        if !changes.events.isEmpty { return changes }
        return changes.under(OperationID(bits: changes.operation.bits ^ UInt128(number) << 100))
    }

    private static let knowsItsOwnWithoutEvents = Flaw("knows operations without events on their own handle") {
        let whole = PlainStore()
        return .counted { number in
            var store = FlawedStore(whole: whole)
            store.onCommit = { try await $1.commit(hide($0, number)) }
            return store
        }
    }

    private static let losesThoseWithoutEvents = Flaw("loses operations without events at its end") {
        let whole = PlainStore()
        return StoreSubject(
            open: { whole },
            reopen: {
                var store = FlawedStore(whole: whole)
                store.onCommit = { try await $1.commit(hide($0, 1)) }
                return store
            }
        )
    }

    private static let reservesOperations = Flaw("knows an operation a moment before it writes it") {
        let plain = PlainStore()
        let reserved = Mutex<Set<OperationID>>([])
        var store = FlawedStore(whole: plain)
        store.onCommit = { changes, whole in
            let isRight = plain.tables.withLock { tables in
                !tables.operations.contains(changes.operation) && tables.checks(of: changes).allSatisfy(\.holds)
            }
            if !isRight { return try await whole.commit(changes) }
            if !reserved.withLock({ $0.insert(changes.operation).inserted }) { return .duplicate }
            defer { reserved.withLock { _ = $0.remove(changes.operation) } }
            await pause()
            return try await whole.commit(changes)
        }
        return StoreSubject(store)
    }

    private static let remembersSome = Flaw("remembers the last 1,100 operations") {
        let numbers = Mutex<[OperationID: Int]>([:])
        var store = FlawedStore(whole: PlainStore(events: .newest(10_000)))
        store.onCommit = { changes, whole in
            let isForgotten = numbers.withLock { numbers in
                let number = numbers[changes.operation] ?? numbers.count
                numbers[changes.operation] = number
                return numbers.count - number > 1100
            }
            if isForgotten { return try await whole.commit(changes.under(OperationID(bits: ~changes.operation.bits))) }
            return try await whole.commit(changes)
        }
        return StoreSubject(store)
    }

    private static let remembersTwoDays = Flaw("promises operations for ever and remembers them for two days") {
        let times = Mutex<[OperationID: Timestamp]>([:])
        var store = FlawedStore(whole: PlainStore())
        store.onCommit = { changes, whole in
            let isForgotten = times.withLock { times in
                let newest = times.values.max() ?? changes.at
                let time = times[changes.operation] ?? max(newest, changes.at)
                times[changes.operation] = time
                return newest - time > .days(2)
            }
            if isForgotten { return try await whole.commit(changes.under(OperationID(bits: ~changes.operation.bits))) }
            return try await whole.commit(changes)
        }
        return StoreSubject(store)
    }
}
