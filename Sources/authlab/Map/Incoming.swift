/// What arrives: a row of the decision map, and the `arrives` of a state file.
enum Incoming: String, Sendable, Hashable, CaseIterable {
    case knownIdentity
    case authoritative
    case flagged
    case confirmed
    case claimed
    case noAddress
    case mailedLink
    case password

    /// The name in a table.
    var title: String {
        switch self {
        case .knownIdentity: "known identity"
        case .authoritative: "runs the mailbox"
        case .flagged: "says “verified”"
        case .confirmed: "confirmed once"
        case .claimed: "only claimed"
        case .noAddress: "no address"
        case .mailedLink: "mailed link"
        case .password: "right password"
        }
    }

    /// What it is, in a sentence.
    var about: String {
        switch self {
        case .knownIdentity: "An identity that is linked to this account, whatever address it states now."
        case .authoritative: "A new identity; its provider runs the mailbox, as Apple does for icloud.com."
        case .flagged: "A new identity; its provider does not run the mailbox but says that the address is verified."
        case .confirmed: "A new identity; its provider, such as Facebook, confirms addresses but does not say so."
        case .claimed: "A new identity; its provider says that the address is not verified."
        case .noAddress: "A new identity without an address."
        case .mailedLink: "A sign-in link that was mailed to the address."
        case .password: "The address and its password."
        }
    }

    /// Whether it is an identity that no account has.
    var isNewIdentity: Bool {
        switch self {
        case .authoritative, .flagged, .confirmed, .claimed, .noAddress: true
        case .knownIdentity, .mailedLink, .password: false
        }
    }
}
