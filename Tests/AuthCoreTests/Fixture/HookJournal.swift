@testable import AuthCore
import Synchronization

/// What hooks were asked, in order, and where one of them is to fail.
final class HookJournal: Sendable {
    struct Failure: Error, Equatable {}

    private struct State {
        var lines: [String] = []
        var plans: [Merge.Plan] = []
        var failures: [String: any Error] = [:]
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    var plans: [Merge.Plan] { state.withLock { $0.plans } }

    /// The next time this line is to be written, it is thrown instead.
    func fail(_ line: String, _ error: any Error = Failure()) { state.withLock { $0.failures[line] = error } }

    func write(_ line: String, _ plan: Merge.Plan) throws {
        let failure = state.withLock { state in
            state.plans.append(plan)
            state.lines.append(line)
            return state.failures.removeValue(forKey: line)
        }
        if let failure { throw failure }
    }

    func clear() {
        state.withLock { state in
            state.lines = []
            state.plans = []
        }
    }
}

/// A hook that writes down what it is asked.
struct JournalHook: Merge.Hook {
    let name: String
    let journal: HookJournal

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("prepare \(name)", plan) }
    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("commit \(name)", plan) }
    func abort(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("abort \(name)", plan) }
    func undo(_ plan: Merge.Plan, id: Merge.ID) async throws { try journal.write("undo \(name)", plan) }
}

/// A service that is put in later, since hooks are made before it.
final class Slot: Sendable {
    private let slot = Mutex<AuthService?>(nil)

    var value: AuthService? { slot.withLock { $0 } }

    func put(_ service: AuthService) { slot.withLock { $0 = service } }
}
