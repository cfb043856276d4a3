/// Signs in with an existing method and links what met the conflict, in one step.
struct SignInAndLink<First: Operation>: Operation where First.Outcome == SignedIn {
    typealias Outcome = SignedIn

    /// The sign-in with the existing method.
    let first: First
    /// What the conflict kept.
    let pending: PendingLink

    init(first: First, pending: PendingLink) {
        self.first = first
        self.pending = pending
    }

    var requires: [CapabilityKey] { first.requires }

    func lookups(_ request: Request) -> Lookups {
        first.lookups(request).union(NewMethod(pending.proof)?.lookups(request) ?? Lookups())
    }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { first.further(seen, request) }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        var signIn = try first.decide(on: snapshot, by: ruling)
        guard case .granted(let signedIn) = signIn.verdict else {
            // A factor that is asked for now brings the pending link along.
            signIn.changes.alterChallenges { challenge in
                FactorChallenge(
                    purpose: challenge.purpose,
                    proof: challenge.proof,
                    completes: pending.key,
                    generation: challenge.generation
                )
            }
            return signIn
        }
        if let target = pending.target, target != signedIn.account.id {
            return refuse(Refusal(.userMismatch, .conflictIsWithAnother), by: ruling)
        }
        let acting = ActingSession(signedIn.account, signedIn.session)
        let handle = ActingHandle(session: signedIn.session.id, account: signedIn.account.id)
        let draft = Draft(continuing: signIn, by: ruling)
        var method = try NewMethod(pending.proof).promised()
        // The number may be the account's own, proved too long ago; then showing it again renews the proof.
        if case .phone(let proof, _) = method { method = .phone(proof, renews: true) }
        let linked = try LinkMethod(handle: handle, method: method)
            .decide(for: acting, on: snapshot, continuing: draft)
        // Half of a resolution is none: if the link is refused, nobody is signed in either.
        if case .refused(let refusal) = linked.verdict { return refuse(refusal, by: ruling) }
        return linked
    }
}
