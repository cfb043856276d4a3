extension Store {
    /// An address change that can be taken back.
    public struct EmailRecovery: Sendable, Hashable, Codable {
        /// The address to go back to.
        public let restores: EmailAddress
        /// The address from which the account is brought back.
        public let replaced: EmailAddress?
        /// The account's count of methods when the change was made; what came later is suspended.
        public let generation: UInt32
        /// Whether taking it back also suspends what was added since.
        public let suspendsLaterMethods: Bool

        package init(restores: EmailAddress, replaced: EmailAddress?, generation: UInt32, suspendsLaterMethods: Bool) {
            self.restores = restores
            self.replaced = replaced
            self.generation = generation
            self.suspendsLaterMethods = suspendsLaterMethods
        }
    }
}

extension Store {
    /// A code that was sent to a number, as a keyed hash.
    public struct PhoneCode: Sendable, Hashable, Codable {
        /// What the code may be used for.
        public enum Use: Sendable, Hashable, Codable {
            /// Signing in, linking, or changing the number.
            case method
            /// Enrolling the number as a factor of this account.
            case enrollment(AccountID)
            /// Answering the challenge with this key by this factor.
            case challenge(OneTimeRecordID, FactorID)
        }

        /// The number it was sent to.
        public let number: PhoneNumber
        /// The keyed hash of the digits.
        public let hash: [UInt8]
        /// What it may be used for.
        public let use: Use

        package init(number: PhoneNumber, hash: [UInt8], use: Use) {
            self.number = number
            self.hash = hash
            self.use = use
        }
    }
}

extension Store {
    /// A verified identity that met a conflict and may still be linked or signed in with.
    public struct PendingIdentity: Sendable, Hashable, Codable {
        /// What the provider asserted.
        public let assertion: ProviderAssertion
        /// The account that it met, if the conflict named one.
        public let target: AccountID?

        package init(assertion: ProviderAssertion, target: AccountID?) {
            self.assertion = assertion
            self.target = target
        }
    }
}

extension Store {
    /// What waits for a second factor.
    public struct FactorChallenge: Sendable, Hashable, Codable {
        /// What is done once the factor is shown.
        public enum Purpose: Sendable, Hashable, Codable {
            /// A sign-in with the first factor described by the basis.
            case signIn
            /// Renewing the session's proof.
            case reauthentication(SessionID)
            /// A change of methods that the session asked for.
            case change(SessionID)
            /// A change by which the proved method takes the place of a provider's; or is added, if there is none.
            case replacement(SessionID, of: ProviderID, addsIfMissing: Bool)
            /// Standing for one side of a merge or move, or undoing one; no sign-in can use it.
            case merge
        }

        /// What is done once the factor is shown.
        public let purpose: Purpose
        /// What the first factor proved.
        public let proof: StoredProof
        /// The identity whose link completes with the factor, when this answers a conflict.
        public let completes: OneTimeRecordID?
        /// The generation of the first factor's method, so that a replaced one ends the challenge.
        public let generation: UInt32?

        package init(purpose: Purpose, proof: StoredProof, completes: OneTimeRecordID?, generation: UInt32?) {
            self.purpose = purpose
            self.proof = proof
            self.completes = completes
            self.generation = generation
        }
    }
}

extension Store {
    /// A proof as it can be kept while a factor is asked for; it never holds what was presented.
    public enum StoredProof: Sendable, Hashable, Codable {
        /// Knowledge of the account's password in this generation.
        case password(AccountID, EmailAddress, generation: UInt32)
        /// Control of a mailbox, by the capability with this key.
        case mailbox(EmailAddress, OneTimeRecordID)
        /// Control of a number, by the capability with this key.
        case phone(PhoneNumber, OneTimeRecordID)
        /// An identity, with the pending one that it was made from.
        case federated(ProviderAssertion, pending: OneTimeRecordID?)
        /// A token that the app's own server signed.
        case customToken(AccountID, [String: ClaimValue])
        /// The password that the change sets, already hashed.
        case newPassword(EmailAddress, PasswordHash)
    }
}

extension Store {
    /// A merge or move that has begun.
    public struct MergeIntent: Sendable, Hashable, Codable {
        /// How far it got.
        public enum Phase: String, Sendable, Hashable, Codable {
            /// Hooks are being asked to prepare.
            case preparing
            /// All hooks are prepared.
            case prepared
            /// The commit happened; hooks are being told.
            case committed
            /// It was called off; hooks are being told.
            case aborted
            /// It was undone; hooks are being told.
            case undone
        }

        /// The account that gives.
        public let source: AccountID
        /// The account that receives.
        public let target: AccountID
        /// The source's epoch when both sides proved themselves.
        public let sourceSessionGeneration: UInt32
        /// The target's epoch when both sides proved themselves.
        public let targetSessionGeneration: UInt32
        /// The one identity that moves; nil when everything does.
        public let identity: IdentityKey?
        /// How far it got.
        public package(set) var phase: Phase
        /// The hooks that have answered, by name.
        public package(set) var prepared: [String]

        package init(
            source: AccountID,
            target: AccountID,
            sourceSessionGeneration: UInt32,
            targetSessionGeneration: UInt32,
            identity: IdentityKey?,
            phase: Phase,
            prepared: [String]
        ) {
            self.source = source
            self.target = target
            self.sourceSessionGeneration = sourceSessionGeneration
            self.targetSessionGeneration = targetSessionGeneration
            self.identity = identity
            self.phase = phase
            self.prepared = prepared
        }
    }
}

extension Store {
    /// What an undone merge gives back.
    public struct UndoRecord: Sendable, Hashable, Codable {
        /// The account that gave.
        public let source: Account
        /// The account that received.
        public let target: AccountID
        /// The methods that moved, by their generation on the target.
        public let moved: [UInt32]
        /// The factors that moved.
        public let movedFactors: [FactorID]

        package init(source: Account, target: AccountID, moved: [UInt32], movedFactors: [FactorID]) {
            self.source = source
            self.target = target
            self.moved = moved
            self.movedFactors = movedFactors
        }
    }
}

extension Store {
    /// A change that its owner may say they did not make.
    public struct ReversibleChange: Sendable, Hashable, Codable {
        /// The methods the change added, by generation.
        public let methods: [UInt32]
        /// The factors the change added.
        public let factors: [FactorID]
        /// The address the change set.
        public let email: EmailAddress?
        /// The recovery codes the change made.
        public let recoveryCodes: [RecoveryCode]?
        /// When the deletion that the change asked for is final.
        public let deletedUntil: Timestamp?
        /// The address that was told, if it can contest the change only as long as it stands.
        public internal(set) var toldTo: EmailAddress?

        package init(
            methods: [UInt32] = [],
            factors: [FactorID] = [],
            email: EmailAddress? = nil,
            recoveryCodes: [RecoveryCode]? = nil,
            deletedUntil: Timestamp? = nil,
            toldTo: EmailAddress? = nil
        ) {
            self.methods = methods
            self.factors = factors
            self.email = email
            self.recoveryCodes = recoveryCodes
            self.deletedUntil = deletedUntil
            self.toldTo = toldTo
        }
    }
}
