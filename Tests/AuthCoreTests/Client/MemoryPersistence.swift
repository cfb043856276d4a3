@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// A place in memory.
final class MemoryPersistence: UserPersistence {
    private let record: Mutex<Auth.Persisted?>
    private let unreadable = Mutex(false)
    private let failing = Mutex(0)
    private let held = Mutex<Gate?>(nil)

    init(_ record: Auth.Persisted? = nil) { self.record = Mutex(record) }

    /// How many of the next saves fail.
    var failingSaves: Int {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    /// Where the next saves wait.
    var gate: Gate? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    var isUnreadable: Bool {
        get { unreadable.withLock { $0 } }
        set { unreadable.withLock { $0 = newValue } }
    }

    var saved: Auth.Persisted? { record.withLock { $0 } }

    func load() async throws -> Auth.Persisted? {
        if isUnreadable { throw StoreFailure() }
        return saved
    }

    func save(_ record: Auth.Persisted) async throws {
        await gate?.pass()
        let fails = failing.withLock { failing in
            defer { failing = max(0, failing - 1) }
            return failing > 0
        }
        if fails { throw StoreFailure() }
        self.record.withLock { $0 = record }
    }
}
