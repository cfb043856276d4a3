/// Devices become known to accounts, which limits tell apart from those of strangers.
extension Transaction {
    /// Whether the device becomes known if a sign-in to the account is completed on it.
    func isNewDevice(to account: Account) -> Bool {
        context.policy.limits != nil && context.request.context.device != nil
            && account.key(of: context.request.context.device) == nil
    }

    /// Makes the device known to the account, with a new secret, unless the account knows it.
    ///
    /// An attacker may know the secret from before: they may have put it into the person's browser.
    ///
    /// Where a factor is still required, it becomes known for passwords and mails only.
    mutating func learnDevice(of account: inout Account, requiresFactor: Bool = false) {
        guard isNewDevice(to: account) else { return }
        // An earlier step of the same decision may have made it known.
        if let newDevice, account.knownDevices.contains(newDevice.key) { return }
        let device = context.request.context.device?.renewed(bits: context.fresh.device.bits, at: context.now)
        guard let device else { return }
        account.remember(requiresFactor ? device.key.ofRecovery : device.key)
        newDevice = device
    }

    /// The device, by the secret that the answer hands out.
    var device: DeviceKey? { newDevice?.key ?? context.device }
}
