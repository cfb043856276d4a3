/// Who asks, as far as the caller can tell; the library passes it on and never interprets it.
public struct RequestContext: Sendable, Hashable {
    /// The seat where the request happens; what is bound to a seat works only there.
    public var seat: SeatID?
    /// An opaque word about where the request comes from, such as a network address.
    public var origin: String?
    /// A name of the device, for the person's own list of sessions.
    public var device: String?

    /// A context with these values.
    public init(seat: SeatID? = nil, origin: String? = nil, device: String? = nil) {
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
