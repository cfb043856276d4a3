import AuthCore

/// The baskets of the app's people, by account.
public actor Baskets {
    private var content: [AccountID: [String]] = [:]

    public init() {}

    public subscript(account: AccountID) -> [String] { content[account] ?? [] }

    public func add(_ boat: String, for account: AccountID) { content[account, default: []].append(boat) }

    func move(from source: AccountID, to target: AccountID) {
        content[target, default: []] += content.removeValue(forKey: source) ?? []
    }
}

/// Takes the basket of a guest along when the guest turns out to have an account.
public struct MovesBasket: Merge.Hook {
    public let name = "baskets"
    let baskets: Baskets

    public init(_ baskets: Baskets) { self.baskets = baskets }

    public func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    public func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {
        await baskets.move(from: plan.source, to: plan.target)
    }
}

/// The app: a shop for boats, in which guests may fill a basket.
public struct Shop: Sendable {
    public let auth: Auth
    public let baskets: Baskets

    public init(_ auth: Auth, _ baskets: Baskets) {
        self.auth = auth
        self.baskets = baskets
    }

    /// Puts a boat into the basket; a person who is not signed in becomes a guest.
    public func add(_ boat: String) async throws {
        let user: User
        if let current = auth.currentUser { user = current } else { user = try await auth.signInAnonymously().user }
        await baskets.add(boat, for: user.accountID)
    }

    /// Pays: a guest signs in for it, to a new account or to the one that they have.
    public func checkOut(with credential: AuthCredential) async throws {
        guard let user = auth.currentUser else { throw AuthError(.noCurrentUser) }
        guard user.isAnonymous else { return }
        do {
            try await user.link(with: credential)
        } catch {
            guard error.code == .credentialAlreadyInUse, let conflict = error.conflict else { throw error }
            try await auth.mergeCurrentUser(into: conflict)
        }
    }
}
