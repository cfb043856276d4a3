/// Making a plan: a pure function of both accounts, the choices and the policy.
extension Merge.Plan {
    /// The plan of a merge, or of a move of one identity.
    init(
        _ source: Account,
        into target: Account,
        identity: Identity.Key? = nil,
        choices: Set<ProviderID>,
        under policy: AuthPolicy
    ) {
        self.init(source: source.id, target: target.id, identity: identity, choices: choices)
        sourceName = source.plainName
        targetName = target.plainName
        let takesAddress = identity == nil && source.lendsAddress(to: target, under: policy)
        if takesAddress { movedAddress = source.email?.text }
        for method in source.methods where identity == nil || method.identity?.key == identity {
            place(method, of: source, on: target, takesAddress, choices, policy)
        }
        if identity == nil {
            if !takesAddress, source.reservesEmail, source.email != target.email {
                releasedAddress = source.email?.text
            }
            placeFactors(of: source, on: target, under: policy)
            lostRecoveryCodes = source.recoveryCodes.count
            if target.displayName == nil, source.displayName != nil { profile.append(.displayName) }
            if target.photoURL == nil, source.photoURL != nil { profile.append(.photoURL) }
            stayingClaims = source.customClaims.keys.sorted()
        }
        let result = MergeHandover(of: source, to: target, by: self, verified: [], at: source.createdAt)
        opens = result.target.usableMethods(under: policy).map { Method($0, of: result.target) }
    }

    private mutating func place(
        _ method: SignInMethod,
        of source: Account,
        on target: Account,
        _ takesAddress: Bool,
        _ choices: Set<ProviderID>,
        _ policy: AuthPolicy
    ) {
        let entry = Method(method, of: source)
        let rivals = target.methods.filter { $0.kind.isSameKind(as: method.kind) }
        if let collision = collision(of: method, on: target, takesAddress, policy) {
            stays.append(Staying(thing: entry, why: collision))
        } else if moves.contains(where: { $0.provider == entry.provider && $0.kind == entry.kind }) {
            stays.append(Staying(thing: entry, why: .targetHasProvider))
        } else if rivals.isEmpty {
            moves.append(entry)
        } else if choices.contains(entry.provider) || !entry.isSuspended && rivals.allSatisfy({ !$0.isActive }) {
            replaced.append(contentsOf: rivals.map { Method($0, of: target) })
            moves.append(entry)
        } else {
            stays.append(Staying(thing: entry, why: entry.kind == .phone ? .targetHasNumber : .targetHasProvider))
        }
    }

    /// A collision that no choice can resolve.
    private func collision(
        of method: SignInMethod,
        on target: Account,
        _ takesAddress: Bool,
        _ policy: AuthPolicy
    ) -> Collision? {
        switch method.kind {
        case .federated: nil
        case .password, .emailLink: takesAddress ? nil : .targetHasAddress
        case .phone(let number):
            policy.phoneWithFactors == .asksForFactor && target.factors.contains { $0.phoneNumber == number }
                ? .numberIsFactor : nil
        }
    }

    private mutating func placeFactors(of source: Account, on target: Account, under policy: AuthPolicy) {
        let movedNumber = moves.contains { $0.kind == .phone } ? source.activePhoneNumber : target.activePhoneNumber
        // Those that protect the account come first.
        for factor in source.activeFactors + source.factors.filter({ $0.suspension != nil }) {
            let plain = Factor(factor)
            // What is suspended protects nothing, and gives way.
            let rivals = factor.suspension == nil ? target.activeFactors : target.factors
            if factor.phoneNumber != nil, rivals.contains(where: { $0.phoneNumber == factor.phoneNumber }) {
                stayingFactors.append(Staying(thing: plain, why: .targetHasFactor))
            } else if policy.phoneWithFactors == .asksForFactor, let number = factor.phoneNumber, number == movedNumber
            {
                stayingFactors.append(Staying(thing: plain, why: .numberSignsIn))
            } else if let limit = policy.factorLimit, rivals.count + factors.count >= limit {
                stayingFactors.append(Staying(thing: plain, why: .factorLimit))
            } else {
                factors.append(plain)
            }
        }
    }
}

extension Account {
    /// A name by which a person recognizes the account.
    fileprivate var plainName: String {
        if let email { return email.text }
        if let phoneNumber { return phoneNumber.text }
        if !lacksMethods, let method = methods.first { return Merge.Plan.Method(method, of: self).name }
        return displayName ?? (isAnonymous ? "anonymous" : "no sign-in method")
    }

    /// Whether the address moves as well: the target has none, or only displays the same one.
    ///
    /// One that is only displayed does not, where evidence of the target from earlier would verify it, or where a
    /// suspended password or mailed link of the target would sign in under it.
    fileprivate func lendsAddress(to target: Account, under policy: AuthPolicy) -> Bool {
        guard let email else { return false }
        if !reservesEmail {
            if target.hasProof(of: email, under: policy) || target.methods.contains(where: \.kind.isOfAddress) {
                return false
            }
        }
        return target.email == nil || target.email == email && reservesEmail && !target.reservesEmail
    }
}
