/// The person who acts in a session, with the facts that an operation may rely on.
struct ActingSession: Sendable {
    /// The account, by reference.
    let reference: AccountReference
    let session: Session
    /// What was looked up, the account and the session among it.
    let seen: Snapshot
    /// The time from which its login counts, if the method that verified it was removed in the same step.
    var presentedSince: Timestamp?

    /// Whether another method was removed in the same step: the new one takes its place, and is not the first.
    var isReplacing: Bool { presentedSince != nil }

    var account: Account { reference.account }

    /// When the account was last signed in to, before this operation.
    var lastSignIn: Timestamp? { seen.lastSignIn(of: reference.account.id) }

    /// What adding a sign-in method verifies: only an account that had no method is signed in to by it.
    ///
    /// Otherwise an attacker with a stolen session could keep its login recent by adding sign-in methods of their own.
    func adding(
        _ method: SignInMethod,
        _ context: DecisionContext,
        factor: FactorProof?,
        verified: Evidence.Subject? = nil
    ) -> Authentication {
        var authentication = Authentication(basis: Session.Basis(method), factor: factor, verified: verified)
        let isGuarded = context.policy.seniority != nil || context.policy.recency.operations.contains(.link)
        authentication.countsAsReauthentication = !isGuarded || account.lacksMethods && !isReplacing
        return authentication
    }
}

/// The session that an operation acts in, and its account.
package struct ActingHandle: Sendable, Hashable {
    package let session: SessionID
    let account: AccountID
    /// The rotation of the token that names the session; nil if no token does.
    var rotation: UInt32?

    var lookups: Lookups { Lookups(distinct: [.account(account), .session(session)]) }

    /// Returns the person who acts; throws if the session is over, the token is from before a change of privileges, or
    /// the account is disabled.
    func actor(in snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> ActingSession {
        guard let row = snapshot.row(of: account) else { throw snapshot.refusal(ofMissing: account) }
        guard let session = snapshot.session(session), session.account == account else {
            throw Refusal(.userTokenExpired, .sessionIsOver)
        }
        if !session.isAlive(for: row.account, context) {
            let isOfDisabledProvider = session.isOfDisabledProvider(under: context.policy)
            throw Refusal(.userTokenExpired, isOfDisabledProvider ? .providerIsDisabled : .sessionIsOver)
        }
        if let rotation, rotation != session.rotation { throw Refusal(.userTokenExpired, .tokenIsOutdated) }
        if row.account.isDisabled { throw .accountDisabled }
        return ActingSession(reference: row.reference, session: session, seen: snapshot)
    }
}

extension Session {
    /// Whether the session is still alive: it has the account's session generation, has not expired, and its method is
    /// still there and usable.
    func isAlive(for account: Account, _ context: DecisionContext) -> Bool {
        if hasEnded(for: account, context) || isOfDisabledProvider(under: context.policy) { return false }
        guard context.policy.removedMethod == .endsItsSessions, let generation = basis.generation else { return true }
        return account.methods.contains { $0.generation == generation && $0.isActive }
    }

    /// Whether the session has ended for good: it was ended with others, or its time is over.
    func hasEnded(for account: Account, _ context: DecisionContext) -> Bool {
        sessionGeneration != account.sessionGeneration || end(for: account, context).map { context.now >= $0 } ?? false
    }

    /// When the session ends if it is not used before; nil if it does not end by itself.
    func end(for account: Account, _ context: DecisionContext) -> Timestamp? {
        // The row has the end under the policy of its last use, and the policy may be stricter now.
        let end = context.policy.sessions.end(on: account, activeAt: activeAt, loginAt: loginAt)
        return expiresAt.map { min($0, end ?? $0) } ?? end
    }

    /// Whether the session is based on a method whose provider is disabled.
    func isOfDisabledProvider(under policy: AuthPolicy) -> Bool {
        if policy.disabledProviders.isEmpty || policy.removedMethod == .keepsItsSessions { return false }
        return policy.disabledProviders.contains(basis.kind == .emailLink ? .emailLink : basis.provider)
    }
}

/// An operation of the person in a session; whether the session may act is decided once, before anything else.
protocol SessionOperation: Operation {
    associatedtype Outcome = SignedIn

    var handle: ActingHandle { get }

    /// What must be looked up besides the session and its account.
    func moreLookups(_ request: Request) -> Lookups

    /// The sensitive operation for which the policy may require a recent login; nil if it never requires one.
    var sensitivity: AuthPolicy.SensitiveOperation? { get }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> Outcome
}

extension SessionOperation {
    func lookups(_ request: Request) -> Lookups { handle.lookups.union(moreLookups(request)) }

    func moreLookups(_ request: Request) -> Lookups { Lookups() }

    var sensitivity: AuthPolicy.SensitiveOperation? { nil }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome {
        let context = transaction.context
        let acting = try handle.actor(in: seen, context)
        try acting.requireRecency(for: sensitivity, context)
        transaction.authorizedSince = acting.seniorSince
        return try decide(acting, &transaction)
    }
}
