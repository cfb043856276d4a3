/// What the app tells the service about a request.
package struct RequestContext: Sendable, Hashable {
    /// The browser or app installation that the request comes from; codes and challenges are bound to it.
    package var device: DeviceID?
    /// Where the request comes from; limits count by it.
    package var origin: RequestOrigin
    /// The device's name for the person's list of sessions.
    package var deviceName: String?

    /// Whether the engine runs inside the app, which presents what it got from a provider itself.
    var isInApp: Bool { origin == .local }

    package init(device: DeviceID? = nil, origin: RequestOrigin = .local, deviceName: String? = nil) {
        self.device = device
        self.origin = origin
        self.deviceName = deviceName
    }

    /// Whether no text in it exceeds the length limit.
    var isBounded: Bool { (origin.address?.isBounded ?? true) && (deviceName?.isBounded ?? true) }
}
