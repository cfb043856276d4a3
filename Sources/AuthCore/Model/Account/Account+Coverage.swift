/// Coverage: what a proof of an address or number is known to vouch for.
///
/// A method is covered by a proof if it was used in, or attached by, the session that made the proof, or was used later
/// together with one. What nobody covered cannot be built on by whoever proves the address.
extension Account {
    /// Notes that these methods and these proofs were seen in one session.
    mutating func cover(_ generations: [UInt32], by subjects: [Evidence.Subject], at now: Timestamp) {
        for index in methods.indices where generations.contains(methods[index].generation) {
            for subject in subjects where !methods[index].isCovered(by: subject) {
                methods[index].coverage.append(Coverage(subject, at: now))
            }
        }
    }

    /// Notes that the methods and proofs of a session were seen together.
    mutating func cover(in session: Session, at now: Timestamp) {
        if session.proved.isEmpty { return }
        for index in methods.indices where session.hasUsed(methods[index].generation) {
            for subject in session.proved where !methods[index].isCovered(by: subject) {
                methods[index].coverage.append(Coverage(subject, at: now))
            }
        }
    }

    /// Whether every method is covered by a proof of this address.
    func isCovered(by email: EmailAddress) -> Bool {
        methods.allSatisfy { $0.isCovered(by: .email(email)) }
    }

    /// Whether nobody ever proved anything about the account, and nothing hangs on it but its address.
    var isAdoptable: Bool {
        !wasEverVerified && !evidence.contains { $0.source.isOfOutside } && !isDisabled && customClaims.isEmpty
            && factors.isEmpty && !acceptsCustomTokens
            && methods.allSatisfy { $0.kind.methodKind == .password || $0.kind.methodKind == .emailLink }
    }
}

extension Session {
    /// Whether the method with this number was used in the session.
    func hasUsed(_ generation: UInt32) -> Bool {
        basis.generation == generation || used.contains { $0.generation == generation }
    }

    /// Notes what was proved in the session.
    mutating func note(proof subject: Evidence.Subject?) {
        if let subject, !proved.contains(subject) { proved.append(subject) }
    }
}
