/// What a verified credential proved.
///
/// Only this package makes one; an app's own verifier returns an assertion, which the service turns into a proof.
package struct Proof: Sendable {
    /// What was proved.
    package indirect enum Claim: Sendable {
        /// Whether a password is that of the account with an address.
        case password(PasswordProof)
        /// Control of a mailbox.
        case mailbox(MailboxProof)
        /// Control of a number.
        case phone(PhoneProof)
        /// An identity at a provider.
        case identity(FederatedProof)
        /// The word of the app's own server.
        case customToken(CustomTokenProof)
        /// Nothing.
        case nothing
    }

    package let claim: Claim
    /// When it was verified; nil for now.
    var verifiedAt: Timestamp?

    init(_ claim: Claim) { self.claim = claim }
}

extension Proof {
    /// Whether a password is that of the account with an address.
    static func password(_ proof: PasswordProof) -> Proof { Proof(.password(proof)) }

    /// Control of a mailbox.
    static func mailbox(_ proof: MailboxProof) -> Proof { Proof(.mailbox(proof)) }

    /// Control of a number.
    static func phone(_ proof: PhoneProof) -> Proof { Proof(.phone(proof)) }

    /// An identity at a provider.
    package static func federated(_ proof: FederatedProof) -> Proof { Proof(.identity(proof)) }

    /// The word of the app's own server.
    static func customToken(_ proof: CustomTokenProof) -> Proof { Proof(.customToken(proof)) }

    /// Nothing.
    package static var anonymous: Proof { Proof(.nothing) }
}

/// The outcome of comparing a password with what is stored for an address.
package struct PasswordProof: Sendable {
    /// What the comparison found.
    enum Finding: Sendable, Hashable {
        /// The password is the account's, in this generation; the new hash is set when parameters have risen since.
        case matches(AccountID, generation: UInt32, rehashed: PasswordHash?)
        /// The password is not the account's, or there is no account or no password; the work was the same.
        case differs
        /// There were too many wrong passwords; this one was not looked at.
        case mustWait
    }

    let email: EmailAddress
    let finding: Finding
    /// Where the provisional account is found whose password it is; nil for the address's owner.
    var provisional: OneTimeRecordID?
}

/// Control of a mailbox, shown by a code that was sent there.
package struct MailboxProof: Sendable {
    let email: EmailAddress
    let record: OneTimeRecordID
}

/// Control of a number, shown by a code that was sent there.
package struct PhoneProof: Sendable {
    let number: PhoneNumber
    let record: OneTimeRecordID
}

/// An identity that a provider asserted.
package struct FederatedProof: Sendable {
    package let identity: Identity
    package let assertion: ProviderAssertion
    /// The pending identity that this proof was made from, which the commit uses up.
    var pending: PendingUse?
}

/// The pending identity that a proof was made from.
package struct PendingUse: Sendable, Hashable {
    let key: OneTimeRecordID

    init(key: OneTimeRecordID) { self.key = key }
}

/// What a custom token says.
package struct CustomTokenProof: Sendable {
    let account: AccountID
    let claims: [String: ClaimValue]
    /// When and how its issuer saw the person, if it says so and the policy accepts it.
    let authenticatedAt: Timestamp?
}
