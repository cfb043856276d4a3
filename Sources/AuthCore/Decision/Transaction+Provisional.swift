extension Transaction {
    /// Remembers in which seat the password of a provisional account is good.
    mutating func keepProvisional(
        _ account: Account,
        _ email: EmailAddress,
        _ device: DeviceID,
        isNew: Bool
    ) {
        let key = OneTimeRecordID.provisional(email, device)
        let record = OneTimeRecord(
            key: key,
            account: account.id,
            createdAt: context.now,
            expiresAt: nil,
            device: device,
            content: .provisionalSignUp
        )
        changes.records.append(isNew ? .put(record) : .replace(record))
    }

    /// What has a proven address is provisional no more, and its password is good everywhere.
    mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        changes.records.append(.revokeAll(account.id, [.provisionalSignUp]))
    }
}
