package import AuthCore

/// What a person who looks into the database reads of an account, beside the record that holds all of it.
///
/// It contains no hash and no key, and not whether the address is verified, which depends on the policy. The columns
/// follow the record: a store writes both in one statement or transaction, and reads accounts from the record only.
package struct AccountColumns: Sendable, Hashable {
    /// The account's address.
    package let email: String?
    /// The sign-in number, suspended or not.
    package let phoneNumber: String?
    /// The display name.
    package let displayName: String?
    /// In one word what kind of account it is: `anonymous`, `disabled`, `deleted` or `active`.
    ///
    /// An account is `deleted` as soon as its owner asked for it, also while that can still be canceled.
    package let status: String

    /// Reads the columns of an account.
    package init(_ account: Account) {
        email = account.email?.text
        phoneNumber = account.phoneNumber?.text
        displayName = account.displayName
        status =
            if account.deletedUntil != nil {
                "deleted"
            } else if account.isDisabled {
                "disabled"
            } else {
                account.isAnonymous ? "anonymous" : "active"
            }
    }
}

/// What a person who looks into the database reads of a sign-in method.
package struct MethodColumns: Sendable, Hashable {
    /// The method's place among those of the account, in the order they were added.
    package let place: Int
    /// The kind of method.
    package let kind: String
    /// The provider under which it is listed.
    package let provider: String
    /// The issuer of the identity, for a federated method.
    package let issuer: String?
    /// The issuer's ID of the person, for a federated method.
    package let subject: String?
    /// The address in the provider's latest assertion, or the account's own for a password and mailed links.
    package let email: String?
    /// The number, for a phone method.
    package let phoneNumber: String?
    /// When it was added.
    package let addedAt: Timestamp
    /// Whether it is suspended.
    package let isSuspended: Bool

    /// Reads the methods of an account.
    package static func all(of account: Account) -> [MethodColumns] {
        account.methods.enumerated().map { MethodColumns($0, $1, of: account) }
    }

    private init(_ place: Int, _ method: SignInMethod, of account: Account) {
        self.place = place
        kind = method.kind.methodKind.rawValue
        provider = method.kind.provider.rawValue
        issuer = method.identity?.key.issuer.text
        subject = method.identity?.key.subject.text
        addedAt = method.addedAt
        isSuspended = !method.isActive
        switch method.kind {
        case .password, .emailLink: (email, phoneNumber) = (account.email?.text, nil)
        case .phone(let number): (email, phoneNumber) = (nil, number.text)
        case .federated(let identity): (email, phoneNumber) = (identity.email?.text, nil)
        }
    }
}
