/// A place in the event log, with what was read of the log behind it, page by page.
struct EventPlace: Sendable {
    var position: IdentityEvent.Position
    private var page: ArraySlice<IdentityEvent> = []

    init(_ position: IdentityEvent.Position) { self.position = position }

    /// Returns what follows the place, and moves behind it; nil if nothing follows yet.
    ///
    /// - Throws: What the store throws; the place stays where it is.
    mutating func next(in store: any IdentityStore) async throws -> IdentityEvent.Update? {
        if page.isEmpty {
            let read = try await store.events(after: position, limit: 128)
            page = read.events[...]
            if read.removed > position {
                position = read.removed
                return .missed(through: position)
            }
        }
        guard !Task.isCancelled, let event = page.popFirst() else { return nil }
        position = event.position
        return .event(event)
    }
}
