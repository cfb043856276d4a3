/// How a transaction takes an address, or what hung on it, from who never proved it.
extension Transaction {
    /// Takes an address from an account that never proved it, with what hung on it.
    mutating func releaseEmail(_ owner: Account, by actor: EventActor) {
        reasons.append(.unverifiedOwnerYields)
        var rest = owner.withoutAddress(at: context.now)
        release(owner, to: &rest, by: actor)
    }

    /// Writes what an account is left with, and ends what rested on the rest.
    mutating func release(_ owner: Account, to rest: inout Account, by actor: EventActor) {
        endOtherSessions(of: &rest, except: nil)
        changes.records.append(.revokeAll(owner.id, [.verifyEmail, .changeEmail, .resetPassword]))
        update(owner, to: &rest, by: actor)
    }

    /// Takes from an account everything that the person who just proved its address did not put there.
    ///
    /// A password that was shown in the same attempt is theirs.
    mutating func strip(_ account: inout Account, sparing kept: SignInMethod? = nil) {
        account.methods = kept.map { [$0] } ?? []
        account.firstEmail = nil
        if context.policy.unverifiedOwner == .adopted {
            account.displayName = nil
            account.photoURL = nil
        }
        endOtherSessions(of: &account, except: nil)
        changes.records.append(
            .revokeAll(
                account.id,
                [
                    .verifyEmail, .changeEmail, .resetPassword, .recoverEmail, .factorChallenge, .pendingIdentity,
                    .totpSeed,
                ]
            )
        )
        reasons.append(.unverifiedMethodsAreRemoved)
    }

    /// Notes that the decision rests on nobody having the mailbox under its other name, where nobody was seen to.
    mutating func expectNobody(hasTwinOf email: EmailAddress, in seen: Snapshot) {
        guard context.policy.joinsTwins, let twin = email.twin,
            seen.owner(ofAddress: email, under: context.policy) == nil
        else { return }
        expectNobody(owns: .primaryEmail(twin))
    }
}
