import AuthCore

/// What a route needs to know of a request, whatever the framework calls it.
struct Request: Sendable {
    /// The client's address, as the trusted proxy states it.
    var address: String
    /// The cookie that keeps the device.
    var deviceCookie: String?
    /// The bearer token of the header `Authorization`.
    var bearer: String?
    /// What the person's browser is called.
    var browser = "a browser"
}

/// What a route answers.
struct Response: Sendable {
    var status: Int
    var body: [String: String] = [:]
    /// Set as the header `Retry-After`: the seconds after which the next attempt is allowed.
    var retryAfter: Int?
    /// The conflict that the person can resolve; the client sends it back as it is.
    var conflict: Conflict?
    /// The challenge that the person must answer; the client sends it back as it is.
    var challenge: SecondFactor.Challenge?
    /// Set as a cookie with `HttpOnly`, `Secure` and `SameSite=Lax`.
    var deviceCookie: String?
}
