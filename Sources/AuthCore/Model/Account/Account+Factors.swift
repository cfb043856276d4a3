extension Account {
    /// The factors that can be used now.
    var activeFactors: [SecondFactor] { factors.filter { $0.suspension == nil } }

    /// Adds a factor with the next generation number.
    package mutating func addFactor(
        _ kind: SecondFactor.Kind,
        named name: String?,
        id: UInt128,
        at now: Timestamp
    ) -> SecondFactor {
        let factor = SecondFactor(
            id: SecondFactor.ID(bits: id),
            kind: kind,
            displayName: name,
            enrolledAt: now,
            generation: nextGeneration
        )
        nextGeneration += 1
        factors.append(factor)
        return factor
    }
}
