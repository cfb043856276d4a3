@testable import AuthCore
import Foundation
import Synchronization

/// What the rules decided in the course of one test: every change that was written, every refusal that was looked at, and
/// every decision that was asked for alone.
///
/// Two journals of one test are equal if every decision was the same in every part: accounts before and after, keys,
/// sessions, one-time things, events with their causes, and messages.
final class Journal: Sendable {
    private struct State {
        var print = Fingerprint()
        var changes = 0
        var refusals = 0
        var reasons: Set<Reason> = []

        mutating func add(_ reasons: [Reason]) {
            self.reasons.formUnion(reasons)
            for reason in reasons { print.add(reason.rawValue) }
        }
    }

    private let state = Mutex(State())

    init() { if JournalFile.isShown { state.withLock { $0.print.shown = [] } } }
    private static let current = Mutex<Journal?>(nil)

    /// Keeps what is decided from now on in this journal, or in none.
    static func open(_ journal: Journal?) { current.withLock { $0 = journal } }

    /// Writes nothing down in this test, because what runs at once comes in no fixed order.
    static func keepNone() { open(nil) }

    static func note(_ changes: ChangeSet, _ reasons: [Reason] = []) { current.withLock { $0 }?.note(changes, reasons) }

    static func note(_ error: AuthError) { current.withLock { $0 }?.note(error) }

    private func note(_ changes: ChangeSet, _ reasons: [Reason]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(changes) else { return }
        state.withLock { state in
            state.changes += 1
            state.print.add(json: Array(bytes))
            state.add(reasons)
            for event in changes.events { state.add(event.reasons) }
        }
    }

    private func note(_ error: AuthError) {
        state.withLock { state in
            state.refusals += 1
            state.print.add(error.code.name)
            state.add(error.reasons)
        }
    }

    var reasons: Set<Reason> { state.withLock { $0.reasons } }

    /// The journal in one line.
    var line: String {
        state.withLock { state in
            let reasons = state.reasons.map(\.rawValue).sorted().joined(separator: " ")
            return "\(state.changes) written, \(state.refusals) refused, \(state.print.text): \(reasons)"
        }
    }

    /// Everything that was decided, where it is shown.
    var shown: String { state.withLock { String(decoding: $0.print.shown ?? [], as: UTF8.self) } }

    /// Whether nothing was decided.
    var isEmpty: Bool { state.withLock { $0.changes == 0 && $0.refusals == 0 } }
}

/// A store that writes down what is committed to the one behind it.
struct JournalStore: ForwardingStore {
    let whole: any IdentityStore

    init(_ whole: any IdentityStore = InMemoryIdentityStore()) { self.whole = whole }

    func commit(_ changes: ChangeSet) async throws -> CommitOutcome {
        let outcome = try await whole.commit(changes)
        if case .committed = outcome { Journal.note(changes) }
        return outcome
    }
}
