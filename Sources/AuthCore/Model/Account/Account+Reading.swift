extension Account {
    /// Whether the period for canceling the deletion has ended, and no merge has to be finished before.
    func isDeletionDue(at now: Timestamp) -> Bool { mergeLock == nil && deletedUntil.map { $0 <= now } ?? false }

    /// The password method, suspended or not.
    var passwordMethod: SignInMethod? { methods.first { $0.kind.methodKind == .password } }

    /// The stored hash of the password, if there is one.
    var passwordHash: PasswordHash? { if case .password(let hash)? = passwordMethod?.kind { hash } else { nil } }

    /// The method for mailed links, suspended or not.
    var emailLinkMethod: SignInMethod? { methods.first { $0.kind.methodKind == .emailLink } }

    /// The phone method.
    var phoneMethod: SignInMethod? { methods.first { $0.kind.methodKind == .phone } }

    /// The phone number of the phone method, which may be suspended.
    public var phoneNumber: PhoneNumber? { if case .phone(let number)? = phoneMethod?.kind { number } else { nil } }

    /// The phone number that signs in.
    var activePhoneNumber: PhoneNumber? { phoneMethod.flatMap { $0.isActive ? phoneNumber : nil } }

    /// Whether nothing was added yet that signs in: a guest's password without an address does not.
    var lacksMethods: Bool { methods.isEmpty || isAnonymous }

    /// Whether anything can sign in to the account again: a method, or the word of the app's own server.
    var canBeSignedInTo: Bool { !lacksMethods || acceptsCustomTokens }

    /// Whether the app's own server signs in, and nothing else.
    var isOnlyOfServer: Bool { acceptsCustomTokens && !methods.contains(where: \.isActive) }

    /// Since when fresh evidence verifies the account's address, or an import says so.
    var emailVerifiedSince: Timestamp? {
        let email = email.map { Evidence.Subject.email($0.mailbox) }
        let pieces = evidence.filter { $0.isFresh && $0.subject.mailbox == email }
        return pieces.filter { $0.source.verifies(from: .authoritative) }.map(\.firstAt).min()
    }

    /// The linked identities in the order of their methods.
    var identities: [Identity] { methods.compactMap(\.identity) }

    /// The method of the identity with this key.
    func method(for key: Identity.Key) -> SignInMethod? { methods.first { $0.isIdentity(key) } }

    /// The first method listed under this provider.
    package func method(of provider: ProviderID) -> SignInMethod? { methods.first { $0.kind.provider == provider } }

    /// Whether a method is listed under this provider; the entry shared by password and links needs an address.
    func lists(_ provider: ProviderID) -> Bool {
        (email != nil || provider != .password) && methods.contains { $0.kind.provider == provider }
    }

    /// The methods as events list them.
    var methodSummaries: [SignInMethod.Summary] { methods.map { SignInMethod.Summary($0) } }
}
