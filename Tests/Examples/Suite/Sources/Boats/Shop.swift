import AuthCore

/// The baskets of the app's people, by account.
actor Baskets {
    private var content: [AccountID: [String]] = [:]

    subscript(account: AccountID) -> [String] { content[account] ?? [] }

    func add(_ boat: String, for account: AccountID) { content[account, default: []].append(boat) }

    func move(from source: AccountID, to target: AccountID) {
        content[target, default: []] += content.removeValue(forKey: source) ?? []
    }
}

/// Takes the basket of a guest along when the guest turns out to have an account.
struct MovesBasket: Merge.Hook {
    let name = "baskets"
    let baskets: Baskets

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {
        await baskets.move(from: plan.source, to: plan.target)
    }
}

/// The app: a shop for boats, in which guests may fill a basket.
struct Shop: Sendable {
    let auth: Auth
    let baskets: Baskets

    /// Puts a boat into the basket; a person who is not signed in becomes a guest.
    func add(_ boat: String) async throws {
        let user: User
        if let current = auth.currentUser { user = current } else { user = try await auth.signInAnonymously().user }
        await baskets.add(boat, for: user.accountID)
    }

    /// Pays: a guest signs in for it, to a new account or to the account that has the credential.
    ///
    /// If another account has only the address, the error goes to the screen, which asks the person to sign in as
    /// before.
    func checkOut(with credential: AuthCredential) async throws {
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
