/// Releasing an address, or what depends on it, from an account that never verified it.
extension Transaction {
    /// Releases an address from an account that never verified it, with what depends on it.
    mutating func releaseEmail(_ owner: Account, by actor: IdentityEvent.Actor) {
        reasons.append(.unverifiedOwnerYields)
        var rest = owner.withoutAddress(at: context.now)
        release(owner, to: &rest, by: actor)
    }

    /// Writes what an account is left with, and ends the sessions that rested on what was removed.
    mutating func release(_ owner: Account, to rest: inout Account, by actor: IdentityEvent.Actor) {
        endOtherSessions(of: &rest, except: nil)
        revokeAll(of: owner.id, [.verifyEmail, .changeEmail, .resetPassword])
        update(owner, to: &rest, by: actor)
    }

    /// Removes everything from an account that the person who just verified its address did not add.
    ///
    /// A password that was presented in the same attempt is that person's.
    mutating func removeUnverifiedMethods(from account: inout Account, keeping kept: SignInMethod? = nil) {
        account.removeUnverified(keeping: kept, under: context.policy)
        endOtherSessions(of: &account, except: nil)
        revokeUnfinished(of: account.id)
        revokeAll(of: account.id, [.recoverEmail, .changeReport])
        reasons.append(.unverifiedMethodsAreRemoved)
    }
}

extension Account {
    /// Removes what a person added who never verified anything: methods, devices and, if accounts are adopted, the
    /// profile.
    mutating func removeUnverified(keeping kept: SignInMethod? = nil, under policy: AuthPolicy) {
        methods = kept.map { [$0] } ?? []
        firstEmail = nil
        knownDevices = []
        if policy.unverifiedOwner == .adopted {
            displayName = nil
            photoURL = nil
        }
    }
}
