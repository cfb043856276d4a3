/// What is known of a code that was presented.
enum CodeStanding: Sendable, Hashable, CaseIterable {
    case good
    case unknown
    case expired
    case ofAnotherSeat
    /// The account has moved on from what the code was bound to.
    case outdated

    /// The refusal of a mailed code; nil for a good one.
    var refusal: Refusal? {
        switch self {
        case .good: nil
        case .unknown: Refusal(.invalidActionCode, .codeIsUnknown)
        case .expired: Refusal(.expiredActionCode, .codeIsExpired)
        case .ofAnotherSeat: Refusal.codeOfAnotherSeat
        case .outdated: Refusal.codeOutdated
        }
    }

    /// The refusal of a code that was sent to a number; nil for a good one.
    var phoneRefusal: Refusal? {
        switch self {
        case .good: nil
        case .unknown, .outdated: Refusal(.invalidVerificationID, .codeIsUnknown)
        case .expired: Refusal.phoneCodeExpired
        case .ofAnotherSeat: Refusal.codeOfAnotherSeat
        }
    }
}

extension Snapshot {
    /// What a capability is worth now; one of other contents is as good as none.
    func standing(
        of key: CapabilityKey,
        _ context: DecisionContext,
        matches: (Capability.Content) -> Bool
    ) -> CodeStanding {
        guard let capability = record(key), matches(capability.content) else { return .unknown }
        if !capability.isLive(at: context.now) { return .expired }
        if let seat = capability.seat, seat != context.seat { return .ofAnotherSeat }
        return .good
    }

    func signInLinkStanding(_ proof: MailboxProof, _ context: DecisionContext) -> CodeStanding {
        standing(of: proof.capability, context) { $0 == .signInLink(proof.email) }
    }

    func phoneCodeStanding(_ proof: PhoneProof, _ context: DecisionContext) -> CodeStanding {
        standing(of: proof.capability, context) { content in
            switch content {
            case .phoneCode(let code): code.number == proof.number && code.use == .method
            case .phoneOwnership(let number): number == proof.number
            default: false
            }
        }
    }
}
