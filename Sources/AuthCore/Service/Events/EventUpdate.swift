extension IdentityEvent {
    /// An element of the stream of events.
    public enum Update: Sendable, Hashable {
        /// The next event in the order of the commits.
        case event(IdentityEvent)
        /// Events up to this position did not all arrive: the subscriber fell behind, or the log no longer holds them.
        ///
        /// Read them with `events(after:limit:)` from the last position that arrived; the stream goes on with later ones.
        case missed(through: Position)
    }
}

extension IdentityEvent.Update {
    /// Returns the element that replaces dropped updates: it names the position of the last.
    static func gap(_ gap: IdentityEvent.Update?, _ update: IdentityEvent.Update) -> IdentityEvent.Update {
        switch update {
        case .event(let event): .missed(through: event.position)
        case .missed: update
        }
    }
}
