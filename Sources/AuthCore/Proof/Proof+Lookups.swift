extension Proof {
    /// The provider whose switch decides whether the proof may be used.
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

    /// What must be seen to tell whose it is, and whether it is still good.
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
