/// Edits shared by the rules; each keeps the account's own bookkeeping right.
extension Account {
    /// Adds a method with the next number.
    package mutating func add(_ kind: SignInMethod.Kind, at now: Timestamp, coverage: [Coverage] = []) -> SignInMethod {
        let method = SignInMethod(kind, addedAt: now, generation: nextGeneration, coverage: coverage)
        nextGeneration += 1
        methods.append(method)
        isAnonymous = false
        // An identity or a number is only ever added by showing it, so the account is nobody's empty shell any more.
        if kind.methodKind == .federated || kind.methodKind == .phone { wasEverVerified = true }
        return method
    }

    /// Puts a method in the place of the one at this position; it is a new method with a new number.
    mutating func replaceMethod(at index: Int, by kind: SignInMethod.Kind, at now: Timestamp) -> SignInMethod {
        let method = SignInMethod(kind, addedAt: now, generation: nextGeneration)
        nextGeneration += 1
        methods[index] = method
        return method
    }

    /// Sets the password, in place of an older one if there is one.
    mutating func setPassword(_ hash: PasswordHash, at now: Timestamp, seniorSince: Timestamp? = nil) -> SignInMethod {
        let index: Int
        if let old = methods.firstIndex(where: { $0.kind.methodKind == .password }) {
            _ = replaceMethod(at: old, by: .password(hash), at: now)
            index = old
        } else {
            _ = add(.password(hash), at: now)
            index = methods.count - 1
        }
        // A password is as old as the proof that set it.
        if let seniorSince { methods[index].seniorSince = min(now, seniorSince) }
        return methods[index]
    }

    /// Sets the number, in place of an older one if there is one.
    mutating func setPhone(_ number: PhoneNumber, at now: Timestamp) -> SignInMethod {
        if let index = methods.firstIndex(where: { $0.kind.methodKind == .phone }) {
            if methods[index].kind == .phone(number) { return methods[index] }
            return replaceMethod(at: index, by: .phone(number), at: now)
        }
        return add(.phone(number), at: now)
    }

    /// Lifts what suspends a method; its owner has just shown it from inside.
    mutating func confirm(_ method: SignInMethod) -> SignInMethod {
        guard let index = methods.firstIndex(where: { $0.generation == method.generation }) else { return method }
        methods[index].suspension = nil
        return methods[index]
    }

    /// Makes sure that mailed links may sign in.
    package mutating func allowEmailLink(at now: Timestamp) -> SignInMethod {
        if let method = emailLinkMethod { return method }
        return add(.emailLink, at: now)
    }

    /// Notes who vouched for what; a piece of the same kind is renewed, and the list stays short.
    package mutating func note(_ subject: Evidence.Subject, _ source: Evidence.Source, at now: Timestamp) {
        wasEverVerified = wasEverVerified || source.isProof
        if let index = evidencePlace(of: subject, source) {
            evidence[index].lastAt = now
            evidence[index].add(1)
            evidence[index].staleSince = nil
            return
        }
        evidence.append(Evidence(subject, source, at: now))
        if evidence.count > Account.evidenceLimit, let oldest = evidence.indices.dropLast().min(by: olderEvidence) {
            evidence.remove(at: oldest)
        }
    }

    /// Where the piece of this kind is; by places, since handing a piece on costs more than looking at it.
    func evidencePlace(of subject: Evidence.Subject, _ source: Evidence.Source) -> Int? {
        let pieces = evidence
        return pieces.indices.first { pieces[$0].source == source && pieces[$0].subject == subject }
    }

    /// How many pieces of evidence an account keeps.
    static var evidenceLimit: Int { 16 }

    private func olderEvidence(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (evidence[left], evidence[right])
        if first.isFresh != second.isFresh { return !first.isFresh }
        return first.lastAt < second.lastAt
    }

    /// From now on, what was shown about this address proves nothing.
    mutating func withdrawEvidence(of email: EmailAddress, at now: Timestamp) {
        for index in evidence.indices where evidence[index].isFresh && evidence[index].subject == .email(email) {
            evidence[index].staleSince = now
        }
    }

    /// Moves the account to an address that nobody proved.
    mutating func moveToUnverified(_ new: EmailAddress, at now: Timestamp) {
        if let email, email != new { withdrawEvidence(of: email, at: now) }
        withdrawEvidence(of: new, at: now)
        email = new
        reservesEmail = true
    }

    /// Drops the address; its evidence is history.
    mutating func dropEmail(at now: Timestamp) {
        if let email { withdrawEvidence(of: email, at: now) }
        email = nil
        reservesEmail = false
    }
}

extension Evidence.Source {
    /// Whether this proves what it is about, rather than repeating it.
    var isProof: Bool {
        switch self {
        case .mailboxCode, .phoneCode: true
        case .provider(_, let word): word == .authoritative
        case .administrator, .imported: false
        }
    }

    /// Whether an administrator or an import vouches.
    var isOfOutside: Bool {
        switch self {
        case .administrator, .imported: true
        case .mailboxCode, .phoneCode, .provider: false
        }
    }
}
