internal import Synchronization

/// A value that is replaced where it is out of date.
final class LatestValue<Value: Sendable>: Sendable {
    private let current = Mutex<Value?>(nil)

    /// Returns what the closure makes of the current value, which becomes the current one.
    func value(_ update: @Sendable (Value?) -> Value) -> Value {
        current.withLock { current in
            let value = update(current)
            current = value
            return value
        }
    }
}
