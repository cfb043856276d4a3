extension Snapshot {
    /// The account that a device signed up to and whose address is not verified yet.
    func provisionalAccount(_ key: OneTimeRecordID) -> Account? {
        guard record(key)?.purpose == .provisionalSignUp, let account = account(of: key), account.isProvisional
        else { return nil }
        return account
    }
}

extension OneTimeRecordID {
    /// The key under which a device's provisional account for an address is found.
    static func provisional(_ email: EmailAddress, _ device: DeviceKey) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "provisional\u{0}\(email.text)\u{0}\(device.text)")
    }
}
