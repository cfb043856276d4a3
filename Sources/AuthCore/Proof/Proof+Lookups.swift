extension Proof {
    /// The provider whose switch decides whether the proof may be used.
    var provider: ProviderID {
        switch self {
        case .password: .password
        case .mailbox: .emailLink
        case .phone: .phone
        case .federated(let proof): proof.identity.provider
        case .customToken: .custom
        case .anonymous: .anonymous
        }
    }

    /// What must be seen to tell whose it is, and whether it is still good.
    var lookups: Lookups {
        var lookups = Lookups()
        switch self {
        case .password(let proof):
            if let provisional = proof.provisional { lookups.insert(.record(provisional)) }
            lookups.insert(ownerOf: proof.email)
        case .mailbox(let proof):
            lookups.insert(ownerOf: proof.email)
            lookups.insert(.record(proof.capability))
        case .phone(let proof):
            lookups.insert(.owner(.phone(proof.number)))
            lookups.insert(.record(proof.capability))
        case .federated(let proof):
            lookups.insert(.owner(.identity(proof.identity.key)))
            for key in proof.capabilities { lookups.insert(.record(key)) }
        case .customToken(let proof):
            lookups.insert(.account(proof.account))
        case .anonymous:
            break
        }
        return lookups
    }
}
