extension Store {
    /// A one-time record with an expiry: a code, a challenge, a pending link, a merge intent, a tombstone, an undo
    /// record.
    ///
    /// It is read on load and consumed by the commit, not before: a refused attempt does not use up a code, unless a
    /// conflict keeps what the code verified.
    public struct OneTimeRecord: Sendable, Hashable, Codable {
        /// The ID of the record.
        public let key: OneTimeRecordID
        /// The account that it is about, if there is one.
        public let account: AccountID?
        /// When it was created.
        public let createdAt: Timestamp
        /// When it expires; nil for never.
        public let expiresAt: Timestamp?
        /// The only device that may use it, if it is bound to one.
        public let device: DeviceKey?
        /// The only session generation of the account in which it is valid, if it is bound to one.
        public internal(set) var sessionGeneration: UInt32?
        /// What it is for, and everything it is bound to.
        public var content: Content

        /// Creates a record with these values.
        public init(
            key: OneTimeRecordID,
            account: AccountID?,
            createdAt: Timestamp,
            expiresAt: Timestamp?,
            device: DeviceKey? = nil,
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

        /// Whether it has not expired.
        public func isLive(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }
    }
}

extension OneTimeRecord {
    /// What a one-time record is for.
    ///
    /// By reference: the largest case, a challenge, is many times the size of most others.
    public indirect enum Content: Sendable, Hashable, Codable {
        /// Verifies the account's address.
        case verifyEmail(EmailAddress, askedBy: SessionID? = nil)
        /// Verifies a new address and changes the account's address to it.
        case changeEmail(from: EmailAddress, to: EmailAddress, askedBy: SessionID? = nil)
        /// Sets a new password.
        case resetPassword(EmailAddress)
        /// Undoes an address change.
        case recoverEmail(Store.EmailRecovery)
        /// Signs in or links the owner of the mailbox.
        case signInLink(EmailAddress)
        /// A code that was sent to a number.
        case phoneCode(Store.PhoneCode)
        /// Records that a person verified a number which belongs to another account.
        case phoneOwnership(PhoneNumber)
        /// Records that a person opened a mailed link which met a conflict.
        case mailboxOwnership(EmailAddress)
        /// An identity that can still be linked or signed in with.
        case pendingIdentity(Store.PendingIdentity)
        /// A sign-in, or a change of methods, that waits for a second factor.
        case factorChallenge(Store.FactorChallenge)
        /// The sealed seed of an authenticator app, displayed and not yet confirmed.
        case totpSeed([UInt8])
        /// A single-use token that was presented.
        case usedAssertion
        /// A person was sent to a provider, and can come back once.
        case authorization(Store.Authorization)
        /// A merge or move between its first hook and its commit.
        case mergeIntent(Store.MergeIntent)
        /// What a merge or move does, as reported to its hooks.
        case mergePlan(Merge.Plan)
        /// What happened to a deleted or merged account.
        case tombstone(successor: AccountID?)
        /// How a merge can be undone.
        case undo(Store.UndoRecord)
        /// Reports an unauthorized change, and suspends what it added.
        case changeReport(Store.ReversibleChange)
        /// Records that a person who controls the mailbox reported all second factors as lost.
        case lostFactors
        /// Records that a device signed up for an address which is not verified yet.
        case provisionalSignUp
        /// What an ID token with a nonce of this service may be used for.
        case nonce(Store.Authorization.Intent)
    }

    /// The kind of a one-time record, used to revoke all records of one kind.
    public enum Purpose: String, Sendable, Hashable, Codable, CaseIterable {
        /// Verifying the account's address.
        case verifyEmail
        /// Verifying a new address and changing to it.
        case changeEmail
        /// Setting a new password.
        case resetPassword
        /// Undoing an address change.
        case recoverEmail
        /// Signing in or linking by mail.
        case signInLink
        /// A code sent to a number.
        case phoneCode
        /// Verification of a number that belongs to another account.
        case phoneOwnership
        /// Verification of a mailbox that met a conflict.
        case mailboxOwnership
        /// An identity that can still be linked.
        case pendingIdentity
        /// A sign-in or change that waits for a second factor.
        case factorChallenge
        /// An unconfirmed seed.
        case totpSeed
        /// A single-use token that was presented.
        case usedAssertion
        /// A visit to a provider.
        case authorization
        /// A merge or move that has begun.
        case mergeIntent
        /// What a merge or move does.
        case mergePlan
        /// What happened to a deleted or merged account.
        case tombstone
        /// How a merge can be undone.
        case undo
        /// Reporting an unauthorized change.
        case changeReport
        /// The waiting time of a person who lost all factors.
        case lostFactors
        /// A sign-up for an address that is not verified yet, which is concealed from other people.
        case provisionalSignUp
        /// What an ID token with a nonce of this service may be used for.
        case nonce
    }

    /// The kind of record.
    public var purpose: Purpose { content.purpose }
}

extension OneTimeRecord.Content {
    /// The session that asked for the code.
    var asker: SessionID? {
        switch self {
        case .verifyEmail(_, let asker), .changeEmail(_, _, let asker): asker
        default: nil
        }
    }

    /// The account that a stored conflict is about.
    var pendingTarget: AccountID? { if case .pendingIdentity(let pending) = self { pending.target } else { nil } }

    /// The kind of record that has this content.
    public var purpose: Store.OneTimeRecord.Purpose {
        switch self {
        case .verifyEmail: .verifyEmail
        case .changeEmail: .changeEmail
        case .resetPassword: .resetPassword
        case .recoverEmail: .recoverEmail
        case .signInLink: .signInLink
        case .phoneCode: .phoneCode
        case .phoneOwnership: .phoneOwnership
        case .mailboxOwnership: .mailboxOwnership
        case .pendingIdentity: .pendingIdentity
        case .factorChallenge: .factorChallenge
        case .totpSeed: .totpSeed
        case .usedAssertion: .usedAssertion
        case .authorization: .authorization
        case .mergeIntent: .mergeIntent
        case .mergePlan: .mergePlan
        case .tombstone: .tombstone
        case .undo: .undo
        case .changeReport: .changeReport
        case .lostFactors: .lostFactors
        case .provisionalSignUp: .provisionalSignUp
        case .nonce: .nonce
        }
    }
}
