/// What the service is told about a request.
package struct RequestContext: Sendable, Hashable {
    /// The browser or app installation that the request comes from; codes and challenges are bound to it.
    package var seat: SeatID?
    /// The network address that the request comes from; limits count by it.
    package var origin: String?
    /// A name for the person's own list of sessions.
    package var device: String?

    package init(seat: SeatID? = nil, origin: String? = nil, device: String? = nil) {
        self.seat = seat
        self.origin = origin
        self.device = device
    }
}

extension RequestContext {
    /// Whether nothing in it is longer than any real name.
    var isBounded: Bool {
        (seat?.text.isBounded ?? true) && (origin?.isBounded ?? true) && (device?.isBounded ?? true)
    }
}

extension String {
    /// Whether the text is no longer than a name or a link may be, and has no NUL in it.
    var isBounded: Bool { utf8.count <= 2048 && !utf8.contains(0) }
}
