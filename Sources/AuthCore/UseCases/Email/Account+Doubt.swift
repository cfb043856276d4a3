extension AuthPolicy {
    /// Whether the identity is at the provider that runs this mailbox, by evidence that is still valid.
    fileprivate func isAuthoritative(_ identity: Identity, for email: EmailAddress) -> Bool {
        identity.assurance == .authoritative && isSameMailbox(identity.email, email)
            && believes(.provider(identity.key, identity.assurance), about: .email(email))
    }
}

extension Account {
    /// Suspends what the owner of the mailbox may not know: whatever control of the mailbox does not cover, and
    /// identities that are neither settled nor authoritative for it.
    mutating func suspendDoubtful(for email: EmailAddress, sparing kinds: Set<MethodKind>, _ context: DecisionContext) {
        for index in methods.indices where methods[index].isActive && !kinds.contains(methods[index].kind.methodKind) {
            let method = methods[index]
            if let identity = method.identity, context.policy.isAuthoritative(identity, for: email) { continue }
            let isSettled = context.now - method.addedAt >= context.policy.settledAfter
            if method.isCovered(by: .email(email)) && (isSettled || method.kind.isOfAddress) { continue }
            methods[index].suspension = SignInMethod.Suspension(since: context.now, reason: .recoverySuspends)
        }
    }
}
