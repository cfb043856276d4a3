extension Transaction {
    /// Records the device on which the password of a provisional account is valid.
    mutating func keepProvisional(_ account: Account, _ email: EmailAddress, _ device: DeviceKey, isNew: Bool) {
        let key = OneTimeRecordID.provisional(email, device)
        let record = record(key, .provisionalSignUp, of: account.id, until: nil, on: device)
        changes.records.append(isNew ? .put(record) : .replace(record))
    }

    /// Ends the provisional state of an account with a verified address; its password is then valid on every device.
    mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        revokeAll(of: account.id, [.provisionalSignUp])
    }
}
