/// The methods that can sign in now, which can be fewer than those listed.
extension Account {
    /// The methods that can sign in now: active, not disabled, and not excluded by another rule.
    func usableMethods(under policy: AuthPolicy) -> [SignInMethod] { methods.filter { isUsable($0, under: policy) } }

    /// Whether the app's own server can sign in now.
    func isUsableByServer(under policy: AuthPolicy) -> Bool { acceptsCustomTokens && policy.isEnabled(.custom) }

    /// Whether any method, or the app's own server, can sign in now.
    func hasUsableMethod(under policy: AuthPolicy) -> Bool {
        isUsableByServer(under: policy) || !usableMethods(under: policy).isEmpty
    }

    /// Whether the owner can sign in, if necessary by a new password or a link through the verified address.
    func isRecoverable(under policy: AuthPolicy) -> Bool {
        hasUsableMethod(under: policy) || canSignInByMail(under: policy)
    }

    /// Whether nothing can sign in, and the policy keeps the last method; a number with an old proof does not count.
    func lacksLastMethod(_ context: DecisionContext) -> Bool {
        let policy = context.policy
        if policy.lastMethod == .removable || isUsableByServer(under: policy) { return false }
        return !methods.contains {
            isUsable($0, under: policy)
                && ($0.kind.provider != .phone || !isPhoneVerificationOld(at: context.now, under: policy))
        }
    }

    private func isUsable(_ method: SignInMethod, under policy: AuthPolicy) -> Bool {
        guard method.isActive, !policy.disables(method) else { return false }
        return switch method.kind {
        case .password: email != nil && (reservesEmail || isProvisional)
        case .emailLink: email != nil && reservesEmail && receivesMail
        case .phone: acceptsNumber(under: policy)
        case .federated: true
        }
    }

    /// Whether a number may be the first factor: under some policies it may not beside second factors, and never beside
    /// itself, as another policy permitted.
    func acceptsNumber(under policy: AuthPolicy) -> Bool {
        if activeFactors.isEmpty { return true }
        let number = activePhoneNumber
        let isFactor = number != nil && activeFactors.contains { $0.phoneNumber == number }
        return policy.phoneWithFactors == .asksForFactor && !isFactor
    }

    /// Whether the owner can sign in by the verified address, with a new password or a mailed link.
    func canSignInByMail(under policy: AuthPolicy) -> Bool {
        guard isEmailVerified(under: policy), receivesMail else { return false }
        if policy.isEnabled(.password) { return true }
        if !policy.isEnabled(.emailLink) || emailLinkMethod?.isActive == false { return false }
        return opensByLink(under: policy)
    }

    /// Whether a link that is mailed to the account's address signs in to it as it is.
    func opensByLink(under policy: AuthPolicy) -> Bool {
        guard let email else { return false }
        if signsInByLink(at: email, under: policy) { return true }
        guard isEmailVerified(under: policy) else { return false }
        return policy.joining == .whenVerified || isCovered(by: email, under: policy, ignoringDisabled: true)
    }

    /// Whether mailed links already sign in: they were linked, or an import says that the address is the account's.
    ///
    /// Where the address is not verified, or nothing shows that the owner of the mailbox is the account's, they sign in
    /// if no other method can: a person who opened the link of a stranger's change would otherwise share the stranger's
    /// account.
    func signsInByLink(at email: EmailAddress, under policy: AuthPolicy) -> Bool {
        guard let method = emailLinkMethod else { return isStated(email) }
        if !method.isActive { return false }
        if isEmailVerified(under: policy), isOwnerKnown(at: email, under: policy) { return true }
        return methods.allSatisfy { !$0.isActive || policy.disables($0) || $0 == method }
    }

    /// Whether the owner of the mailbox is known to be the account's: an import says so, or the address was verified by
    /// a person who also has a method of the account.
    func isOwnerKnown(at email: EmailAddress, under policy: AuthPolicy) -> Bool {
        isStated(email) || methods.contains { $0.isActive && covers($0, by: email, under: policy) }
    }

    /// Whether an administrator or an import says that the address is the account's.
    private func isStated(_ email: EmailAddress) -> Bool {
        evidence.contains { $0.isFresh && $0.subject == .email(email) && $0.source.isOfOutside }
    }

    /// Whether the address can receive mail: Apple's relay forwards only while the identity of that address is linked.
    var receivesMail: Bool {
        guard let email, email.text.hasSuffix("@privaterelay.appleid.com") else { return true }
        return method(of: .apple)?.identity.map { $0.email == nil || $0.email == email } ?? false
    }

    /// The providers that the account lists for signing in, in the order of its methods; none that is suspended or
    /// disabled.
    func listedProviders(under policy: AuthPolicy) -> [ProviderID] {
        // Mailed links are listed under the provider of passwords, and may sign in where passwords are disabled.
        let open = methods.filter {
            $0.isActive && (!policy.disables($0) || $0.kind.isOfAddress && canSignInByMail(under: policy))
        }.map(\.kind.provider)
        return open.filter(lists).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension AuthPolicy {
    /// Whether methods of this kind are disabled for everyone, or no verifier is left for them.
    func disables(_ method: SignInMethod) -> Bool {
        if let identity = method.identity, verifiedProviders?.contains(identity.provider) == false { return true }
        // Mailed links are listed under the provider of passwords, and are disabled by themselves.
        return disabledProviders.contains(method.kind.name)
    }
}
