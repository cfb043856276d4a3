extension Store {
    /// A one-time thing with an expiry: a code, a challenge, a pending link, a merge intent, a tombstone, an undo record.
    ///
    /// It is read at load and consumed by the commit, never before: a refused attempt does not burn a code.
    public struct OneTimeRecord: Sendable, Hashable, Codable {
        /// The key under which it is kept.
        public let key: OneTimeRecordID
        /// The account that it is about, if there is one.
        public let account: AccountID?
        /// When it was made.
        public let createdAt: Timestamp
        /// When it stops working, if it does.
        public let expiresAt: Timestamp?
        /// The only seat that may use it, if it is bound to one.
        public let device: DeviceID?
        /// The only epoch of the account in which it works, if it is bound to one.
        public let sessionGeneration: UInt32?
        /// What it is for, with everything it is bound to.
        public package(set) var content: Content

        package init(
            key: OneTimeRecordID,
            account: AccountID?,
            createdAt: Timestamp,
            expiresAt: Timestamp?,
            device: DeviceID? = nil,
            sessionGeneration: UInt32? = nil,
            content: Content
        ) {
            self.key = key
            self.account = account
            self.createdAt = createdAt
            self.expiresAt = expiresAt
            self.device = device
            self.sessionGeneration = sessionGeneration
            self.content = content
        }

        /// Whether its time has not run out.
        public func isLive(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }
    }
}

extension OneTimeRecord {
    /// What a capability is for.
    ///
    /// By reference: the largest of them, what a challenge waits for, is many times the size of most.
    public indirect enum Content: Sendable, Hashable, Codable {
        /// Proves the address the account has.
        case verifyEmail(EmailAddress, askedBy: SessionID? = nil)
        /// Proves a new address and moves the account to it.
        case changeEmail(from: EmailAddress, to: EmailAddress, askedBy: SessionID? = nil)
        /// Sets a new password.
        case resetPassword(EmailAddress)
        /// Takes an address change back.
        case recoverEmail(Store.EmailRecovery)
        /// Signs in, or links, the owner of the mailbox.
        case signInLink(EmailAddress)
        /// A code that was sent to a number.
        case phoneCode(Store.PhoneCode)
        /// That somebody proved to own a number which belongs to another account.
        case phoneOwnership(PhoneNumber)
        /// An identity that may still be linked or signed in with.
        case pendingIdentity(Store.PendingIdentity)
        /// A sign-in, or a change of methods, that waits for a second factor.
        case factorChallenge(Store.FactorChallenge)
        /// A seed that was shown and not yet confirmed; sealed.
        case totpSeed([UInt8])
        /// A token that may be presented only once, and was.
        case usedAssertion
        /// A merge or move between its first hook and its commit.
        case mergeIntent(Store.MergeIntent)
        /// What a merge or move does, as its hooks were told.
        case mergePlan(MergePlan)
        /// What became of an account that is gone.
        case tombstone(successor: AccountID?)
        /// How a merge can be undone.
        case undo(Store.UndoRecord)
        /// Suspends a change that the owner did not make.
        case changeReport(Store.ReversibleChange)
        /// That somebody who controls the mailbox says that all second factors were lost.
        case lostFactors
        /// That a seat signed up for an address which is not proved yet.
        case provisionalSignUp
    }

    /// What kind of capability it is, for revoking all of one kind.
    public enum Purpose: String, Sendable, Hashable, Codable, CaseIterable {
        /// Proving the address the account has.
        case verifyEmail
        /// Proving a new address and moving to it.
        case changeEmail
        /// Setting a new password.
        case resetPassword
        /// Taking an address change back.
        case recoverEmail
        /// Signing in or linking by mail.
        case signInLink
        /// A code sent to a number.
        case phoneCode
        /// Ownership of a number that belongs to another account.
        case phoneOwnership
        /// An identity that may still be linked.
        case pendingIdentity
        /// A sign-in that waits for a factor.
        case factorChallenge
        /// An unconfirmed seed.
        case totpSeed
        /// A token that was used up.
        case usedAssertion
        /// A merge or move under way.
        case mergeIntent
        /// What a merge or move does.
        case mergePlan
        /// What became of an account.
        case tombstone
        /// How a merge can be undone.
        case undo
        /// The right to contest a change.
        case changeReport
        /// The waiting of somebody who lost all factors.
        case lostFactors
        /// A sign-up that nobody else may learn of.
        case provisionalSignUp
    }

    /// What kind of capability it is.
    public var purpose: Purpose { content.purpose }
}

extension OneTimeRecord.Content {
    /// What kind of capability it belongs to.
    public var purpose: Store.OneTimeRecord.Purpose {
        switch self {
        case .verifyEmail: .verifyEmail
        case .changeEmail: .changeEmail
        case .resetPassword: .resetPassword
        case .recoverEmail: .recoverEmail
        case .signInLink: .signInLink
        case .phoneCode: .phoneCode
        case .phoneOwnership: .phoneOwnership
        case .pendingIdentity: .pendingIdentity
        case .factorChallenge: .factorChallenge
        case .totpSeed: .totpSeed
        case .usedAssertion: .usedAssertion
        case .mergeIntent: .mergeIntent
        case .mergePlan: .mergePlan
        case .tombstone: .tombstone
        case .undo: .undo
        case .changeReport: .changeReport
        case .lostFactors: .lostFactors
        case .provisionalSignUp: .provisionalSignUp
        }
    }
}
