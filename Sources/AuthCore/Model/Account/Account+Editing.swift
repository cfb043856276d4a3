/// Edits that the rules share; each also updates the account's counters and flags.
extension Account {
    /// Adds a method with the next generation number.
    package mutating func add(_ kind: SignInMethod.Kind, at now: Timestamp, coverage: [Evidence.Verification] = [])
        -> SignInMethod
    {
        let method = SignInMethod(kind, addedAt: now, generation: nextGeneration, coverage: coverage)
        nextGeneration += 1
        methods.append(method)
        // A password without an address signs in to nothing.
        if email != nil || kind.methodKind != .password { isAnonymous = false }
        // An identity or a number can only be added by verifying it, so the account now has something verified.
        if kind.methodKind == .federated || kind.methodKind == .phone { wasEverVerified = true }
        return method
    }

    /// Adds a method in the place of the one of the same kind, and of the same provider, if there is one; it has the
    /// next generation number.
    mutating func set(_ kind: SignInMethod.Kind, at now: Timestamp) -> SignInMethod {
        guard let index = methods.firstIndex(where: { $0.kind.isSameKind(as: kind) }) else { return add(kind, at: now) }
        methods[index] = SignInMethod(kind, addedAt: now, generation: nextGeneration)
        nextGeneration += 1
        return methods[index]
    }

    /// Sets the password, replacing an existing one.
    mutating func setPassword(_ hash: PasswordHash, at now: Timestamp, seniorSince: Timestamp? = nil) -> SignInMethod {
        var method = set(.password(hash), at: now)
        // The age of a password counts from the verification that allowed it to be set.
        if let seniorSince { method.seniorSince = min(now, seniorSince) }
        for index in methods.indices where methods[index].generation == method.generation { methods[index] = method }
        return method
    }

    /// Sets the number, replacing an existing one.
    mutating func setPhone(_ number: PhoneNumber, at now: Timestamp) -> SignInMethod {
        if let method = phoneMethod, method.kind == .phone(number) { return method }
        return set(.phone(number), at: now)
    }

    /// Removes the suspension of a method that was just verified in a session; from then on it counts as new.
    mutating func confirm(_ method: SignInMethod, at now: Timestamp) -> SignInMethod {
        guard let index = methods.firstIndex(where: { $0.generation == method.generation }) else { return method }
        if !methods[index].isActive { methods[index].seniorSince = now }
        methods[index].suspension = nil
        return methods[index]
    }

    /// Suspends the methods that meet the condition and are not suspended already.
    mutating func suspendMethods(for reason: Reason, at now: Timestamp, where isMeant: (SignInMethod) -> Bool) {
        for index in methods.indices where methods[index].isActive && isMeant(methods[index]) {
            methods[index].suspension = SignInMethod.Suspension(since: now, reason: reason)
        }
    }

    /// Adds the method for mailed links, as old as the proof of their mailbox, unless the account has it.
    package mutating func allowEmailLink(at now: Timestamp) -> SignInMethod {
        if let method = emailLinkMethod { return method }
        let method = add(.emailLink, at: now)
        dateMailedLinks(emailVerifiedSince ?? now)
        return emailLinkMethod ?? method
    }

    /// Records evidence: updates an existing entry of the same kind, or adds one; the number of entries is limited.
    ///
    /// A proof of the account's address ends the rights of those that it had after it to take the account back.
    package mutating func note(_ subject: Evidence.Subject, _ source: Evidence.Source, at now: Timestamp) {
        wasEverVerified = wasEverVerified || source.isProof
        if source.isProof, case .email(let address) = subject, address.mailbox == email?.mailbox,
            let index = reservations.lastIndex(where: { $0.email.mailbox == address.mailbox })
        {
            reservations.removeSubrange((index + 1)...)
        }
        if let index = evidencePlace(of: subject, source) {
            // An address that the account left a short time ago was reserved for its owner until now.
            if evidence[index].isFresh
                || reservations.contains(where: { now < $0.until && .email($0.email.mailbox) == subject.mailbox })
            {
                evidence[index].staleSince = nil
                evidence[index].lastAt = now
                evidence[index].add(1)
            } else {
                // Meanwhile the address or number may have been another person's.
                evidence[index] = Evidence(subject, source, at: now)
            }
            return
        }
        evidence.append(Evidence(subject, source, at: now))
        if evidence.count > Account.evidenceLimit,
            let oldest = evidence.indices.dropLast().min(by: { rank(of: evidence[$0]) < rank(of: evidence[$1]) })
        {
            evidence.remove(at: oldest)
        }
    }

    /// The index of the evidence of this kind; uses indices, since copying evidence costs more than comparing it.
    func evidencePlace(of subject: Evidence.Subject, _ source: Evidence.Source) -> Int? {
        let pieces = evidence
        return pieces.indices.first { pieces[$0].source == source && pieces[$0].subject == subject }
    }

    /// The maximum number of evidence entries per account.
    static var evidenceLimit: Int { 16 }

    /// The maximum number of devices that an account knows.
    static var deviceLimit: Int { 10 }

    /// The maximum number of recovery codes per account.
    static var recoveryCodeLimit: Int { 32 }

    /// The name of a part that is longer than AuthCore writes it; nil if there is none.
    package var overlongPart: String? {
        if evidence.count > Self.evidenceLimit { return "evidence" }
        if knownDevices.count > Self.deviceLimit { return "knownDevices" }
        if recoveryCodes.count > Self.recoveryCodeLimit { return "recoveryCodes" }
        if displayName?.isBounded == false { return "displayName" }
        if photoURL?.isBounded == false { return "photoURL" }
        if factors.contains(where: { $0.displayName?.isBounded == false }) { return "factors" }
        let isLong = methods.contains { $0.identity?.isBounded == false || $0.coverage.count > Self.evidenceLimit }
        return isLong ? "methods" : nil
    }

    /// Marks the evidence about this address as stale: from now on it verifies nothing.
    mutating func withdrawEvidence(of subject: Evidence.Subject, at now: Timestamp) {
        for index in evidence.indices where evidence[index].isFresh && evidence[index].subject == subject {
            evidence[index].staleSince = now
        }
    }

    /// Takes back that evidence about this address became stale at that time or later.
    mutating func restoreEvidence(of email: EmailAddress, since left: Timestamp) {
        for index in evidence.indices where evidence[index].subject == .email(email) {
            if let stale = evidence[index].staleSince, stale >= left { evidence[index].staleSince = nil }
        }
    }

    /// Changes the account's address to one that is not verified; mailed links, which now go there, count as new, and
    /// what a verification of this mailbox covered at another time counts no more.
    mutating func moveToUnverified(_ new: EmailAddress, at now: Timestamp) {
        if let email, email != new { withdrawEvidence(of: .email(email), at: now) }
        let naming = methods.filter { $0.isActive && $0.identity?.email == new }.compactMap(\.identity?.key)
        for index in evidence.indices where evidence[index].isFresh && evidence[index].subject == .email(new) {
            // What the provider says of an identity that is linked goes on being true.
            if case .provider(let key, _) = evidence[index].source, naming.contains(key) { continue }
            evidence[index].staleSince = now
        }
        if email?.mailbox != new.mailbox {
            // Who controls the new mailbox need not be who controlled the old one, or this one at another time.
            dateMailedLinks(now)
            if !reserves(mailboxOf: new) {
                for index in methods.indices {
                    methods[index].coverage.removeAll { $0.subject.mailbox == .email(new.mailbox) }
                }
            }
        }
        email = new
        reservesEmail = true
        if passwordMethod != nil { isAnonymous = false }
    }

    /// Mailed links are as old as the proof of the mailbox to which they go.
    mutating func dateMailedLinks(_ since: Timestamp) {
        if let index = methods.firstIndex(where: { $0.kind == .emailLink }) { methods[index].seniorSince = since }
    }

    /// Whether the mailbox is reserved for its owner, since the account left it and may be taken back to it.
    func reserves(mailboxOf email: EmailAddress) -> Bool { reservations.contains { $0.email.mailbox == email.mailbox } }

    /// Whether an address that the account left is still reserved for its owner.
    func hasReservation(at now: Timestamp) -> Bool { reservations.contains { now < $0.until } }

    /// Removes the address and marks its evidence as stale.
    mutating func dropEmail(at now: Timestamp) {
        if let email { withdrawEvidence(of: .email(email), at: now) }
        email = nil
        reservesEmail = false
    }

    /// The order in which evidence is dropped: stale evidence first, then the oldest; then what verifies the account's
    /// own address and numbers, and last what verified addresses to which it may be taken back, the first one last, and
    /// what verifies the addresses of its identities, at which the owner is notified.
    func rank(of piece: Evidence) -> (Int, Timestamp) {
        let isNoticed =
            piece.isFresh && piece.source.verifies(from: .authoritative)
            && methods.contains { method in
                method.isActive && method.identity?.email.map { .email($0.mailbox) } == piece.subject.mailbox
            }
        if isNoticed { return (reservations.count + 2, piece.lastAt) }
        if let held = reservations.firstIndex(where: { .email($0.email.mailbox) == piece.subject.mailbox }) {
            return (reservations.count - held + 2, piece.lastAt)
        }
        let isOwn =
            switch piece.subject {
            case .email(let address): email?.mailbox == address.mailbox
            case .phone(let number): phoneNumber == number
            }
        return ((piece.isFresh ? 1 : 0) + (piece.isFresh && isOwn ? 1 : 0), piece.lastAt)
    }
}

extension Evidence.Source {
    /// Whether this verifies its subject, rather than only claiming it.
    var isProof: Bool { verifies(from: .authoritative) && !isOfOutside }

    /// Whether this verifies its subject, counting providers' assertions from this assurance on.
    func verifies(from minimum: EmailAssurance) -> Bool {
        switch self {
        case .mailboxCode, .phoneCode, .administrator, .imported: true
        case .provider(_, let assurance): assurance >= minimum
        }
    }

    /// Whether an administrator or an import is the source.
    var isOfOutside: Bool {
        switch self {
        case .administrator, .imported: true
        case .mailboxCode, .phoneCode, .provider: false
        }
    }
}
