extension Store {
    /// An address change that can be undone.
    public struct EmailRecovery: Sendable, Hashable, Codable {
        /// The address to restore.
        public let restores: EmailAddress
        /// The address that is replaced by the restored one.
        public let replaced: EmailAddress?
        /// The account's method counter at the time of the change; methods added later are suspended.
        public let generation: UInt32
        /// Whether undoing the change also suspends the methods that were added later.
        public let suspendsLaterMethods: Bool
        /// The recovery codes at the time of the change, since those that were made later are removed; nil if none are.
        public let recoveryCodes: [SecondFactor.RecoveryCode]?

        /// Creates a change with these values.
        public init(
            restores: EmailAddress,
            replaced: EmailAddress?,
            generation: UInt32,
            suspendsLaterMethods: Bool,
            recoveryCodes: [SecondFactor.RecoveryCode]? = nil
        ) {
            self.restores = restores
            self.replaced = replaced
            self.generation = generation
            self.suspendsLaterMethods = suspendsLaterMethods
            self.recoveryCodes = recoveryCodes
        }
    }

    /// A code that was sent to a number, as a keyed hash.
    public struct PhoneCode: Sendable, Hashable, Codable {
        /// What the code can be used for.
        public enum Use: Sendable, Hashable, Codable {
            /// Signing in, linking, or changing the number.
            case method
            /// Enrolling the number as a factor of this account.
            case enrollment(AccountID)
            /// Answering the challenge with this ID with this factor.
            case challenge(OneTimeRecordID, SecondFactor.ID)
        }

        /// The number it was sent to.
        public let number: PhoneNumber
        /// The keyed hash of the digits.
        public let hash: [UInt8]
        /// What it can be used for.
        public let use: Use

        /// Creates a code with these values.
        public init(number: PhoneNumber, hash: [UInt8], use: Use) {
            self.number = number
            self.hash = hash
            self.use = use
        }
    }

    /// A verified identity that caused a conflict and can still be linked or signed in with.
    public struct PendingIdentity: Sendable, Hashable, Codable {
        /// What the provider asserted.
        public let assertion: ProviderAssertion
        /// The account that the conflict is with, if the conflict named one.
        public let target: AccountID?

        /// Creates a pending identity with these values.
        public init(assertion: ProviderAssertion, target: AccountID?) {
            self.assertion = assertion
            self.target = target
        }
    }

    /// An operation that waits for a second factor.
    public struct FactorChallenge: Sendable, Hashable, Codable {
        /// What is done once the factor is presented.
        public enum Purpose: Sendable, Hashable, Codable {
            /// A sign-in.
            case signIn
            /// A reauthentication of the session.
            case reauthentication(SessionID)
            /// A change of methods that the session requested.
            case change(SessionID)
            /// A change that replaces a provider's method with the verified one, or adds it if there is none.
            case replacement(SessionID, of: ProviderID, addsIfMissing: Bool)
            /// The proof for one side of a merge or move, or for undoing one; it cannot be used to sign in.
            case merge
        }

        /// What is done once the factor is presented.
        public internal(set) var purpose: Purpose
        /// What the first factor verified.
        public let proof: StoredProof
        /// When that was verified; the login counts from then.
        public let verifiedAt: Timestamp
        /// The pending identity that is linked once the factor is presented, if this answers a conflict.
        public internal(set) var completes: OneTimeRecordID?
        /// The password that was presented in the same attempt, which stays if the account is adopted.
        public var retained: StoredProof?

        /// Creates a challenge with these values.
        public init(purpose: Purpose, proof: StoredProof, verifiedAt: Timestamp, completes: OneTimeRecordID?) {
            self.purpose = purpose
            self.proof = proof
            self.verifiedAt = verifiedAt
            self.completes = completes
        }
    }

    /// A proof that can be stored while a factor is requested; it never contains the presented credential.
    public enum StoredProof: Sendable, Hashable, Codable {
        /// The account's password in this generation; the new hash is set if parameters were raised since.
        case password(AccountID, EmailAddress, generation: UInt32, rehashed: PasswordHash?)
        /// Control of a mailbox, by the one-time record with this ID.
        case mailbox(EmailAddress, OneTimeRecordID)
        /// Control of a number, by the one-time record with this ID.
        case phone(PhoneNumber, OneTimeRecordID)
        /// An identity, and the pending identity that it came from.
        case federated(ProviderAssertion, pending: OneTimeRecordID?)
        /// A token that the app's own server signed.
        case customToken(AccountID, [String: ClaimValue])
        /// The password that the change sets, already hashed.
        case newPassword(EmailAddress, PasswordHash)
    }

    /// A visit to a provider, and everything that its end must agree with.
    public struct Authorization: Sendable, Hashable, Codable {
        /// What the person comes back for.
        public enum Intent: Sendable, Hashable, Codable {
            /// Signing in.
            case signIn
            /// Linking the provider to the account, in the session that asked.
            case link(SessionID)
            /// Reauthenticating the session that asked.
            case reauthentication(SessionID)
        }

        /// What the person comes back for.
        public let intent: Intent
        /// The provider.
        public let provider: ProviderID
        /// Where the provider sends the person back to.
        public let redirectURI: String
        /// The verifier of PKCE and the nonce, sealed.
        public let sealed: [UInt8]

        /// Creates a visit with these values.
        public init(intent: Intent, provider: ProviderID, redirectURI: String, sealed: [UInt8]) {
            self.intent = intent
            self.provider = provider
            self.redirectURI = redirectURI
            self.sealed = sealed
        }
    }

    /// A merge or move that has begun.
    public struct MergeIntent: Sendable, Hashable, Codable {
        /// The phase of the merge.
        public enum Phase: String, Sendable, Hashable, Codable {
            /// Hooks are asked to prepare.
            case preparing
            /// All hooks have prepared.
            case prepared
            /// The merge was committed; hooks are notified.
            case committed
            /// The merge was canceled; hooks are notified.
            case aborted
            /// The merge was undone; hooks are notified.
            case undone
        }

        /// The account that is merged, or that the identity leaves.
        public let source: AccountID
        /// The account that receives the methods.
        public let target: AccountID
        /// The source's session generation when both sides were verified.
        public let sourceSessionGeneration: UInt32
        /// The target's session generation when both sides were verified.
        public let targetSessionGeneration: UInt32
        /// The phase of the merge.
        public var phase: Phase
        /// The names of the hooks that have answered.
        public var prepared: [String]

        /// Creates an intent with these values.
        public init(
            source: AccountID,
            target: AccountID,
            sourceSessionGeneration: UInt32,
            targetSessionGeneration: UInt32,
            phase: Phase,
            prepared: [String]
        ) {
            self.source = source
            self.target = target
            self.sourceSessionGeneration = sourceSessionGeneration
            self.targetSessionGeneration = targetSessionGeneration
            self.phase = phase
            self.prepared = prepared
        }
    }

    /// What undoing a merge restores.
    public struct UndoRecord: Sendable, Hashable, Codable {
        /// The account that was merged.
        public let source: Account
        /// The account that received the methods.
        public let target: AccountID
        /// The methods that moved, by their generation on the target.
        public let moved: [UInt32]
        /// The factors that moved.
        public let movedFactors: [SecondFactor.ID]
        /// How old the oldest of what the source had before the merge is, also of what did not move.
        public var sourceOldest: Timestamp?
        /// How old the oldest of what the target had before the merge is.
        public var targetOldest: Timestamp?

        /// Creates a record with these values.
        public init(source: Account, target: AccountID, moved: [UInt32], movedFactors: [SecondFactor.ID]) {
            self.source = source
            self.target = target
            self.moved = moved
            self.movedFactors = movedFactors
        }
    }

    /// A change that the owner can report as unauthorized.
    public struct ReversibleChange: Sendable, Hashable, Codable {
        /// The methods the change added, by generation.
        public var methods: [UInt32] = []
        /// The factors the change added.
        public var factors: [SecondFactor.ID] = []
        /// The address the change set.
        public var email: EmailAddress?
        /// The recovery codes the change made.
        public var recoveryCodes: [SecondFactor.RecoveryCode]?
        /// When the deletion that the change requested becomes final.
        public var deletedUntil: Timestamp?
        /// The address that was notified, if it can report the change only while the change is in effect.
        public var notifiedAddress: EmailAddress?
        /// If the change set an address: an owner who verified it before this time keeps the right to it.
        public var ownedBefore: Timestamp?
        /// The merge or move that made the change.
        public var merge: Merge.ID?

        /// Creates a change with these values.
        public init(
            methods: [UInt32] = [],
            factors: [SecondFactor.ID] = [],
            email: EmailAddress? = nil,
            recoveryCodes: [SecondFactor.RecoveryCode]? = nil,
            deletedUntil: Timestamp? = nil,
            notifiedAddress: EmailAddress? = nil
        ) {
            self.methods = methods
            self.factors = factors
            self.email = email
            self.recoveryCodes = recoveryCodes
            self.deletedUntil = deletedUntil
            self.notifiedAddress = notifiedAddress
        }
    }
}
