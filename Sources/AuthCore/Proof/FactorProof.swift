/// Evidence that a second factor of an account was presented, with the records that this consumes.
struct FactorProof: Sendable {
    var use: SecondFactor.Use
    let account: AccountID
    /// The account's session generation when the first factor was presented.
    var sessionGeneration: UInt32
    /// The challenge and the code, which the commit consumes.
    var consumes: [OneTimeRecordID]
    /// The time step of a time-based code; no code of this step or an earlier one is accepted again.
    var step: UInt64?
    /// The seed of the code under the current key; nil if it is sealed under that already.
    var resealedSeed: [UInt8]?
    /// The recovery code that is consumed.
    var recoveryCode: SecondFactor.RecoveryCode?

    /// What a session of this account keeps of it: nothing if it proves a factor of another account.
    func use(on account: AccountID) -> SecondFactor.Use? { self.account == account ? use : nil }
}
