extension Proof {
    /// The address or number that the proof verifies.
    func verifiedContact(under policy: AuthPolicy) -> Evidence.Subject? {
        switch claim {
        case .mailbox(let proof): .email(proof.email)
        case .phone(let proof): .phone(proof.number)
        case .identity(let proof): proof.verifiedSubject(under: policy)
        default: nil
        }
    }
}
