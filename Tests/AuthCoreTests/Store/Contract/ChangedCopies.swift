@testable import AuthCore

// Values of which a flawed store changes a member that otherwise stays as it is.

extension OneTimeRecord {
    /// The same record, but for what is given.
    func with(
        account: AccountID?? = .none,
        createdAt: Timestamp? = nil,
        expiresAt: Timestamp?? = .none,
        device: DeviceKey?? = .none,
        sessionGeneration: UInt32?? = .none,
        content: Content? = nil
    ) -> OneTimeRecord {
        OneTimeRecord(
            key: key,
            account: account ?? self.account,
            createdAt: createdAt ?? self.createdAt,
            expiresAt: expiresAt ?? self.expiresAt,
            device: device ?? self.device,
            sessionGeneration: sessionGeneration ?? self.sessionGeneration,
            content: content ?? self.content
        )
    }
}

extension OutboxEntry {
    /// The same message, but for what is given.
    func with(
        kind: Message.Kind? = nil,
        record: OneTimeRecordID? = nil,
        account: AccountID?? = .none,
        settings: Message.Settings?? = .none,
        createdAt: Timestamp? = nil,
        expiresAt: Timestamp?? = .none
    ) -> OutboxEntry {
        OutboxEntry(
            id: id,
            kind: kind ?? self.kind,
            recipient: recipient,
            record: record ?? self.record,
            account: account ?? self.account,
            settings: settings ?? self.settings,
            createdAt: createdAt ?? self.createdAt,
            leasedUntil: leasedUntil,
            expiresAt: expiresAt ?? self.expiresAt
        )
    }
}

extension IdentityEvent {
    /// The same event, but for what is given.
    func copy(
        kind: Kind? = nil,
        at time: Timestamp? = nil,
        actor: Actor? = nil,
        reasons: [Reason]? = nil,
        evidence: [Evidence]? = nil,
        before: [SignInMethod.Summary]?? = .none,
        after: [SignInMethod.Summary]?? = .none
    ) -> IdentityEvent {
        IdentityEvent(
            kind ?? self.kind,
            at: time ?? at,
            account: account,
            actor: actor ?? self.actor,
            reasons: reasons ?? self.reasons,
            evidence: evidence ?? self.evidence,
            before: before ?? self.before,
            after: after ?? self.after
        )
    }
}
