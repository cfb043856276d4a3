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

    var spends: [CapabilityKey] { first.spends }

    var query: SnapshotQuery {
        var query = first.query
        query.capabilities.append(contentsOf: pending.capabilities)
        switch pending.proof {
        case .federated(let proof):
            query.otherIdentity = proof.identity.key
            query.otherEmail = proof.identity.email
        case .mailbox(let proof): query.otherEmail = proof.email
        case .phone(let proof): query.phone = proof.number
        case .password, .customToken, .anonymous: break
        }
        return query
    }

    func query(after snapshot: Snapshot) -> SnapshotQuery? {
        let further = first.query(after: snapshot)
        // Of the address to be linked the store is asked one name at a time.
        let otherTwin = snapshot.otherEmailOwner == nil ? query.otherEmail?.twin : nil
        if further == nil && otherTwin == nil { return nil }
        var query = fullQuery
        if let further {
            query.twinEmail = further.twinEmail
            query.mentions = further.mentions
        }
        if let otherTwin { query.otherEmail = otherTwin }
        return query
    }

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
        let acting = ActingSession(signedIn.stored, signedIn.session)
        let handle = ActingHandle(session: signedIn.session.id, account: signedIn.account.id)
        let draft = Draft(continuing: signIn, by: ruling)
        var method = try NewMethod(pending.proof).promised()
        // The number may be the account's own, proved too long ago; then showing it again renews the proof.
        if case .phone(let proof, _) = method { method = .phone(proof, renews: true) }
        let linked = try LinkMethod(handle: handle, method: method)
            .decide(for: acting, on: snapshot.forLinking(of: query.otherEmail), continuing: draft)
        // Half of a resolution is none: if the link is refused, nobody is signed in either.
        if case .refused(let refusal) = linked.verdict { return refuse(refusal, by: ruling) }
        return linked
    }
}

extension Snapshot {
    /// The snapshot as the link sees it: the second identity and address are its first.
    fileprivate func forLinking(of email: EmailAddress?) -> Snapshot {
        var seen = self
        let isUnderThatName =
            if let email, let otherEmailOwner {
                otherEmailOwner.account.ownedKeys.contains(.primaryEmail(email))
            } else {
                false
            }
        seen.identityOwner = otherIdentityOwner
        seen.emailOwner = isUnderThatName ? otherEmailOwner : nil
        seen.twinOwner = isUnderThatName ? nil : otherEmailOwner
        return seen
    }
}
