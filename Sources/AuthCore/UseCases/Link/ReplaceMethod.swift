/// Replaces a sign-in method by a new one in one step, so that the account never has neither of them, or both.
struct ReplaceMethod: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { old == .phone && isPhone ? .changePhoneNumber : .unlink }

    let handle: ActingHandle
    let old: ProviderID
    let new: NewMethod
    /// Whether the new method is simply added if the old one is missing.
    var addsIfMissing = false
    var factor: FactorProof?

    private var isPhone: Bool { proof?.provider == .phone }

    /// The proof of the new method, if it was verified rather than set.
    private var proof: Proof? { if case .verified(let proof, _) = new { proof } else { nil } }

    private var link: LinkMethod { LinkMethod(handle: handle, method: new, factor: factor) }

    var verifiedAt: Timestamp? { new.verifiedAt }

    var requires: [OneTimeRecordID] { link.requires }

    func moreLookups(_ request: Request) -> Lookups { link.moreLookups(request) }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        try acting.requireRecency(for: .link, transaction.context)
        do throws(Refusal) {
            let signedIn =
                if try replaces(in: acting.account, transaction.context) {
                    try replace(acting, &transaction)
                } else {
                    try link.decide(acting, &transaction)
                }
            try transaction.checkMergeLocks()
            return signedIn
        } catch {
            // A replacement is done as a whole or not at all: the answer to a challenge replaces as well.
            throw error.resuming(on: acting.account) {
                $0.purpose = .replacement(acting.session.id, of: old, addsIfMissing: addsIfMissing)
            }
        }
    }

    /// Whether the new method takes the old one's place, rather than being added; throws if it may do neither.
    private func replaces(in account: Account, _ context: DecisionContext) throws(Refusal) -> Bool {
        let isTheSame = isLinked(in: account, context)
        if isTheSame, !addsIfMissing { throw .providerLinked }
        // Presenting a suspended method confirms it.
        if isTheSame || isSuspended(in: account, context) { return false }
        if account.lists(old) { return true }
        if !addsIfMissing { throw .providerNotLinked }
        return false
    }

    private func replace(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        if case .password = new, old == .password { try acting.requireRecency(for: .changePassword, context) }
        if case .password(let email, _) = new, email != acting.account.email,
            acting.account.keepsEmail(under: context.policy)
        {
            throw .addressStays
        }
        let gone = acting.account.methods.filter { $0.kind.provider == old } + new.replaced(in: acting.account, context)
        transaction.reasons.append(.personRemovesMethod)
        var reduced = acting.account
        if old == .password, context.keyRule.isSameMailbox(newAddress ?? statedAddress, acting.account.email) {
            // The address stays, and what verified it, as it does if the new method is linked before the old one is
            // unlinked.
            reduced.remove(old)
        } else {
            reduced.unlink(old, context)
        }
        let moves = newAddress.map { !context.keyRule.isSameMailbox($0, acting.account.email) } ?? false
        let addressAges = moves || reduced.email != acting.account.email ? acting.addressAges(context) : []
        try acting.requireSeniority(over: gone.map(\.seniorSince) + addressAges, context)
        if newAddress != acting.account.email {
            let replacement = newAddress ?? (reduced.email == nil ? statedAddress : nil)
            transaction.offerFormerAddress(of: acting.account, in: &reduced, replacedBy: replacement)
        }
        transaction.raiseSessionGeneration(of: &reduced, for: [.unlink], except: acting.session.id)
        transaction.update(acting.account, to: &reduced, by: .session(acting.session.id))
        let between = ActingSession(
            reference: AccountReference(reduced),
            session: acting.session,
            seen: acting.seen,
            presentedSince: acting.seniorSince
        )
        var link = link
        // The factor was presented for the account as it was before.
        link.factor?.sessionGeneration = reduced.sessionGeneration
        let linked = try link.decide(between, &transaction)
        if linked.account.lacksLastMethod(context) { throw .lastMethod }
        try acting.requireAddress(in: linked.account, context)
        return linked
    }

    /// The address under which the new method signs in, if it depends on one.
    private var newAddress: EmailAddress? {
        if case .password(let email, _) = new { return email }
        return proof?.mailbox?.email
    }

    /// The address that the new method states, if it is an identity at a provider.
    private var statedAddress: EmailAddress? { proof?.federated?.identity.email }

    private func isSuspended(in account: Account, _ context: DecisionContext) -> Bool {
        guard case .identity? = proof?.claim, proof?.provider == old, let match = proof?.match(account, context) else {
            return false
        }
        return !match.isActive
    }

    /// Whether the new method is already the account's.
    private func isLinked(in account: Account, _ context: DecisionContext) -> Bool {
        // Another proof of the same mailbox is not another method; the link checks whether mailed links are linked.
        guard newAddress == nil, let match = proof?.match(account, context) else { return false }
        return match.isActive || isPhone
    }
}
