extension ActingSession {
    /// Whether the session still needs a second factor of its account.
    var factorStatus: FactorStatus { account.factorStatus(in: session, shown: nil) }
}
