/// What the service is told about a request.
package struct RequestContext: Sendable, Hashable {
    /// The browser or app installation that the request comes from; codes and challenges are bound to it.
    package var device: DeviceID?
    /// The network address that the request comes from; limits count by it.
    package var origin: String?
    /// A name for the person's own list of sessions.
    package var deviceName: String?

    package init(device: DeviceID? = nil, origin: String? = nil, deviceName: String? = nil) {
        self.device = device
        self.origin = origin
        self.deviceName = deviceName
    }
}

extension RequestContext {
    /// Whether nothing in it is longer than any real name.
    var isBounded: Bool {
        (device?.text.isBounded ?? true) && (origin?.isBounded ?? true) && (deviceName?.isBounded ?? true)
    }
}

extension String {
    /// Whether the text is no longer than a name or a link may be, and has no NUL in it.
    var isBounded: Bool { utf8.count <= 2048 && !utf8.contains(0) }
}
