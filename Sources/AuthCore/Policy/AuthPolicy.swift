/// Every choice that differs between products, as data.
///
/// Start from a preset and change what your product needs:
///
/// ```swift
/// var policy = AuthPolicy.standard
/// policy.recency.interval = .seconds(600)
/// policy.lifetimes.mailCode = .seconds(900)
/// policy.passwordRule = PasswordRule(minimumLength: 10)
/// policy.disabledProviders = [.anonymous]
/// let auth = Auth(providers: .simulated, policy: policy)
/// ```
public struct AuthPolicy: Sendable {
    /// How many accounts one address may have.
    public enum AccountsPerEmail: Sendable, Hashable, CaseIterable {
        /// One: an unknown identity with an owned address meets the owner.
        case one
        /// Several: an unknown identity always gets an account of its own.
        case multiple
    }

    /// What a caller who proved nothing may learn about accounts.
    public enum Disclosure: Sendable, Hashable, CaseIterable {
        /// Which address has an account, and whether it is the password that is wrong.
        case detailed
        /// Nothing by typing an address or a number: an unknown address and a wrong password look alike, and methods are
        /// not listed. Whether an address that a provider merely repeats meets a conflict follows from `joining`,
        /// `addressTrust` and `addressReservation`.
        case uniform
    }

    /// What happens when the last way into an account is to be removed.
    public enum LastMethod: Sendable, Hashable, CaseIterable {
        /// It goes, and the account cannot be entered any more.
        case removable
        /// It stays, with the error `lastMethod`.
        case kept
    }

    /// What happens when a different identity of a linked provider arrives with the account's own address.
    public enum RecycledSubject: Sendable, Hashable, CaseIterable {
        /// It takes the place of the linked one.
        case replaces
        /// It is a conflict.
        case conflicts
    }

    /// What a provider's profile does to the account's when an identity joins by its address.
    public enum JoinProfile: Sendable, Hashable, CaseIterable {
        /// It takes its place, and clears what the provider does not supply.
        case overwrites
        /// It fills what is empty.
        case fillsEmpty
    }

    /// Whether a phone sign-in is open to accounts with second factors.
    public enum PhoneWithFactors: Sendable, Hashable, CaseIterable {
        /// It is refused.
        case refused
        /// The factor is asked for as with every method.
        case asksForFactor
    }

    /// What becomes of the sessions that rest on a method when it goes.
    public enum RemovedMethod: Sendable, Hashable, CaseIterable {
        /// They go on.
        case keepsItsSessions
        /// They end with it.
        case endsItsSessions
    }

    /// When an unknown identity joins, silently, the account whose address its provider proves.
    public enum Joining: Sendable, Hashable, CaseIterable {
        /// Whenever the account proved the address too.
        case whenVerified
        /// Only if that proof is fresh and covers every method of the account, and nothing speaks against the issuer.
        case whenCovered
    }

    /// What becomes of an account whose address somebody else proves and its maker never did.
    public enum UnverifiedOwner: Sendable, Hashable, CaseIterable {
        /// Everything but the account itself goes, and the arrival takes it over.
        case stripped
        /// The same, but only where nothing else was ever proved and nothing hangs on it but the address; else a conflict.
        case adopted
    }

    /// What happens when a proven address would give way to an unproven one.
    public enum UnverifiedEmailChange: Sendable, Hashable, CaseIterable {
        /// It gives way.
        case allowed
        /// It stays until the new one is proved: `emailChangeNeedsVerification`.
        case needsVerification
    }

    /// What a password reset does to the account's identities.
    public enum PasswordResetEffect: Sendable, Hashable, CaseIterable {
        /// They all go.
        case removesFederated
        /// Those that the mailbox's owner may not know are suspended until they are confirmed.
        case suspendsDoubtful
    }

    /// Which addresses are an account's alone.
    public enum AddressReservation: Sendable, Hashable, CaseIterable {
        /// Every account's primary address.
        case everyAddress
        /// Proven ones, and those that a password or mailed links hang on until a proof evicts them.
        case verifiedAddress
    }

    /// When an address change can be taken back, and by whom.
    public enum EmailRecoveryRule: Sendable, Hashable, CaseIterable {
        /// The first address ever left can come back, after changes that nobody proved.
        case firstAddress
        /// The address from before the chain of changes can come back, and what was added since is suspended.
        case everyChange
    }

    /// What raises an account's epoch, which ends all sessions but the acting one.
    public enum SessionRevocationTrigger: Sendable, Hashable, CaseIterable {
        /// An anonymous account gets its first method.
        case firstMethod
        /// An address is proved for the first time.
        case firstVerification
        /// The password changes.
        case passwordChange
        /// The address changes.
        case emailChange
        /// An address with a password is linked.
        case passwordLink
        /// The first factor is enrolled.
        case firstFactor
        /// A method is removed or replaced.
        case unlink
        /// An administrator opens an account again that was shut.
        case reopening
    }

    /// How many accounts one address may have.
    public var accountsPerEmail = AccountsPerEmail.one
    /// What a caller who proved nothing may learn.
    public var disclosure = Disclosure.detailed
    /// What a provider's word about an address is worth.
    public var addressTrust = AddressTrust.verifiedFlag
    /// When an unknown identity joins silently.
    public var joining = Joining.whenVerified
    /// What becomes of an account whose address somebody else proves.
    public var unverifiedOwner = UnverifiedOwner.stripped
    /// What happens when a proven address would give way to an unproven one.
    public var unverifiedEmailChange = UnverifiedEmailChange.allowed
    /// What a password reset does to the account's identities.
    public var passwordReset = PasswordResetEffect.removesFederated
    /// Which addresses are an account's alone.
    public var addressReservation = AddressReservation.everyAddress
    /// When an address change can be taken back.
    public var emailRecovery = EmailRecoveryRule.firstAddress
    /// What ends all sessions but the acting one.
    public var revokesSessionsOn: Set<SessionRevocationTrigger> = [.passwordChange, .emailChange, .passwordLink]
    /// For how long a proof of an address is good enough to join by; nil for ever.
    public var evidenceLifetime: Duration? = nil
    /// For how long a proof of a number is good enough for an account with other methods; nil for ever.
    public var phoneProofLifetime: Duration? = nil
    /// For how long an identity must have been linked to survive a password reset that does not cover it.
    public var settledAfter: Duration = .days(30)
    /// How senior a login must be to touch older methods; nil for any.
    public var seniority: Duration? = nil
    /// Whether the issuer of a removed identity never joins by itself again.
    public var blocksRemovedIssuers = false
    /// What happens when the last way in is to be removed.
    public var lastMethod = LastMethod.removable
    /// What happens when another identity of a linked provider arrives with the account's address.
    public var recycledSubject = RecycledSubject.replaces
    /// What a joining identity's profile does.
    public var joinProfile = JoinProfile.overwrites
    /// Whether phone sign-in is open to accounts with second factors.
    public var phoneWithFactors = PhoneWithFactors.refused
    /// What becomes of the sessions that rest on a method when it goes.
    public var removedMethod = RemovedMethod.keepsItsSessions
    /// How fresh a login must be, and for what.
    public var recency = Recency(interval: .minutes(5), operations: [.changeEmail, .changePassword, .delete])
    /// Whether what needs a recent login also needs a second factor, where the account has any.
    public var recencyNeedsFactor = false
    /// Whether the word of the app's own server counts as a login of its moment.
    public var customTokensAreRecent = true
    /// How wrong attempts slow down those who guess; nil for not at all.
    public var limits: AttemptLimits? = nil
    /// How many live mailed codes of one kind an account may have; a further one takes the oldest away.
    public var liveMailCodes = 5
    /// How many second factors an account may have; nil for no limit.
    public var factorLimit: Int? = nil
    /// Whether a change of factors needs one to have been shown in the session, where the account has any.
    public var factorChangeNeedsFactor = false
    /// What a password must be.
    public var passwordRule = PasswordRule(minimumLength: 6)
    /// The providers that are switched off, whatever verifiers there are; who is signed in by one of them stays so.
    public var disabledProviders: Set<ProviderID> = []
    /// The federated providers that have a verifier, as the service finds them; nil where nobody has looked.
    var verifiedProviders: Set<ProviderID>? = nil
    /// Whether all proven addresses are told of every change of methods, factors or the address, and may contest it.
    public var sendsNotices = false
    /// For how long a person's deletion can be taken back by signing in; nil for not at all.
    public var deletionGrace: Duration? = nil
    /// After how long an account goes of which nothing was ever proved and in which nobody is signed in; nil for
    /// never.
    public var unverifiedLifetime: Duration? = nil
    /// Whether signing up tells nobody that an address is taken: until it is proved, the account is provisional.
    public var concealsSignUp = false
    /// How long somebody who lost all factors waits after proving the mailbox; nil where lost factors are for
    /// administrators.
    public var factorRecoveryWait: Duration? = nil
    /// Whether what ends the other sessions also ends the changes of address that were asked for and not completed.
    public var endsAddressChanges = false
    /// How long one-time things last.
    public var lifetimes = Lifetimes()

    /// A policy that follows Firebase's own server, with its artefacts set right.
    public static let firebase = AuthPolicy()

    /// The safe choice: what Firebase documents, closed against the known attacks on account linking.
    public static let standard: AuthPolicy = {
        var policy = AuthPolicy()
        policy.disclosure = .uniform
        policy.addressTrust = .authorities(.wellKnown)
        policy.joining = .whenCovered
        policy.unverifiedOwner = .adopted
        policy.unverifiedEmailChange = .needsVerification
        policy.passwordReset = .suspendsDoubtful
        policy.addressReservation = .verifiedAddress
        policy.emailRecovery = .everyChange
        policy.revokesSessionsOn = Set(SessionRevocationTrigger.allCases)
        policy.evidenceLifetime = .days(365)
        policy.phoneProofLifetime = .days(90)
        policy.seniority = .days(7)
        policy.blocksRemovedIssuers = true
        policy.lastMethod = .kept
        policy.recycledSubject = .conflicts
        policy.joinProfile = .fillsEmpty
        policy.phoneWithFactors = .asksForFactor
        policy.removedMethod = .endsItsSessions
        policy.recency = Recency(interval: .minutes(5), operations: Set(SensitiveOperation.allCases))
        policy.recencyNeedsFactor = true
        policy.customTokensAreRecent = false
        policy.limits = AttemptLimits()
        policy.factorLimit = 5
        policy.deletionGrace = .days(7)
        policy.unverifiedLifetime = .days(30)
        policy.factorRecoveryWait = .hours(72)
        policy.factorChangeNeedsFactor = true
        policy.passwordRule = PasswordRule(minimumLength: 8)
        policy.sendsNotices = true
        policy.endsAddressChanges = true
        policy.lifetimes.signInLink = .minutes(10)
        return policy
    }()

    init() {}
}

extension AuthPolicy {
    /// How long one-time things last.
    public struct Lifetimes: Sendable, Hashable {
        /// A code that was mailed to prove an address, to move to one, or to set a password.
        public var mailCode: Duration = .hours(1)
        /// A link that was mailed to sign in by.
        public var signInLink: Duration = .hours(1)
        /// A code that was sent to a number.
        public var phoneCode: Duration = .minutes(10)
        /// An identity that met a conflict.
        public var pendingIdentity: Duration = .minutes(10)
        /// A challenge for a second factor.
        public var factorChallenge: Duration = .minutes(10)
        /// The right to take an address change back.
        public var emailRecovery: Duration = .days(14)
        /// The right to say that a change was not one's own.
        public var notice: Duration = .days(14)

        /// The time that a merge's hooks have to prepare, for which both accounts' methods are held still.
        public var mergeIntent: Duration = .minutes(15)
        /// The time in which a merge can be undone; nothing is kept for it where this is 0.
        public var mergeUndo: Duration = .days(7)

        /// An ID token.
        public var idToken: Duration = .hours(1)

        /// The lifetimes that are named here.
        public init() {}
    }
}
