/// The account that a sign-in meets: a column of the decision map, and the `account` of a state file.
struct AccountState: Sendable, Hashable {
    /// How the account has the address that arrives.
    enum Address: String, Sendable, Hashable, CaseIterable {
        /// It displays the address because a provider once confirmed it, and does not own it.
        case displayed
        /// It signed up with the address and never verified it.
        case unverified
        /// A mailed code verified it.
        case verified
    }

    /// What the account has of the provider that arrives.
    enum SameProvider: String, Sendable, Hashable, CaseIterable {
        case nothing
        case anotherIdentity
        case removedIdentity
    }

    var address = Address.verified
    /// Whether the code was opened in the session that requested it, so that it covers the methods.
    var isCovered = true
    var verifiedDaysAgo = 0
    var hasOtherMethod = false
    var hasSecondFactor = false
    var isDisabled = false
    var sameProvider = SameProvider.nothing
}
