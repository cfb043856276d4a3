/// The devices that an account knows: those on which a sign-in was completed.
extension Account {
    /// The most devices that an account knows; a further one replaces the one that became known first.
    static let deviceLimit = 10

    /// The key by which the account knows a device; nil if it does not.
    func key(of device: DeviceID?) -> DeviceKey? {
        guard let device, !knownDevices.isEmpty else { return nil }
        return device.keys.first { knownDevices.contains($0) }
    }

    /// Makes a device known.
    mutating func remember(_ device: DeviceKey) {
        knownDevices = knownDevices.suffix(Self.deviceLimit - 1) + [device]
    }

    /// Forgets every device except this one.
    mutating func forgetDevices(except device: DeviceID?) {
        knownDevices = key(of: device).map { [$0] } ?? []
    }
}
