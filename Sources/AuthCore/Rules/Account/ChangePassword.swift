/// Sets the password of the account of the acting session.
struct ChangePassword: ActingOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .changePassword }

    let handle: ActingHandle
    /// The hash of the password, or what the password rule has against it.
    let password: Result<PasswordHash, PasswordRefusal>

    init(handle: ActingHandle, password: Result<PasswordHash, PasswordRefusal>) {
        self.handle = handle
        self.password = password
    }

    /// A password hangs on the address, so one that is only shown has to become the account's own.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let address = seen[handle.account]?.addressToOwn else { return nil }
        var lookups = Lookups()
        lookups.insert(ownerOf: address)
        return lookups
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        by ruling: Ruling
    ) -> Decision<SignedIn> {
        guard case .success(let hash) = password else {
            return refuse(Refusal(.weakPassword, password.finding.reason), by: ruling)
        }
        if let refusal = ruling.policy.refusal(of: .password) { return refuse(refusal, by: ruling) }
        if let old = acting.account.passwordMethod,
            let refusal = acting.seniorityRefusal(for: [old.seniorSince], by: ruling)
        {
            return refuse(refusal, by: ruling)
        }
        let address = acting.account.addressToOwn
        if let other = snapshot.owner(ofAddress: address, under: ruling.policy), other.id != acting.account.id {
            return refuse(Refusal(.emailAlreadyInUse, .addressIsOwned), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.personChangesPassword)
        var account = acting.account
        if let address {
            draft.expectNobody(hasTwinOf: address, in: snapshot)
            account.reservesEmail = true
        }
        let method = account.setPassword(hash, at: ruling.now, seniorSince: acting.seniorSince)
        account.cover([method.generation], by: acting.session.proved, at: ruling.now)
        draft.raiseEpoch(of: &account, for: .passwordChange, except: acting.session.id)
        return draft.granted(
            draft.rest(
                acting,
                on: SessionBasis(method),
                with: &account,
                lastSignIn: snapshot.lastSignIn(of: account.id)
            )
        )
    }
}

extension Account {
    /// The address that becomes the account's own with a password; nil where it is already, or waits to be proved.
    fileprivate var addressToOwn: EmailAddress? { reservesEmail || isProvisional ? nil : email }
}
