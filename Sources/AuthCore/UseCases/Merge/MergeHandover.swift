/// The seeds of authenticator apps, sealed again for the account to which they move.
typealias ResealedSeeds = [SecondFactor.ID: [UInt8]]

/// Both accounts after a plan is carried out, and what undoing it requires.
struct MergeHandover: Sendable {
    let plan: Merge.Plan
    /// The source account before the merge.
    let source: Account
    /// The target account, after the merge.
    private(set) var target: Account
    /// The source account, reduced to what moved: undoing can never return more than this.
    private(set) var given: Account
    /// The generations on the target of the methods that moved, in the order of the source's methods.
    private(set) var moved: [UInt32] = []
    /// The factors that moved, in the order of the plan.
    private(set) var movedFactors: [SecondFactor.ID] = []
    /// Whether a seed that moves was not sealed again.
    private(set) var isSeedMissing = false

    init(
        of source: Account,
        to receiver: Account,
        by plan: Merge.Plan,
        seeds: ResealedSeeds = [:],
        verified: [Evidence.Subject],
        at now: Timestamp
    ) {
        self.plan = plan
        self.source = source
        target = receiver
        given = source
        given.methods = []
        given.factors = []
        given.recoveryCodes = []
        given.mergeLock = nil
        given.deletedUntil = nil
        if plan.movedAddress != nil {
            target.email = source.email
            target.reservesEmail = source.reservesEmail
        } else {
            given.email = nil
            given.reservesEmail = false
        }
        let movedAddress = plan.movedAddress == nil ? nil : source.email.map { Evidence.Subject.email($0.mailbox) }
        let giving = plan.replaced.map(\.generation)
        target.methods.removeAll { giving.contains($0.generation) }
        for entry in plan.moves {
            guard let method = source.methods.first(where: { $0.generation == entry.generation }) else { continue }
            // What depends on the address keeps its coverage by that mailbox.
            let kept = method.coverage.filter {
                method.kind.isOfAddress && $0.subject.mailbox == movedAddress && !verified.contains($0.subject)
            }
            let covered = verified.map { Evidence.Verification($0, at: now) } + kept
            moved.append(target.take(method, covered: covered, at: now))
            given.methods.append(method)
        }
        if !plan.factors.isEmpty, receiver.activeFactors.isEmpty { target.recoveryCodes = [] }
        for factor in plan.factors {
            guard let factor = source.factors.first(where: { $0.id == factor.id }) else { continue }
            move(factor, seeds, at: now)
        }
        moveEvidence(of: source, by: plan, at: now)
        // The number of the target, if it was presented in this attempt, counts as verified again.
        for case .phone(let number) in verified where target.phoneNumber == number {
            target.note(.phone(number), .phoneCode, at: now)
        }
        if plan.identity == nil { moveProfile(of: source, by: plan) }
    }

    private mutating func move(_ factor: SecondFactor, _ seeds: ResealedSeeds, at now: Timestamp) {
        var kind = factor.kind
        if case .totp(let seed, let step) = factor.kind {
            if seeds[factor.id] == nil { isSeedMissing = true }
            kind = .totp(sealedSeed: seeds[factor.id] ?? seed, lastUsedStep: step)
        }
        if let number = factor.phoneNumber { target.factors.removeAll { $0.phoneNumber == number } }
        let added = target.addFactor(kind, named: factor.displayName, id: factor.id.bits, at: now)
        target.factors[target.factors.count - 1].suspension = factor.suspension
        movedFactors.append(added.id)
        given.factors.append(factor)
    }

    /// Evidence for something that moved stays valid; the rest is kept as history.
    private mutating func moveEvidence(of source: Account, by plan: Merge.Plan, at now: Timestamp) {
        for var piece in source.evidence {
            // It must not verify an address that the target only displays, since another account may own that.
            let isDisplayed = !target.reservesEmail && target.email.map { .email($0.mailbox) } == piece.subject.mailbox
            let proves = given.isVerified(by: piece) && !isDisplayed
            if plan.identity != nil, !proves { continue }
            if !proves { piece.staleSince = piece.staleSince ?? now }
            target.take(piece)
        }
        let giver = given
        given.evidence.removeAll { !giver.isVerified(by: $0) }
        target.wasEverVerified = target.wasEverVerified || source.wasEverVerified && !given.methods.isEmpty
    }

    private mutating func moveProfile(of source: Account, by plan: Merge.Plan) {
        if plan.profile.contains(.displayName) { target.displayName = source.displayName }
        if plan.profile.contains(.photoURL) { target.photoURL = source.photoURL }
        let linked = target.identities.map(\.key.issuer)
        for issuer in source.blockedIssuers where !target.blockedIssuers.contains(issuer) && !linked.contains(issuer) {
            target.blockedIssuers.append(issuer)
        }
    }
}

extension Account {
    /// Adds a method of the other account, suspended if it is there, and returns its generation.
    mutating func take(_ method: SignInMethod, covered: [Evidence.Verification] = [], at now: Timestamp) -> UInt32 {
        let generation = add(method.kind, at: now, coverage: covered).generation
        methods[methods.count - 1].suspension = method.suspension
        if let issuer = method.identity?.key.issuer { blockedIssuers.removeAll { $0 == issuer } }
        return generation
    }

    /// Adds the other account's evidence; if both have the same kind of evidence, the more recent counts.
    fileprivate mutating func take(_ piece: Evidence) {
        if let index = evidencePlace(of: piece.subject, piece.source) {
            if piece.isFresh, !evidence[index].isFresh {
                evidence[index] = piece
                return
            }
            evidence[index].add(piece.count)
            evidence[index].lastAt = max(evidence[index].lastAt, piece.lastAt)
            return
        }
        evidence.append(piece)
        if evidence.count > Account.evidenceLimit,
            let oldest = evidence.indices.min(by: { rank(of: evidence[$0]) < rank(of: evidence[$1]) })
        {
            evidence.remove(at: oldest)
        }
    }
}
