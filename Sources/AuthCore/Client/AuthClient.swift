/// The flows of a signed-out person, as one browser or app installation calls them.
///
/// Codes, conflicts and challenges are bound to the device on which they were requested, so a client contains the
/// device and the origin of its calls. A server makes one client per request, from the key in the request's cookie:
///
/// ```swift
/// func signIn(
///     _ service: AuthService,
///     with credential: AuthCredential,
///     cookie: String,
///     address: String
/// ) async throws {
///     let client = service.client(for: DeviceID(cookie), origin: .address(address), deviceName: "Safari on a Mac")
///     let result = try await client.signIn(with: credential)
///     print(result.user.uid, result.isNewUser)
/// }
/// ```
///
/// An app does not make one: ``Auth`` holds a client of its own. A client has no state; what a signed-in person does is
/// on the ``User`` that a sign-in or ``user(forIDToken:)`` returns.
public struct AuthClient: Sendable {
    /// The engine that the client calls.
    public let service: AuthService
    /// What the service knows about each request.
    package let context: RequestContext
}

extension AuthClient {
    /// Creates a client without a device, for measurements of the engine alone.
    package init(service: AuthService) { self.init(service: service, context: RequestContext()) }
}

extension AuthService {
    /// Returns a client for the requests of one browser or app installation.
    ///
    /// - Parameters:
    ///   - device: A key that only that browser or installation can present, for example the value of a cookie.
    ///   - origin: Where the requests come from; limits count by it.
    ///   - deviceName: A name that the person will recognize in the list of their sessions.
    /// - Returns: The client, which has no state.
    public func client(for device: DeviceID, origin: AuthClient.Origin, deviceName: String? = nil) -> AuthClient {
        AuthClient(service: self, context: RequestContext(device: device, origin: origin.text, deviceName: deviceName))
    }
}

extension AuthClient {
    /// Where a request comes from.
    public enum Origin: Sendable, Hashable {
        /// A network address; behind a proxy, the address that the trusted proxy states.
        case address(String)
        /// The process itself, as in an app that contains the engine.
        case local
        /// An origin that the caller does not know.
        case unknown

        /// The network address, if the request has one.
        var text: String? {
            guard case .address(let text) = self else { return nil }
            return text
        }
    }
}
