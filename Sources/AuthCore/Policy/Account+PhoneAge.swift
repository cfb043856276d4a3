extension Account {
    /// Whether the number was last verified longer ago than the policy allows: it may be another person's by now.
    func isPhoneVerificationOld(at now: Timestamp, under policy: AuthPolicy) -> Bool {
        guard let lifetime = policy.phoneEvidenceLifetime, let phoneNumber else { return false }
        let last = evidence.filter { $0.subject == .phone(phoneNumber) && $0.isFresh }.map(\.lastAt).max()
        return last.map { now - $0 > lifetime } ?? true
    }

    /// Whether the number was verified too long ago, and the account's owner can sign in without it: by a method, or
    /// because the app's own server signed them in within that time, or within the longest that their session lasts.
    func canSpareOldNumber(at now: Timestamp, under policy: AuthPolicy) -> Bool {
        guard let lifetime = policy.phoneEvidenceLifetime, isPhoneVerificationOld(at: now, under: policy) else {
            return false
        }
        if hasVerifiedMethodBesideNumber(under: policy) { return true }
        // The day within which a custom token is not noted again counts for the owner.
        let lasting = max(lifetime, policy.sessions.absolute ?? lifetime) + .hours(24)
        return isUsableByServer(under: policy) && customTokenAt.map { now - $0 <= lasting } ?? false
    }

    /// Notes that a custom token was presented; to the day, so that not every one writes the account.
    mutating func noteCustomToken(at now: Timestamp) {
        if customTokenAt.map({ now - $0 >= .hours(24) }) ?? true { customTokenAt = now }
    }

    /// Whether a method other than the number signs the account's owner in.
    func hasVerifiedMethodBesideNumber(under policy: AuthPolicy) -> Bool {
        canSignInByMail(under: policy)
            || usableMethods(under: policy).contains { method in
                switch method.kind {
                case .federated: true
                case .password, .emailLink: isEmailVerified(under: policy)
                case .phone: false
                }
            }
    }
}
