/// What holds for every account that the rules made, and therefore has to hold for one that was made elsewhere.
extension Account {
    /// Counters beyond this are nobody's history, and would soon run over.
    private static let greatestCount: UInt32 = 1 << 30

    /// The part that contradicts the rest, named as in a record; nil if the rules can work with the account.
    var unsoundPart: String? {
        if email == nil && reservesEmail { return "reservesEmail" }
        if sessionGeneration > Self.greatestCount { return "sessionGeneration" }
        let generations = methods.map(\.generation) + factors.map(\.generation)
        if nextGeneration > Self.greatestCount || generations.contains(where: { $0 >= nextGeneration }) {
            return "nextGeneration"
        }
        if Set(generations).count < generations.count { return "generation" }
        if !hasSoundMethods { return "methods" }
        if Set(factors.map(\.id)).count < factors.count { return "factors" }
        if !evidence.allSatisfy({ (1...Int(Self.greatestCount)).contains($0.count) }) { return "evidence" }
        if !TokenClaims.areAcceptable(customClaims) { return "customClaims" }
        return nil
    }

    private var hasSoundMethods: Bool {
        for kind in [MethodKind.password, .emailLink, .phone]
        where methods.count(where: { $0.kind.methodKind == kind }) > 1 {
            return false
        }
        return identities.allSatisfy { $0.provider.isWellFormed && !$0.provider.isReserved }
            && Set(identities.map(\.key)).count == identities.count
    }
}
