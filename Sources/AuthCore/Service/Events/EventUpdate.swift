extension IdentityEvent {
    /// An element of the stream of events.
    public enum Update: Sendable, Hashable {
        /// The next event in the order of the commits.
        case event(IdentityEvent)
        /// The events from this place on did not arrive, because the subscriber fell behind or the log no longer holds
        /// them.
        ///
        /// Read them with `events(after:limit:)`; the stream continues with what is committed later, and may repeat some.
        case missed(from: UInt64)
    }
}

extension IdentityEvent.Update {
    /// Returns the element that replaces dropped updates: the first place that is missing.
    static func gap(_ gap: IdentityEvent.Update?, _ update: IdentityEvent.Update) -> IdentityEvent.Update {
        if let gap { return gap }
        return switch update {
        case .event(let event): .missed(from: event.sequence)
        case .missed: update
        }
    }
}
