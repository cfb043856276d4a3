/// The methods from before a merge, and how old they were then.
struct MethodsBefore: Sendable {
    let record: Store.UndoRecord
    let mergedAt: Timestamp
    let target: Account

    /// Whether the method was on one of the sides before the merge.
    func contains(_ method: SignInMethod, on account: Account) -> Bool {
        if account.id != target.id { return method.addedAt <= mergedAt }
        return original(of: method) != nil || wasOnTarget(method)
    }

    /// The method's age on its side, as it was before the merge.
    func age(of method: SignInMethod?, on account: Account) -> MethodAge {
        guard let method, account.id == target.id else { return (method?.seniorSince, account.oldestDate) }
        if let original = original(of: method) {
            let oldest = [record.sourceOldest, record.source.oldestDate].compactMap(\.self).min()
            return (original.seniorSince, oldest)
        }
        let ages = target.methods.filter(wasOnTarget).map(\.seniorSince)
        let factors = target.factors.filter { !record.movedFactors.contains($0.id) && $0.enrolledAt <= mergedAt }
        let oldest = (ages + factors.map(\.enrolledAt) + [record.targetOldest].compactMap(\.self)).min()
        return (method.seniorSince, oldest)
    }

    private func original(of method: SignInMethod) -> SignInMethod? {
        record.moved.firstIndex(of: method.generation).flatMap { index in
            record.source.methods.indices.contains(index) ? record.source.methods[index] : nil
        }
    }

    private func wasOnTarget(_ method: SignInMethod) -> Bool {
        method.addedAt <= mergedAt && record.moved.allSatisfy { method.generation < $0 }
    }
}

/// Both accounts after a merge is undone.
struct MergeParting: Sendable {
    private(set) var source: Account
    private(set) var target: Account
    /// The methods that went back: their generations on the target, mapped to those on the source.
    private(set) var returned: [UInt32: UInt32] = [:]

    /// Separates the accounts again; the present source is nil if the merge removed it.
    init(
        _ record: Store.UndoRecord,
        source present: Account?,
        target: Account,
        seeds: ResealedSeeds,
        _ context: DecisionContext
    ) {
        self.target = target
        source = present ?? record.source
        let returnsAddress = present == nil && record.returnsAddress(from: target, under: context.policy)
        if present == nil {
            source.methods = []
            source.factors = []
            source.customClaims = [:]
            source.reservations = []
            source.version += 1
            source.sessionGeneration += 1
            source.reservesEmail = returnsAddress && record.source.reservesEmail && target.reservesEmail
            if !returnsAddress { source.email = nil }
        }
        for (generation, original) in zip(record.moved, record.source.methods) {
            giveBack(generation, original, returnsAddress, isNew: present != nil, at: context.now)
        }
        for (id, original) in zip(record.movedFactors, record.source.factors) { giveBack(id, original, seeds) }
        if returnsAddress, let email = source.email {
            self.target.dropEmail(at: context.now)
            // The target may have left the address and verified it again since; if the source only displayed it, what
            // the target has reserved is the right of its own owner.
            if source.reservesEmail {
                self.target.reservations.removeAll { context.keyRule.isSameMailbox($0.email, email) }
            }
        }
        if self.target.factors.isEmpty { self.target.recoveryCodes = [] }
        self.target.blockAutoLinking(target.methods.filter { returned[$0.generation] != nil }, context)
        if present == nil { shareEvidence(with: target) }
        if let number = source.phoneNumber, self.target.phoneNumber != number {
            self.target.withdrawEvidence(of: .phone(number), at: context.now)
        }
    }

    /// Returns a method to the source if it is unchanged since it moved.
    private mutating func giveBack(
        _ generation: UInt32,
        _ original: SignInMethod,
        _ returnsAddress: Bool,
        isNew: Bool,
        at now: Timestamp
    ) {
        guard let method = target.methods.first(where: { $0.generation == generation }),
            method.isActive == original.isActive, method.setAt == method.addedAt
        else { return }
        if method.kind.isOfAddress, !returnsAddress { return }
        if isNew {
            if source.lists(method.kind.provider) { return }
            returned[generation] = source.take(method, at: now)
            source.methods[source.methods.count - 1].seniorSince = original.seniorSince
        } else {
            var back = original
            back.kind = method.kind
            if let old = original.identity?.key, let new = method.identity?.key {
                source.attributeEvidence(of: old, to: new)
            }
            source.methods.append(back)
            returned[generation] = original.generation
        }
        target.methods.removeAll { $0.generation == generation }
    }

    private mutating func giveBack(_ id: SecondFactor.ID, _ original: SecondFactor, _ seeds: ResealedSeeds) {
        guard let factor = target.factors.first(where: { $0.id == id }),
            (factor.suspension == nil) == (original.suspension == nil)
        else { return }
        var back = original
        // A step that was used on either account stays used. A seed that cannot be read goes back as it was.
        if case .totp(let seed, _) = original.kind, case .totp(_, let step) = factor.kind {
            back.kind = .totp(sealedSeed: seeds[id] ?? seed, lastUsedStep: step)
        }
        source.factors.append(back)
        target.factors.removeAll { $0.id == id }
    }

    /// Evidence that the target no longer trusts is not trusted for the source either.
    private mutating func shareEvidence(with target: Account) {
        let account = source
        source.evidence.removeAll { piece in
            !account.isVerified(by: piece)
                || !target.evidence.contains { $0.subject == piece.subject && $0.source == piece.source && $0.isFresh }
        }
    }
}

extension Store.UndoRecord {
    /// Whether the address that moved is still the target's, and nothing newer depends on it.
    fileprivate func returnsAddress(from target: Account, under policy: AuthPolicy) -> Bool {
        guard let email = source.email, target.email == email else { return false }
        if target.hasProof(of: email, under: policy), !source.hasProof(of: email, under: policy) { return false }
        return target.methods.allSatisfy { !$0.kind.isOfAddress || moved.contains($0.generation) }
    }
}
