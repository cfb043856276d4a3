extension Transaction {
    /// Makes an account provisional: until the address is verified, its password is valid on this device only.
    mutating func makeProvisional(_ account: inout Account, under email: EmailAddress, in seen: Snapshot) {
        account.isProvisional = true
        learnDevice(of: &account)
        guard let device else { return }
        let key = OneTimeRecordID.provisional(email, device)
        let record = record(key, .provisionalSignUp, of: account.id, until: nil, on: device)
        // A device that signed up before has a record, unless it just got another secret.
        let isNew = newDevice != nil || seen.record(key) == nil
        if isNew { put(record) } else { replace(record) }
    }

    /// Ends the provisional state of an account with a verified address; its password is then valid on every device.
    mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        revokeAll(of: account.id, [.provisionalSignUp])
    }
}
