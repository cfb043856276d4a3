/// What a caller is given to continue with later is stored under a hash of it, so that what is stored continues
/// nothing.
extension OneTimeRecordID {
    /// The key of the record whose ID in the caller's hands is this one.
    var keyOfHandedOut: OneTimeRecordID { OneTimeRecordID(digestOf: "handed out\u{0}" + text) }
}

extension Conflict.PendingCredential {
    /// The key under which the service stores what was verified.
    package var key: OneTimeRecordID { id.keyOfHandedOut }
}

extension SecondFactor.Challenge {
    /// The key under which the service stores the operation that waits.
    package var key: OneTimeRecordID { id.keyOfHandedOut }
}
