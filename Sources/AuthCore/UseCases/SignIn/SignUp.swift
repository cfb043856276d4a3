/// Creates an account with an address and a password.
struct SignUp: Operation {
    let email: EmailAddress
    /// The hash of the password, or the password rule's refusal.
    let password: Result<PasswordHash, PasswordRefusal>

    func lookups(_ request: Request) -> Lookups { NewMethod.password(email, password).lookups(request) }

    struct Facts: Sendable, Hashable {
        var address: AddressHolder
        var password: AuthPolicy.PasswordRule.Finding
        /// Whether the caller must not learn whether the address is taken, and the account can be bound to a device.
        var isConcealed: Bool
    }

    enum Finding: Sendable, Hashable {
        case create
        /// Create an account that only its device can sign in to until the address is verified, whether or not the
        /// address is taken.
        case createProvisional
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if facts.address == .owned && !facts.isConcealed { throw .addressOwned }
        switch facts.password {
        case .accepted: return facts.isConcealed ? .createProvisional : .create
        case .tooShort, .tooLong, .denied: throw Refusal(.weakPassword, facts.password.reason)
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try context.requireEnabled(.password)
        let facts = Facts(
            address: seen.owner(ofAddress: email, under: context.policy) == nil ? .free : .owned,
            password: password.finding,
            isConcealed: !context.policy.tellsOwnership(to: .signUp) && context.device != nil
        )
        let isProvisional = try Self.rule(facts) == .createProvisional
        let hash = try password.accepted()
        transaction.reasons.append(isProvisional ? .disclosureIsWithheld : .addressIsFree)
        var account = context.newAccount
        account.email = email
        account.reservesEmail = !isProvisional
        let method = account.add(.password(hash), at: context.now)
        if isProvisional { transaction.makeProvisional(&account, under: email, in: seen) }
        return transaction.signIn(to: &account, from: nil, authentication: Authentication(Session.Basis(method)))
    }
}

/// Whether an account owns an address.
enum AddressHolder: Sendable, Hashable, CaseIterable {
    case free
    case owned
}
