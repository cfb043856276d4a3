/// How reliable a provider's assertion of an address is.
public enum EmailAssurance: Int, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// The provider repeats what a person or an administrator entered.
    case claimed = 0
    /// The provider confirmed the address once.
    case confirmed = 1
    /// The provider runs the mailbox.
    case authoritative = 2

    /// Orders assurances from the lowest to the highest.
    public static func < (left: EmailAssurance, right: EmailAssurance) -> Bool { left.rawValue < right.rawValue }
}
