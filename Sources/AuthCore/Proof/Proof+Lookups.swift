extension Proof {
    /// The provider that must be enabled for the proof to be used.
    var provider: ProviderID {
        switch claim {
        case .password: .password
        case .mailbox: .emailLink
        case .phone: .phone
        case .identity(let proof): proof.identity.provider
        case .customToken: .custom
        case .nothing: .anonymous
        }
    }

    /// What must be looked up to find the proof's account and to check that the proof is still valid.
    var lookups: Lookups {
        var lookups = Lookups()
        switch claim {
        case .password(let proof):
            if let provisional = proof.provisional { lookups.insert(.record(provisional)) }
            lookups.insert(ownerOf: proof.email)
        case .mailbox(let proof):
            lookups.insert(ownerOf: proof.email)
            lookups.insert(.record(proof.record))
        case .phone(let proof):
            lookups.insert(.owner(.phone(proof.number)))
            lookups.insert(.record(proof.record))
        case .identity(let proof):
            lookups.insert(.owner(.identity(proof.identity.key)))
            for key in proof.records { lookups.insert(.record(key)) }
        case .customToken(let proof):
            lookups.insert(.account(proof.account))
        case .nothing:
            break
        }
        return lookups
    }
}
