internal import AuthCore

/// The parts of an account that the tour shows.
struct AccountPicture: Sendable {
    let rows: [(String, String)]

    init(_ account: Account, isVerified: Bool) {
        var rows = [("account", account.id.text)]
        if let email = account.email {
            rows.append(("address", "\(email), \(isVerified ? "verified" : "not verified")"))
        }
        if let name = account.displayName { rows.append(("name", name)) }
        rows.append(("methods", account.isAnonymous ? "none, anonymous" : Self.list(account.methods.map(Self.name))))
        if !account.factors.isEmpty { rows.append(("factors", Self.list(account.factors.map(Self.name)))) }
        if account.isDisabled { rows.append(("disabled", "by an administrator")) }
        self.rows = rows
    }

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.joined(separator: " · ")
    }

    static func name(_ method: SignInMethod) -> String {
        switch method.kind {
        case .password: "password"
        case .emailLink: "mailed link"
        case .phone(let number): "phone \(number)"
        case .federated(let identity): identity.provider.rawValue
        }
    }

    private static func name(_ factor: SecondFactor) -> String {
        switch factor.kind {
        case .phone(let number): "phone \(number)"
        case .totp: "authenticator app"
        }
    }
}
