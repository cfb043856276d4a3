import AuthCoreCrypto

extension DeviceID {
    /// The key of the current secret, to which codes and challenges are bound.
    package var key: DeviceKey { secrets.first?.key ?? DeviceKey(bits: 0) }

    /// The keys of the current secret and of the former ones, by which accounts know the device.
    var keys: some Sequence<DeviceKey> { secrets.lazy.map(\.key) }

    /// Whether this was the device's key at a time in the past.
    func hadKey(_ key: DeviceKey, at time: Timestamp) -> Bool {
        secrets.contains { secret in
            guard let replacedAt = secret.replacedAt, time <= replacedAt else { return false }
            return secret.key == key
        }
    }
}

extension DeviceSecret {
    fileprivate var key: DeviceKey { DeviceKey(digestOf: "AuthCore device 2\u{0}" + id.text, isOfRecovery: false) }
}

extension DeviceKey {
    /// The key under which an account keeps a device on which nothing but a new password was set, by mail.
    ///
    /// A key of this kind stays as it is, so distrusting a device twice changes nothing.
    var ofRecovery: DeviceKey {
        if words.low & 1 == 1 { return self }
        return DeviceKey(digestOf: "AuthCore device of a recovery 2\u{0}" + text, isOfRecovery: true)
    }

    /// The lowest bit tells the two kinds of keys apart.
    fileprivate init(digestOf text: String, isOfRecovery: Bool) {
        self.init(bits: SHA256.leadingBits(of: text) & ~1 | (isOfRecovery ? 1 : 0))
    }
}
