internal import AuthCore

/// Checks that an imported account satisfies what holds for every account created by AuthCore.
extension Account {
    /// A counter above this limit cannot be genuine, and would soon overflow.
    private static let greatestCount: UInt32 = 1 << 30

    /// The name, as in a record, of the part that contradicts the rest; nil if the account is consistent.
    var unsoundPart: String? {
        if email == nil && reservesEmail { return "reservesEmail" }
        if isAnonymous && methods.contains(where: { email != nil || $0.kind.methodKind != .password }) {
            return "isAnonymous"
        }
        if sessionGeneration > Self.greatestCount { return "sessionGeneration" }
        let generations = methods.map(\.generation) + factors.map(\.generation)
        if nextGeneration > Self.greatestCount || generations.contains(where: { $0 >= nextGeneration }) {
            return "nextGeneration"
        }
        if Set(generations).count < generations.count { return "generation" }
        if !hasSoundMethods { return "methods" }
        if Set(factors.map(\.id)).count < factors.count { return "factors" }
        let counts = 1...Int(Self.greatestCount)
        if !evidence.allSatisfy({ counts.contains($0.count) }) { return "evidence" }
        if !TokenClaims.areAcceptable(customClaims) { return "customClaims" }
        return overlongPart
    }

    private var hasSoundMethods: Bool {
        for kind in [MethodKind.password, .emailLink, .phone]
        where methods.count(where: { $0.kind.methodKind == kind }) > 1 {
            return false
        }
        let identities = methods.compactMap(\.identity)
        return identities.allSatisfy { $0.provider.isWellFormed && !$0.provider.isReserved }
            && Set(identities.map(\.key)).count == identities.count
    }
}
