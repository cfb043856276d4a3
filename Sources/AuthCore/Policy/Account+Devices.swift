/// The devices that an account knows: those on which a sign-in was completed.
extension Account {
    /// The key by which the account knows a device; nil if it does not.
    func key(of device: DeviceID?) -> DeviceKey? {
        guard let device, !knownDevices.isEmpty else { return nil }
        return device.keys.first { knownDevices.contains($0) }
    }

    /// The same, also for a device on which a new password was set by mail and no second factor was presented yet.
    ///
    /// Only passwords and mails count by it: who reads the mailbox must not guess at the factor as on a known device.
    func keyForPasswords(of device: DeviceID?) -> DeviceKey? {
        if let known = key(of: device) { return known }
        guard let device, !knownDevices.isEmpty else { return nil }
        return device.keys.first { knownDevices.contains($0.ofRecovery) }
    }

    /// Makes a device known; of more than the limit, the one goes that became known first.
    mutating func remember(_ device: DeviceKey) { knownDevices = knownDevices.suffix(Self.deviceLimit - 1) + [device] }

    /// Lets every device except this one stay known for passwords and mails only: no factor was presented on it.
    mutating func distrustDevices(except device: DeviceID?) {
        let kept = key(of: device)
        knownDevices = knownDevices.map { $0 == kept ? $0 : $0.ofRecovery }
    }

    /// Forgets every device except this one.
    mutating func forgetDevices(except device: DeviceID?) {
        let kept = key(of: device) ?? keyForPasswords(of: device)?.ofRecovery
        knownDevices = kept.map { [$0] } ?? []
    }
}
