/// An identity that a provider asserted; a class, since it is large, is passed through many calls, and never changes.
package final class FederatedProof: Sendable {
    package let identity: Identity
    package let assertion: ProviderAssertion
    /// The pending identity that this proof was created from, which the commit consumes.
    let pending: PendingUse?
    /// The nonce of this service that is in the token, if there is one.
    let nonce: ProofNonce

    init(identity: Identity, assertion: ProviderAssertion, pending: PendingUse? = nil, nonce: ProofNonce = .unchecked) {
        self.identity = identity
        self.assertion = assertion
        self.pending = pending
        self.nonce = nonce
    }
}

/// The pending identity that a proof was created from.
struct PendingUse: Sendable, Hashable {
    let key: OneTimeRecordID
    /// The ID by which its presenter knows it; nil if it was found again by a challenge.
    var handedOut: OneTimeRecordID?
}
