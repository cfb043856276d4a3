/// What is known of a code that was presented.
enum CodeStatus: Sendable, Hashable, CaseIterable {
    case good
    case unknown
    case expired
    case ofAnotherDevice

    /// The refusal of a mailed code; nil for a valid one.
    var refusal: Refusal? {
        switch self {
        case .good: nil
        case .unknown: Refusal(.invalidActionCode, .codeIsUnknown)
        case .expired: Refusal(.expiredActionCode, .codeIsExpired)
        case .ofAnotherDevice: Refusal.codeOfAnotherDevice
        }
    }

    /// The refusal of a code that was sent to a number; nil for a valid one.
    var phoneRefusal: Refusal? {
        switch self {
        case .good: nil
        case .unknown: Refusal(.invalidVerificationID, .codeIsUnknown)
        case .expired: Refusal.phoneCodeExpired
        case .ofAnotherDevice: Refusal.codeOfAnotherDevice
        }
    }
}

extension Snapshot {
    /// The status of a one-time record now; one with other content counts as missing.
    func status(
        of key: OneTimeRecordID,
        _ context: DecisionContext,
        matches: (OneTimeRecord.Content) -> Bool = { _ in true }
    ) -> CodeStatus {
        guard let record = record(key), matches(record.content) else { return .unknown }
        if !record.isLive(at: context.now) { return .expired }
        if context.isElsewhere(record) { return .ofAnotherDevice }
        return .good
    }

    func signInLinkStatus(_ proof: MailboxProof, _ context: DecisionContext) -> CodeStatus {
        status(of: proof.record, context) { $0 == .signInLink(proof.email) || $0 == .mailboxOwnership(proof.email) }
    }

    func phoneCodeStatus(_ proof: PhoneProof, _ context: DecisionContext) -> CodeStatus {
        status(of: proof.record, context) { content in
            switch content {
            case .phoneCode(let code): code.number == proof.number && code.use == .method
            case .phoneOwnership(let number): number == proof.number
            default: false
            }
        }
    }
}
