extension ActingSession {
    /// Whether the session owes a factor of its account.
    var factorStatus: FactorStatus { account.factorStatus(in: session, shown: nil) }
}
