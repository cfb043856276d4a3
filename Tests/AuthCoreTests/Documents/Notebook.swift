import Synchronization

/// Keeps what a callback is given.
final class Notebook<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { notes.withLock { $0 } }

    func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}
