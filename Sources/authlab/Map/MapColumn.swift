/// A column of the decision map.
struct MapColumn: Sendable, Hashable {
    /// A few short words, one for each line of a narrow heading.
    let heading: [String]
    /// What it is, in a sentence.
    let about: String
    /// The account; nil if none has the address.
    let state: AccountState?

    var title: String { heading.joined(separator: " ") }

    static let all = [
        MapColumn(heading: ["no", "account"], about: "No account has the address.", state: nil),
        MapColumn(
            heading: ["never", "verified"],
            about: "An account signed up with the address and a password, and never verified it.",
            state: AccountState(address: .unverified)
        ),
        MapColumn(
            heading: ["never", "verified,", "2 methods"],
            about: "The same, and a GitHub identity is linked to it.",
            state: AccountState(address: .unverified, hasOtherMethod: true)
        ),
        MapColumn(
            heading: ["verified,", "covered"],
            about: "The account's session that verified the address used or added every method.",
            state: AccountState(hasOtherMethod: true)
        ),
        MapColumn(
            heading: ["verified,", "not", "covered"],
            about: "The verification was opened outside the account's session, and so covers no method.",
            state: AccountState(isCovered: false)
        ),
        MapColumn(
            heading: ["verified", "a year", "ago"],
            about: "The address was verified 400 days ago.",
            state: AccountState(verifiedDaysAgo: 400)
        ),
        MapColumn(
            heading: ["address", "only", "displayed"],
            about: "An account displays the address because Facebook once confirmed it.",
            state: AccountState(address: .displayed)
        ),
        MapColumn(
            heading: ["second", "factor"],
            about: "Verified and covered, and a second factor is enrolled.",
            state: AccountState(hasSecondFactor: true)
        ),
        MapColumn(
            heading: ["disabled"],
            about: "Verified and covered, and an administrator disabled the account.",
            state: AccountState(isDisabled: true)
        ),
        MapColumn(
            heading: ["another", "identity", "linked"],
            about: "Verified and covered, and another identity of the same provider is linked.",
            state: AccountState(sameProvider: .anotherIdentity)
        ),
        MapColumn(
            heading: ["identity", "removed"],
            about: "Verified and covered, and the owner removed an identity of the same provider.",
            state: AccountState(sameProvider: .removedIdentity)
        ),
    ]
}
