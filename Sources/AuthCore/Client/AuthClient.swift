/// The flows of a signed-out person, as one browser or app installation calls them.
///
/// Digits of text messages, conflicts and challenges are bound to the device on which they were requested, so a client
/// contains the device and the origin of its calls. A server makes one client per request, from the device in the
/// request's cookie, and sets the cookie to the device of the answer:
///
/// ```swift
/// func signIn(
///     _ service: AuthService,
///     with credential: AuthCredential,
///     cookie: String?,
///     address: String
/// ) async throws -> String {
///     let device = cookie.flatMap(DeviceID.init)
///     let client = service.client(for: device, origin: .address(address), deviceName: "Safari on a Mac")
///     let result = try await client.signIn(with: credential)
///     print(result.user.uid, result.isNewUser)
///     return result.device.rawValue
/// }
/// ```
///
/// An app does not make one: ``Auth`` holds a client of its own. A client has no state; what a signed-in person does is
/// on the ``User`` that a sign-in or ``user(forIDToken:)`` returns. ``AuthError`` lists the codes that any function can
/// throw.
public struct AuthClient: Sendable {
    /// The engine that the client calls.
    public let service: AuthService
    /// What the service knows about each request.
    package let context: RequestContext

    /// The device, to keep in a cookie or a keychain.
    public var device: DeviceID { context.device ?? service.makeDevice() }
}

extension AuthClient {
    /// Returns the client of this device after it got another secret.
    package func on(_ device: DeviceID?) -> AuthClient {
        guard let device else { return self }
        var context = context
        context.device = device
        return AuthClient(service: service, context: context)
    }

    /// Returns the client of a device that was handed out, which keeps the secrets of this one.
    package func keeping(_ device: DeviceID, at now: Timestamp) -> AuthClient {
        on(device.keeping(self.device, at: now))
    }

    /// Creates a client without a device, for measurements of the engine alone.
    package init(service: AuthService) { self.init(service: service, context: RequestContext()) }
}

extension AuthService {
    /// Returns a client for the requests of one browser or app installation.
    ///
    /// ```swift
    /// let device = cookie.flatMap(DeviceID.init)
    /// let client = service.client(for: device, origin: .address(address), deviceName: "Safari on a Mac")
    /// let result = try await client.signIn(with: credential)
    /// ```
    ///
    /// - Parameters:
    ///   - device: The device that an earlier answer handed out; nil for one that has none, which gets one.
    ///   - origin: Where the requests come from; limits count by it.
    ///   - deviceName: A name that the person will recognize in the list of their sessions.
    /// - Returns: The client, which has no state.
    public func client(for device: DeviceID?, origin: RequestOrigin, deviceName: String? = nil) -> AuthClient {
        let context = RequestContext(device: device ?? makeDevice(), origin: origin, deviceName: deviceName)
        return AuthClient(service: self, context: context)
    }

    /// Returns a device with a new secret.
    package func makeDevice() -> DeviceID { DeviceID(bits: environment.randomBits()) }
}
