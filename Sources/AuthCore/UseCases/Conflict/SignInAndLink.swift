/// Signs in with an existing method and links what met the conflict, in one step.
struct SignInAndLink: Operation {
    /// The sign-in with the existing method.
    let first: SignIn
    /// What the conflict stored.
    let pending: PendingLink

    var verifiedAt: Timestamp? { first.verifiedAt }

    var requires: [OneTimeRecordID] { first.requires }

    func lookups(_ request: Request) -> Lookups { first.lookups(request).union(method.lookups(request)) }

    /// The number or the address may be the account's own, with a proof that is too old or that covers no method;
    /// presenting it again then renews the proof.
    private var method: NewMethod { .verified(pending.proof, renews: true) }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { first.further(seen, request) }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let signedIn: SignedIn
        do throws(Refusal) {
            signedIn = try first.decide(seen, &transaction)
        } catch {
            // A challenge for a factor keeps the pending link.
            throw error.resuming { $0.completes = pending.key }
        }
        let target = pending.target ?? pending.proof.account(in: seen, under: transaction.context.policy)?.id
        if let target, target != signedIn.account.id { throw .conflictWithAnother }
        let handle = ActingHandle(session: signedIn.session.id, account: signedIn.account.id)
        let acting = ActingSession(reference: signedIn.reference, session: signedIn.session, seen: seen)
        do throws(Refusal) {
            try acting.requireRecency(for: .link, transaction.context)
            let linked = try LinkMethod(handle: handle, method: method).decide(acting, &transaction)
            try transaction.checkMergeLocks()
            return linked
        } catch {
            // The resolution succeeds as a whole or not at all: if the link is refused, the sign-in is refused too, and
            // with nothing written there is no conflict or challenge to answer.
            throw Refusal(error.code, error.reason, retryAt: error.retryAt)
        }
    }
}
