@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization

/// Lets tasks take turns at a store, one call at a time, in an order that a seed decides, or a list of choices.
///
/// A turn is given when every task waits for one or is done, so that the same seed gives the same order of calls
/// however the tasks are run.
final class Schedule: Sendable {
    /// Which of the tasks runs; whoever is none of them does not wait.
    @TaskLocal static var runner: Int?

    private struct State {
        var generator: SeededGenerator
        /// The choices to make first; nil where the seed decides.
        var path: [Int]?
        var turns: [Turn] = []
        var running = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        /// The one who goes next, if everybody waits.
        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard !waiting.isEmpty, waiting.count == running else { return nil }
            let runners = waiting.keys.sorted()
            let choice: Int
            if let path {
                choice = turns.count < path.count ? path[turns.count] : 0
            } else {
                choice = Int.random(in: 0..<runners.count, using: &generator)
            }
            turns.append(Turn(choice: choice, choices: runners.count))
            return waiting.removeValue(forKey: runners[choice])
        }
    }

    /// A turn that was given: which of those who waited got it, and how many there were.
    struct Turn: Sendable {
        let choice: Int
        let choices: Int
    }

    private let state: Mutex<State>
    private let isOrdered: Bool

    /// No schedule: no task waits for a turn.
    init() {
        isOrdered = false
        state = Mutex(State(generator: SeededGenerator(seed: 0)))
    }

    init(seed: UInt64) {
        isOrdered = true
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// A schedule that makes these choices and from there on always takes the first.
    init(path: [Int]) {
        isOrdered = true
        state = Mutex(State(generator: SeededGenerator(seed: 0), path: path))
    }

    /// The turns given so far.
    var turns: [Turn] { state.withLock { $0.turns } }

    /// The choices that lead to the next order that was not tried yet, if these turns were the last; nil after all.
    static func path(after turns: [Turn]) -> [Int]? {
        guard let last = turns.lastIndex(where: { $0.choice + 1 < $0.choices }) else { return nil }
        return turns[..<last].map(\.choice) + [turns[last].choice + 1]
    }

    /// Waits for a turn.
    func turn() async {
        guard isOrdered, let runner = Schedule.runner else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let next = state.withLock { state in
                state.waiting[runner] = continuation
                return state.next()
            }
            next?.resume()
        }
    }

    /// Runs all acts at once, and comes back when each of them is over.
    func run(_ acts: [@Sendable () async -> Void]) async {
        state.withLock { $0.running = acts.count }
        await withTaskGroup(of: Void.self) { group in
            for (number, act) in acts.enumerated() {
                group.addTask {
                    await Schedule.$runner.withValue(number) { await act() }
                    self.leave()
                }
            }
        }
    }

    private func leave() {
        let next = state.withLock { state in
            state.running -= 1
            return state.next()
        }
        next?.resume()
    }
}

/// A store at which every call waits for its turn.
struct ScheduledStore: ForwardingStore {
    var whole: any IdentityStore = InMemoryIdentityStore()
    let schedule: Schedule

    func load(_ lookups: Lookups) async throws -> Snapshot {
        await schedule.turn()
        return try await whole.load(lookups)
    }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        await schedule.turn()
        return try await whole.commit(changes)
    }

    func accounts(after: AccountID?, limit: Int) async throws -> [Account] {
        await schedule.turn()
        return try await whole.accounts(after: after, limit: limit)
    }
}
