/// How an account gives up what somebody else proved.
extension Transaction {
    /// Takes an address from an account that never proved it, with what hung on it.
    mutating func evict(_ owner: Account, by actor: EventActor) {
        reasons.append(.unprovenOwnerGivesWay)
        var rest = owner.withoutAddress(at: context.now)
        release(owner, to: &rest, by: actor)
    }

    /// Writes what an account is left with, and ends what rested on the rest.
    mutating func release(_ owner: Account, to rest: inout Account, by actor: EventActor) {
        endOtherSessions(of: &rest, except: nil)
        changes.capabilities.append(.revokeAll(owner.id, [.verifyEmail, .changeEmail, .resetPassword]))
        update(owner, to: &rest, by: actor)
    }
}

extension Account {
    /// The account without its address and the ways in that are keyed by it.
    func withoutAddress(at now: Timestamp) -> Account {
        var rest = without(.password)
        rest.dropEmail(at: now)
        return rest
    }
}

extension Account {
    /// Whether the account has the address only until somebody proves it.
    ///
    /// One that it proved, left and came back to is still kept for it.
    func givesWay(of email: EmailAddress, under policy: AuthPolicy) -> Bool {
        guard let own = self.email, policy.addressReservation == .provenAddress, policy.isSameMailbox(own, email) else {
            return false
        }
        return !hasProof(of: .email(own), atLeast: policy.provingWord)
            && !reservations.contains { policy.isSameMailbox($0.email, email) }
    }
}
