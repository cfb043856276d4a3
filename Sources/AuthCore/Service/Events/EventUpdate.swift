extension IdentityEvent {
    /// An element of the stream of events.
    public enum Update: Sendable, Hashable {
        /// The next event in the order of the commits.
        case event(IdentityEvent)
        /// Events up to this position did not all arrive, since the log no longer holds them; the stream goes on with
        /// later ones.
        case missed(through: Position)
    }
}
