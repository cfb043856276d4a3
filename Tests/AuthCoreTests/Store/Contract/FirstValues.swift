@testable import AuthCore
import Synchronization

/// What a flawed store remembers: the first value under each key.
final class FirstValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    subscript(key: Key) -> Value? { values.withLock { $0[key] } }

    func keep(_ value: Value, under key: Key) { values.withLock { $0[key] = $0[key] ?? value } }
}
