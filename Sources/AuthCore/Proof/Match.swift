/// What a proof shows of an account.
struct Match: Sendable {
    /// What a session can rest on.
    let basis: Session.Basis
    /// The method that was shown; nil for the word of the app's own server.
    let method: SignInMethod?
    /// Whether it is a number that was verified too long ago.
    var isStale = false

    /// The word of the app's own server.
    static let customToken = Match(basis: .customToken, method: nil)

    /// Whether nothing suspends the method.
    var isActive: Bool { method?.isActive ?? true }
}

extension Match {
    init(_ method: SignInMethod) { self.init(basis: Session.Basis(method), method: method) }
}
