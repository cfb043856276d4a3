/// Coverage: which methods are known to belong to the person who verified an address or number.
///
/// A verification covers a method if the method was used in, or added by, the session that made the verification, or
/// was used later together with one. An attacker may have added what is not covered, so a later verification of the
/// address does not extend to it.
extension Account {
    /// Records that these methods were used and these subjects verified in one session.
    mutating func cover(_ generations: [UInt32], by subjects: [Evidence.Subject], at now: Timestamp) {
        for index in methods.indices where generations.contains(methods[index].generation) {
            for subject in subjects where !methods[index].isCovered(by: subject) {
                methods[index].coverage.add(Evidence.Verification(subject, at: now))
            }
        }
    }

    /// Records that the methods used and the subjects verified in a session belong together.
    mutating func cover(in session: Session, at now: Timestamp) {
        if session.verified.isEmpty { return }
        for index in methods.indices where session.hasUsed(methods[index].generation) {
            for verification in session.verified
            where !methods[index].coverage.includes(verification.subject) && counts(verification, at: now) {
                methods[index].coverage.add(Evidence.Verification(verification.subject, at: now))
            }
        }
    }

    /// Whether what was verified in a session, now or earlier, still says whose the account is.
    ///
    /// Not if the account left the address or number since, which may then have become another person's.
    func counts(_ verification: Evidence.Verification, at now: Timestamp? = nil) -> Bool {
        verification.at == now
            || evidence.contains {
                $0.isFresh && $0.subject.mailbox == verification.subject.mailbox && $0.firstAt <= verification.at
            }
    }

    /// Whether every method is covered by a verification of this address; what is suspended signs nobody in.
    func isCovered(by email: EmailAddress) -> Bool {
        methods.allSatisfy { !$0.isActive || $0.isCovered(by: .email(email)) }
    }

    /// Whether nothing about the account was ever verified, and it has nothing except its address.
    var isAdoptable: Bool {
        !wasEverVerified && !evidence.contains { $0.source.isOfOutside } && !isDisabled && customClaims.isEmpty
            && factors.isEmpty && !acceptsCustomTokens
            && methods.allSatisfy(\.kind.isOfAddress)
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
        verified.add(Evidence.Verification(subject, at: now))
    }
}

extension [Evidence.Verification] {
    /// Adds a verification; of more than an account has evidence, the oldest goes.
    fileprivate mutating func add(_ verification: Evidence.Verification) {
        append(verification)
        if count > Account.evidenceLimit { removeFirst() }
    }
}
