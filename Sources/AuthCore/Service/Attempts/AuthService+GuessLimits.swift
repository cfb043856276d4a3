/// Under which keys guesses are counted.
extension AuthService {
    /// What a guess takes, and the keys that a success clears.
    typealias GuessTakes = (takes: [Store.Take], cleared: [AttemptKey])

    /// Returns the attempt at the password of an address, and the key that a success clears.
    ///
    /// Passwords count for the address that was typed, never for an account: otherwise the limit of one address would
    /// tell that another address belongs to the same account.
    func passwordTakes(_ email: EmailAddress, of owner: Account?, _ context: RequestContext) -> GuessTakes {
        guard let limits = policy.limits else { return ([], []) }
        let name = policy.keyRule.spelling(of: email).text
        if let device = owner?.keyForPasswords(of: context.device) {
            let known = key(.passwordOnDevice, name, device.text)
            return ([Store.Take(known, limits.waits(after: limits.passwordsOnKnownDevice))], [known])
        }
        let takes = [Store.Take(key(.password, name), limits.waits(after: limits.passwords)), guessTake(context)]
        return (takes.compactMap(\.self), [])
    }

    /// Returns the attempt at the digits that were sent to a number, and the key that a success clears.
    func digitTakes(
        _ code: OneTimeRecordID,
        for number: PhoneNumber,
        of owner: Account?,
        _ context: RequestContext
    ) -> GuessTakes {
        guard let limits = policy.limits else { return ([], []) }
        let number = Store.Take(
            key(.number, number.text),
            .consecutive(limits.digitsForNumber, then: limits.numberPause)
        )
        if owner?.key(of: context.device) != nil { return (answerTakes(code), [number.key]) }
        return (answerTakes(code) + [number, guessTake(context)].compactMap(\.self), [])
    }

    /// Returns the attempt at an answer to a second-factor challenge, and the keys that a success clears.
    ///
    /// What counts without an end belongs to the password: an attacker who knows it guesses the factor, and a new
    /// password locks them out.
    func factorTakes(_ challenge: OneTimeRecordID, of account: Account, _ context: RequestContext) -> GuessTakes {
        guard let limits = policy.limits else { return ([], []) }
        let daily = key(.factorDaily, account.id.text)
        let all = key(.factor, account.id.text, "\(account.passwordMethod?.generation ?? 0)")
        if let device = account.key(of: context.device) {
            let known = key(.factorOnDevice, account.id.text, device.text)
            let take = Store.Take(known, limits.waits(after: limits.factorAnswersOnKnownDevice))
            return (answerTakes(challenge) + [take], [known, daily, all])
        }
        let takes = [
            Store.Take(daily, .number(limits.factorAnswersInDay, each: .days(1))),
            Store.Take(all, .consecutive(limits.factorAnswers, then: nil)),
        ]
        return (answerTakes(challenge) + takes, [])
    }

    /// Forgets wrong passwords and requested links for an address whose owner took the account back by mail.
    ///
    /// The links to a new password that strangers requested are over now, so they must not delay the next one.
    func forgetAttempts(at email: EmailAddress?) async {
        guard let email, policy.limits != nil else { return }
        let name = policy.keyRule.spelling(of: email).text
        try? await refund([], clearing: [key(.password, name), key(.mail, name, Message.Kind.resetPassword.rawValue)])
    }

    /// Returns the attempt at an answer to a code, a challenge, a conflict or a visit, which is over after too many.
    func answerTakes(_ record: OneTimeRecordID) -> [Store.Take] {
        guard let limits = policy.limits else { return [] }
        // No such record lives longer. A count that outlived it would only fill the table, which a stranger can do
        // by answering conflicts of their own, and a full table counts against the codes of all people.
        let times = policy.lifetimes
        let longest = max(times.phoneCode, times.pendingIdentity, times.factorChallenge)
        return [Store.Take(key(.code, record.text), .number(limits.wrongCodes, each: longest))]
    }

    /// Returns the attempt at a proof about which the provider must be asked: each question counts against the app's
    /// quota there.
    ///
    /// An ID token alone is checked without one. A token that the provider gave for a code is no guess.
    func proofTakes(_ credential: AuthCredential.Federated, _ context: RequestContext) -> [Store.Take] {
        let isAsked = credential.accessToken?.isEmpty == false || credential.authorizationCode != nil
        guard isAsked, !credential.isExchanged else { return [] }
        return [guessTake(context, at: credential.provider)].compactMap(\.self)
    }

    private func guessTake(_ context: RequestContext, at provider: ProviderID? = nil) -> Store.Take? {
        guard let limits = policy.limits else { return nil }
        let most = limits.guessesFromOrigin
        return originTake(.guessesOfOrigin, context, at: provider, most: most) { most in
            limits.waits(after: most, atMost: limits.longestOriginWait)
        }
    }
}

extension Int {
    /// The product, or the largest number.
    func times(_ other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
