/// What a route needs to know of a request, whatever the framework calls it.
public struct Request: Sendable {
    /// The client's address, as the trusted proxy states it.
    public var address: String
    /// The cookie that keeps the device.
    public var deviceCookie: String?
    /// The bearer token of the header `Authorization`.
    public var bearer: String?
    /// What the person's browser is called.
    public var browser: String

    public init(address: String, deviceCookie: String? = nil, bearer: String? = nil, browser: String = "a browser") {
        self.address = address
        self.deviceCookie = deviceCookie
        self.bearer = bearer
        self.browser = browser
    }
}

/// What a route answers.
public struct Response: Sendable {
    public var status: Int
    public var body: [String: String] = [:]
    /// Set as a cookie with `HttpOnly`, `Secure` and `SameSite=Lax`.
    public var deviceCookie: String?
}
