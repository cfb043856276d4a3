/// How many messages, new accounts, new passwords and visits to providers may be requested.
extension AuthService {
    /// Counts a mail of a kind to an address, or refuses it if there were too many.
    ///
    /// Each kind counts by itself: codeless mails that strangers request do not use up the resets.
    func countMail(_ kind: Message.Kind, to address: EmailAddress, _ context: RequestContext) async throws(AuthError) {
        if policy.limits == nil { return }
        let owner = try await load([.owner(policy.key(for: address))]).owner(ofAddress: address, under: policy)
        try await countMail(kind, to: address, of: owner, context)
    }

    /// Counts a mail that verifies the address which the account has now; what a client saw of it may be out of date.
    func countVerification(by handle: ActingHandle, _ context: RequestContext) async throws(AuthError) {
        if policy.limits == nil { return }
        let account = try await load([.account(handle.account)])[handle.account]
        guard let email = account?.email else { return }
        try await countMail(.verifyEmail, to: email, of: account, context)
    }

    private func countMail(
        _ kind: Message.Kind,
        to address: EmailAddress,
        of owner: Account?,
        _ context: RequestContext
    ) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let isVerified = owner?.isEmailVerified(under: policy) ?? false
        let (name, kind) = (policy.keyRule.spelling(of: address).text, kind.rawValue)
        // While a person waits for another link to a new password, the newest one they have is still valid.
        let window = kind == Message.Kind.resetPassword.rawValue ? min(.hours(1), policy.lifetimes.mailCode) : .hours(1)
        let allowance = Store.Allowance.number(limits.mails, each: window)
        if isVerified, let device = owner?.keyForPasswords(of: context.device) {
            let take = Store.Take(key(.mailOnDevice, name, kind, device.text), allowance)
            return try await count([take], of: "SendMessage", context, recipient: address.text)
        }
        let takes = [
            Store.Take(key(.mail, name, kind), allowance),
            originTake(.mailOfOrigin, context, most: limits.mailsFromOrigin) { .number($0, each: .hours(1)) },
        ]
        try await count(takes, of: "SendMessage", context, recipient: address.text)
    }

    /// Counts a text to a number that signs in or will sign in; refuses it if there were too many.
    func countText(to number: PhoneNumber, _ context: RequestContext) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let owner = try await load([.owner(.phone(number))]).owner(of: .phone(number))
        let allowance = Store.Allowance.number(limits.texts, each: .hours(1))
        var takes = [Store.Take(key(.text, number.text), allowance), originTextTake(context)]
        if let device = owner?.key(of: context.device) {
            // An attacker can make any number of devices known to an account of their own.
            let all = Store.Allowance.number(limits.textsOnKnownDevices, each: .hours(1))
            let one = Store.Take(key(.textOnDevice, number.text, device.text), allowance)
            takes = [one, Store.Take(key(.textOnDevice, number.text), all)]
        }
        try await count(takes, of: "SendMessage", context, recipient: number.text)
    }

    /// Counts a text to a factor of the account that a challenge is about, or refuses it if there were too many.
    ///
    /// It counts by the number as well, which an attacker may have enrolled with many accounts. The devices that the
    /// account knows are counted separately, so a person who has only the password cannot use up their texts.
    func countFactorText(
        for challenge: OneTimeRecordID,
        to factor: SecondFactor.ID,
        _ context: RequestContext
    ) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let account = try await waiting(challenge, in: "RequestChallengeCode", context).account
        let allowance = Store.Allowance.number(limits.factorTexts, each: .hours(1))
        let number = account.activeFactors.first { $0.id == factor }?.phoneNumber
        let isKnown = account.key(of: context.device) != nil
        var takes = [account.id.text, number?.text].compactMap(\.self).map { subject -> Store.Take? in
            Store.Take(key(.factorText, subject, "\(isKnown)"), allowance)
        }
        if !isKnown { takes.append(originTextTake(context)) }
        try await count(takes, of: "SendMessage", context)
    }

    /// Refuses what the policy disables before it is counted, since that costs nothing.
    func requireEnabled(_ provider: ProviderID, in name: String, _ context: RequestContext) throws(AuthError) {
        if !policy.isEnabled(provider) { throw audit(AuthError(.disabled(provider)), of: name, context) }
    }

    /// Counts a new account that needs no proof, or refuses it if there were too many.
    func countNewAccount(_ operation: String, _ context: RequestContext) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let one = originTake(.accountOfOrigin, context, most: limits.accountsFromOrigin) { .number($0, each: .days(1)) }
        try await count([one], of: operation, context)
    }

    /// Counts a new password, address, seed or set of recovery codes of a session, or refuses it if there were too
    /// many.
    ///
    /// Each costs a hash, tells whether another account has the address, or leads to notices; the number of new
    /// accounts would limit none of them, since one guest can try any number. It counts by session, so that a stolen
    /// one does not stop the others, and five times as many by account, since its person can make any number of
    /// sessions.
    func countNewPassword(
        by handle: ActingHandle,
        _ operation: String,
        _ context: RequestContext
    ) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let (part, account) = (handle.session.text, handle.account)
        let takes = accountTakes(.newPassword, part, of: account, limits.newPasswords, each: .hours(1))
        try await count(takes, of: operation, context)
    }

    /// Counts a new password that is set by a mailed code, or refuses it if there were too many: the code stays good
    /// until a password is accepted, and each costs a hash.
    func countNewPassword(byCode code: OneTimeRecordID, _ context: RequestContext) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let allowance = Store.Allowance.number(limits.newPasswords, each: .hours(1))
        // Counted like other answers to the code, which is over before its count is.
        try await count([Store.Take(key(.code, code.text), allowance)], of: "ResetPassword", context)
    }

    /// Counts a visit to a provider, a nonce, a merge, or a conflict or challenge that waits for its answer, or refuses
    /// it if there were too many: each leaves a record for a while.
    ///
    /// In a session only that and the account count. On a device known to the account that what waits is about, only
    /// that device and the account count. So a person can link and answer a challenge, whatever others at their origin
    /// do; only codes about which a provider must be asked count by origin as well (``exchangeTakes``).
    func countVisit(
        by handle: ActingHandle?,
        about account: Account? = nil,
        _ operation: String,
        _ context: RequestContext
    ) async throws(AuthError) {
        guard let limits = policy.limits else { return }
        let window = Duration.minutes(10)
        let known = account.flatMap { account in account.key(of: context.device).map { ($0.text, account.id) } }
        if let (part, account) = handle.map({ ($0.session.text, $0.account) }) ?? known {
            let takes = accountTakes(.visitOfAccount, part, of: account, limits.visitsOfAccount, each: window)
            return try await count(takes, of: operation, context)
        }
        let one = originTake(.visitOfOrigin, context, most: limits.visitsFromOrigin) { .number($0, each: window) }
        try await count([one], of: operation, context)
    }

    /// What counts by the session or device of an account and, five times as many, by account.
    func accountTakes(
        _ purpose: AttemptKey.Purpose,
        _ part: String,
        of account: AccountID,
        apart label: String = "",
        _ most: Int,
        each window: Duration
    ) -> [Store.Take] {
        [(part, 1), (account.text, 5)].map { subject, parts in
            Store.Take(key(purpose, subject + label), .number(most.times(parts), each: window))
        }
    }

    private func originTextTake(_ context: RequestContext) -> Store.Take? {
        guard let limits = policy.limits else { return nil }
        return originTake(.textOfOrigin, context, most: limits.textsFromOrigin) { .number($0, each: .hours(1)) }
    }
}
