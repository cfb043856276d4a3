@testable import AuthCore
import Foundation
import Synchronization

/// A store that keeps every change it is asked to write, so that a test can look at it, or say that there was none.
final class WitnessStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let kept = Mutex<[ChangeSet]>([])

    var changes: [ChangeSet] { kept.withLock { $0 } }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        kept.withLock { $0.append(changes) }
        return try await whole.commit(changes)
    }
}
