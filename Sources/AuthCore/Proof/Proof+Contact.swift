extension Proof {
    /// The address or number that the proof verifies.
    func verifiedContact(under policy: AuthPolicy) -> Evidence.Subject? {
        switch self {
        case .mailbox(let proof): .email(proof.email)
        case .phone(let proof): .phone(proof.number)
        case .federated(let proof): proof.provedSubject(under: policy)
        case .password, .customToken, .anonymous: nil
        }
    }
}
