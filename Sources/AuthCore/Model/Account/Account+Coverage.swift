/// Coverage: which methods are known to belong to the person who verified an address or number.
///
/// A verification covers a method if the method was used in, or added by, the session that made the verification, or
/// was used later together with one. An attacker may have added what is not covered, so a later verification of the
/// address does not extend to it.
extension Account {
    /// Records that these methods were used and these subjects verified in one session.
    mutating func cover(_ generations: [UInt32], by subjects: [Evidence.Subject], at now: Timestamp) {
        for index in methods.indices where generations.contains(methods[index].generation) {
            for subject in subjects where !evidence.support(methods[index].coverage, of: subject) {
                cover(index, by: subject, at: now)
            }
        }
    }

    /// Records that the methods used and the subjects verified in a session belong together.
    mutating func cover(in session: Session, at now: Timestamp) {
        let evidence = evidence
        for index in methods.indices where session.hasUsed(methods[index].generation) {
            for verification in session.verified
            where !evidence.support(methods[index].coverage, of: verification.subject)
                && evidence.support(verification, at: now)
            {
                // The clock of the server that verified it may be a little ahead.
                cover(index, by: verification.subject, at: max(now, verification.at))
            }
        }
    }

    /// Adds a verification, in place of one of the same mailbox; of more than an account has evidence, the oldest goes
    /// that is of another person's mailbox.
    private mutating func cover(_ index: Int, by subject: Evidence.Subject, at now: Timestamp) {
        methods[index].coverage.removeAll { $0.subject.isSame(as: subject) }
        methods[index].coverage.append(Evidence.Verification(subject, at: now))
        let coverage = methods[index].coverage
        if coverage.count > Account.evidenceLimit {
            let own = Set(([email] + reservations.map(\.email)).compactMap { $0?.mailbox })
            let isOwn = { (piece: Evidence.Verification) in own.contains { piece.subject.mailbox == .email($0) } }
            methods[index].coverage.remove(at: coverage.firstIndex { !isOwn($0) } ?? 0)
        }
    }

    /// Whether nothing about the account was ever verified, and it has nothing except its address.
    var isAdoptable: Bool {
        !wasEverVerified && !evidence.contains { $0.source.isOfOutside } && !isDisabled && customClaims.isEmpty
            && factors.isEmpty && !acceptsCustomTokens && methods.allSatisfy(\.kind.isOfAddress)
    }
}

// On the evidence and not on the account, which a loop that changes the account would copy.
extension [Evidence] {
    /// Whether one of these verifications is of the subject and still says whose the account is.
    func support(_ coverage: [Evidence.Verification], of subject: Evidence.Subject) -> Bool {
        coverage.contains { $0.subject.isSame(as: subject) && support($0) }
    }

    /// Whether what was verified in a session, now or earlier, still says whose the account is.
    ///
    /// Not if the account left the address or number since, which may then have become another person's.
    func support(_ verification: Evidence.Verification, at now: Timestamp? = nil) -> Bool {
        if verification.at == now { return true }
        // By index, since copying evidence costs more than comparing it.
        return indices.contains { index in
            self[index].isFresh && self[index].firstAt <= verification.at
                && self[index].subject.isSame(as: verification.subject)
        }
    }
}

extension Session {
    /// Whether the method with this generation was used in the session.
    func hasUsed(_ generation: UInt32) -> Bool {
        basis.generation == generation || used.contains { $0.generation == generation }
    }

    /// Records what was verified in the session.
    mutating func note(proof subject: Evidence.Subject?, at now: Timestamp) {
        guard let subject else { return }
        verified.removeAll { $0.subject == subject }
        verified.append(Evidence.Verification(subject, at: now))
        if verified.count > Account.evidenceLimit { verified.removeFirst() }
    }
}
