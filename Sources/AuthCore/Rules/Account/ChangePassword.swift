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
    func query(after snapshot: Snapshot) -> SnapshotQuery? {
        guard let account = snapshot.sessionAccount?.account, let email = account.email, !account.reservesEmail,
            !account.isProvisional
        else {
            return nil
        }
        var query = query
        query.look(for: email)
        return query
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
        if let other = snapshot.addressOwner(under: ruling.policy)?.account, other.id != acting.account.id {
            return refuse(Refusal(.emailAlreadyInUse, .addressIsOwned), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.personChangesPassword)
        var account = acting.account
        if let email = account.email, !account.reservesEmail, !account.isProvisional {
            draft.expectNobody(hasTwinOf: email, in: snapshot)
            account.reservesEmail = true
        }
        let method = account.setPassword(hash, at: ruling.now, seniorSince: acting.seniorSince)
        account.cover([method.generation], by: acting.session.proved, at: ruling.now)
        draft.raiseEpoch(of: &account, for: .passwordChange, except: acting.session.id)
        return draft.granted(
            draft.rest(acting, on: SessionBasis(method), with: &account, lastSignIn: snapshot.lastSignIn)
        )
    }
}
