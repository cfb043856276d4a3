import Synchronization

@testable import AuthCore

/// A store in which something happens after one of the next loads.
final class InterveningStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let work = Mutex((left: 0, body: (@Sendable () async throws -> Void)?.none))

    func afterLoad(_ number: Int, _ body: @escaping @Sendable () async throws -> Void) {
        work.withLock { $0 = (number, body) }
    }

    func load(_ lookups: Lookups) async throws -> Snapshot {
        let seen = try await whole.load(lookups)
        let body = work.withLock { work in
            work.left -= 1
            return work.left == 0 ? work.body : nil
        }
        try await body?()
        return seen
    }
}
