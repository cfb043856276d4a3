extension ActingSession {
    /// Whether the session owes a factor of its account.
    var factorStanding: FactorStanding { account.factorStanding(in: session, shown: nil) }
}
