extension Identity {
    /// The identity, with the address of an earlier token if the provider ran its mailbox and this one names none.
    func keepingMailbox(of old: Identity) -> Identity {
        guard email == nil, old.assurance == .authoritative else { return self }
        return Identity(
            key: key,
            provider: provider,
            email: old.email,
            assurance: old.assurance,
            displayName: displayName,
            photoURL: photoURL,
            username: username
        )
    }
}
