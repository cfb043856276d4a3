/// What a proof verifies of an account.
struct Match: Sendable {
    /// The method that was presented; nil for the word of the app's own server.
    let method: SignInMethod?
    /// Whether it is a number that was verified too long ago.
    var isStale = false

    /// The word of the app's own server.
    static let customToken = Match()

    private init() { method = nil }

    init(_ method: SignInMethod) { self.method = method }

    /// What a session can rest on.
    var basis: Session.Basis { method.map { Session.Basis($0) } ?? .customToken }

    /// Whether nothing suspends the method.
    var isActive: Bool { method?.isActive ?? true }
}
