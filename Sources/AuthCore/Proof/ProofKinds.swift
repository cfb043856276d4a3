/// The result of comparing a password with what is stored for an address.
package struct PasswordProof: Sendable {
    /// The result of the comparison.
    enum Finding: Sendable, Hashable {
        /// The password is the account's, in this generation; the new hash is set if parameters were raised since.
        case matches(AccountID, generation: UInt32, rehashed: PasswordHash?)
        /// The password is not the account's, or there is no account or no password; the work is the same in each case.
        case differs
        /// There were too many wrong passwords; this one was not compared.
        case mustWait
    }

    let email: EmailAddress
    let finding: Finding
    /// The key of the provisional account that has the password; nil for the owner of the address.
    var provisional: OneTimeRecordID?
}

/// Control of a mailbox, verified by a code that was sent there.
package struct MailboxProof: Sendable {
    let email: EmailAddress
    let record: OneTimeRecordID
    /// The ID by which its presenter knows the record, if that was stored by a conflict.
    var handedOut: OneTimeRecordID?
}

/// Control of a number, verified by a code that was sent there.
package struct PhoneProof: Sendable {
    let number: PhoneNumber
    let record: OneTimeRecordID
    /// The ID by which its presenter knows the record, if that was stored by a conflict.
    var handedOut: OneTimeRecordID?
}

/// An identity that a provider asserted; a class, since it is large, is passed through many calls, and never changes.
package final class FederatedProof: Sendable {
    package let identity: Identity
    package let assertion: ProviderAssertion
    /// The pending identity that this proof was created from, which the commit consumes.
    let pending: PendingUse?
    /// The nonce of this service that is in the token, if there is one.
    let nonce: ProofNonce

    init(
        identity: Identity,
        assertion: ProviderAssertion,
        pending: PendingUse? = nil,
        nonce: ProofNonce = .none
    ) {
        self.identity = identity
        self.assertion = assertion
        self.pending = pending
        self.nonce = nonce
    }
}

/// The pending identity that a proof was created from.
package struct PendingUse: Sendable, Hashable {
    let key: OneTimeRecordID
    /// The ID by which its presenter knows it; nil if it was found again by a challenge.
    var handedOut: OneTimeRecordID?
}

/// The content of a custom token.
package struct CustomTokenProof: Sendable {
    let account: AccountID
    let claims: [String: ClaimValue]
    /// When its issuer authenticated the person, if the token says so and the policy accepts it.
    let authenticatedAt: Timestamp?
}
