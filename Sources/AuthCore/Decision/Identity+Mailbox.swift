extension Identity {
    /// The identity, with the address of an earlier token if the provider ran its mailbox and this one names none.
    func keepingMailbox(of old: Identity) -> Identity {
        guard email == nil, old.assurance == .authoritative else { return self }
        var identity = self
        identity.email = old.email
        identity.assurance = old.assurance
        return identity
    }
}
