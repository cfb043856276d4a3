/// What can sign in now, which is less than what is listed.
extension Account {
    /// The methods that could open the account today: active, switched on, and with no rule in the way.
    func usableMethods(under policy: AuthPolicy) -> [Method] {
        methods.filter { isUsable($0, under: policy) }
    }

    /// Whether anything could open the account today.
    func hasUsableMethod(under policy: AuthPolicy) -> Bool {
        methods.contains { isUsable($0, under: policy) }
    }

    private func isUsable(_ method: Method, under policy: AuthPolicy) -> Bool {
        guard method.isActive, !policy.disabledProviders.contains(method.kind.provider) else { return false }
        return switch method.kind {
        case .password: email != nil && (reservesEmail || isProvisional)
        case .emailLink:
            email != nil && reservesEmail && !policy.disabledProviders.contains(.emailLink) && receivesMail
        case .phone: activeFactors.isEmpty || policy.phoneWithFactors == .asksForFactor
        case .federated(let identity): policy.verifiedProviders?.contains(identity.provider) ?? true
        }
    }

    /// Whether mail to the address arrives: Apple's relay forwards only while the Apple identity is linked.
    private var receivesMail: Bool {
        guard let email, email.domain == "privaterelay.appleid.com" else { return true }
        return method(of: .apple) != nil
    }

    /// The account with the methods of a provider gone.
    func without(_ provider: ProviderID) -> Account {
        var kept: [Method] = []
        kept.reserveCapacity(methods.count)
        for method in methods where method.kind.provider != provider { kept.append(method) }
        var account = self
        account.methods = kept
        return account
    }

    /// Notes that the issuers of these removed identities never join by themselves again.
    mutating func sever(_ removed: some Sequence<Method>) {
        for method in removed {
            guard let issuer = method.identity?.key.issuer, !severedIssuers.contains(issuer) else { continue }
            severedIssuers.append(issuer)
        }
    }
}
