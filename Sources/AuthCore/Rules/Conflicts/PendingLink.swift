#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a conflict kept, once it was found again.
package struct PendingLink: Sendable {
    /// The name under which it is kept.
    package let key: CapabilityKey
    /// What was proved.
    package let proof: Proof
    /// The account that the conflict was with, if it named one.
    package let target: AccountID?

    package init(key: CapabilityKey, proof: Proof, target: AccountID?) {
        self.key = key
        self.proof = proof
        self.target = target
    }

    /// The one-time things that it rests on.
    package var capabilities: [CapabilityKey] {
        if case .federated(let proof) = proof { return proof.capabilities }
        return [key]
    }
}
