/// That a second factor of an account was shown, and what showing it uses up.
struct FactorProof: Sendable {
    let use: FactorUse
    let account: AccountID
    /// The account's epoch when the first factor was shown.
    let sessionGeneration: UInt32
    /// The challenge and the code, which the commit uses up.
    let consumes: [OneTimeRecordID]
    /// The time step of a time-based code, below which no further code is taken.
    var step: UInt64?
    /// The recovery code that is spent.
    var recoveryCode: RecoveryCode?
}
