/// Deletes the account of the acting session with everything that belongs to it.
struct DeleteAccount: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .delete }

    let handle: ActingHandle

    /// Whether the deletion is permanent, even if the policy would let it be canceled for a while.
    var isFinal = false

    func moreLookups(_ request: Request) -> Lookups {
        [.records(of: .account(handle.account), .lostFactors), .records(of: .account(handle.account), .changeReport)]
    }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        let isForGood = isFinal || (context.policy.deletionGrace ?? .zero) <= .zero
        // A password that was just set by a code from the mailbox is not old enough to prevent a cancellation.
        let since = isForGood ? acting.methodSetAt : acting.seniorSince
        let oldest = acting.account.oldestDateEver
        try acting.requireSeniority(since: since, over: acting.allAges(context) + (isForGood ? [oldest] : []), context)
        // If the account were gone, its owner could neither report the method that signed in nor restore an address.
        if isForGood, let method = acting.method, method.seniorSince > oldest,
            acting.seen.canReport(method, of: acting.account, context) || acting.account.hasReservation(at: context.now)
        {
            throw .loginNotSenior
        }
        transaction.reasons.append(.personDeletesAccount)
        let actor = IdentityEvent.Actor.session(acting.session.id)
        // Where nothing signs in to it, no sign-in could cancel the deletion.
        guard let grace = context.policy.deletionGrace, !isFinal, acting.account.canBeSignedInTo else {
            transaction.delete(acting.account, by: actor)
            return
        }
        var account = acting.account
        // A former address can be restored for as long as it is reserved, and the account with it.
        account.deletedUntil = ([context.now + grace] + account.reservations.map(\.until)).max()
        transaction.endOtherSessions(of: &account, except: nil)
        transaction.revokeAll(of: account.id, [.verifyEmail, .changeEmail, .factorChallenge, .totpSeed])
        transaction.endFactorRecovery(of: account.id, in: acting.seen, by: actor)
        transaction.event(.deletionRequested, account.id, by: actor)
        transaction.update(acting.account, to: &account, by: actor)
    }
}
