/// What an attacker may have ready before the victim comes, in the classes of the pre-hijacking paper and ours.
enum Preparation: Int, CaseIterable {
    /// A password of the attacker's own under the victim's address.
    case password
    /// A session that stays open.
    case session
    /// A refresh token and an ID token.
    case refreshToken
    /// An identity of the attacker's own, linked.
    case otherIdentity
    /// A number of the attacker's own, linked.
    case phone
    /// A change of the address to one of the attacker's own, asked for and not completed.
    case pendingChange
    /// Codes that were sent and not used, and a conflict that was not answered.
    case unusedCodes
    /// A second factor; `.standard` refuses it to an account whose address is unverified, and so does `.firebase`.
    case factor

    /// Every set of preparations.
    static let subsets: [Set<Preparation>] = (0..<(1 << allCases.count)).map { bits in
        Set(allCases.filter { bits & (1 << $0.rawValue) != 0 })
    }
}
