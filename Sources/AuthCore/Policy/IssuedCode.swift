/// A code drawn before the decision, in the forms that are kept: the name of its message, from which the service
/// derives it again, and its hash.
struct IssuedCode: Sendable {
    /// The key under which its one-time record is kept: a hash of a mailed code, or an ID of its own for digits.
    let key: OneTimeRecordID
    /// The keyed hash of digits that are sent to a number; empty for mailed codes, whose key is their hash.
    var hash: [UInt8] = []
    /// The name of the message.
    let message: OperationID
    /// What the message says, so that sending it in the same call need not derive it again; it is never kept.
    let text: Secret
}
