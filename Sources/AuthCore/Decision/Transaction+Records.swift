extension Transaction {
    /// A one-time record of now.
    func record(
        _ key: OneTimeRecordID,
        _ content: OneTimeRecord.Content,
        of account: AccountID? = nil,
        until expiresAt: Timestamp?,
        on device: DeviceKey? = nil
    ) -> OneTimeRecord {
        OneTimeRecord(
            key: key,
            account: account,
            createdAt: context.now,
            expiresAt: expiresAt,
            device: device,
            content: content
        )
    }

    /// Writes a record, which must not be there yet.
    mutating func put(_ record: OneTimeRecord) { changes.records.append(.put(record)) }

    /// Writes a record of now, which must not be there yet.
    mutating func put(
        _ key: OneTimeRecordID,
        _ content: OneTimeRecord.Content,
        of account: AccountID? = nil,
        until expiresAt: Timestamp?,
        on device: DeviceKey? = nil
    ) { put(record(key, content, of: account, until: expiresAt, on: device)) }

    /// Writes a record over the one that is there.
    mutating func replace(_ record: OneTimeRecord) { changes.records.append(.replace(record)) }

    /// Removes a record if it is there.
    mutating func revoke(_ key: OneTimeRecordID) { changes.records.append(.revoke(key)) }

    /// Removes a record, which must be there.
    mutating func consume(_ key: OneTimeRecordID) { changes.records.append(.consume(key)) }

    /// Removes the records of an account that are of some purposes, if there are any.
    mutating func revokeAll(of account: AccountID, _ purposes: [OneTimeRecord.Purpose]) {
        changes.records.append(.revokeAll(account, purposes))
    }

    /// Removes what was begun on an account and not completed: by a mail, a second factor or an enrollment.
    mutating func revokeUnfinished(of account: AccountID) {
        revokeAll(of: account, [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed])
    }
}
