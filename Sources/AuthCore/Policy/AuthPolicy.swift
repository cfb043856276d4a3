/// The choices that differ between products.
///
/// Start from a preset and change what your product needs:
///
/// ```swift
/// var policy = AuthPolicy.standard
/// policy.recency.interval = .seconds(600)
/// policy.lifetimes.mailCode = .seconds(900)
/// policy.passwordRule.minimumLength = 10
/// policy.disabledProviders = [.anonymous]
/// let auth = Auth(providers: .simulated, policy: policy)
/// ```
///
/// A policy is `Codable`, so that it can be a file that is reviewed: durations are numbers of seconds, and null stands
/// for nil. A member that is unknown or missing is an error.
public struct AuthPolicy: Sendable {
    /// How many accounts one address may have.
    public enum AccountsPerEmail: String, Sendable, Hashable, Codable, CaseIterable {
        /// One: a new identity whose address belongs to an account is matched with that account.
        case one
        /// Several: a new identity always gets an account of its own.
        case multiple
    }

    /// What an unauthenticated caller may learn about accounts.
    public enum Disclosure: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whether an address has an account, and whether it is the password that is wrong.
        case detailed
        /// What Firebase's email enumeration protection leaves: an unknown address and a wrong password get the same
        /// answer, and methods are not listed for an address. That an account is disabled, that an address is taken,
        /// and the methods of the account that an identity conflicts with, still show.
        case protected
        /// An unknown address and a wrong password get the same answer, and methods are not listed. A sign-up tells
        /// that an address is taken, unless `concealsSignUp` is set. Whether an address that a provider only claims
        /// leads to a conflict follows from `joining`, `addressTrust` and `addressReservation`.
        case uniform
    }

    /// What happens when the last sign-in method of an account is to be removed.
    public enum LastMethod: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is removed, and no one can sign in to the account any more.
        case removable
        /// It is kept, and the operation fails with `lastMethod`, unless custom tokens sign in to the account.
        case kept
    }

    /// What happens when a different identity of a linked provider signs in with the account's own address.
    public enum RecycledSubject: String, Sendable, Hashable, Codable, CaseIterable {
        /// It replaces the linked identity.
        case replaces
        /// It is a conflict.
        case conflicts
    }

    /// What a provider's profile does to the account's profile when an identity is linked by its address.
    public enum JoinProfile: String, Sendable, Hashable, Codable, CaseIterable {
        /// It replaces the account's profile, and clears the fields that the provider does not supply.
        case overwrites
        /// It fills the empty fields.
        case fillsEmpty
    }

    /// Whether a phone number can sign in to an account with second factors.
    public enum PhoneWithFactors: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is refused.
        case refused
        /// The second factor is required, as with every method, and must be another number.
        case asksForFactor
    }

    /// What happens to the sessions that are based on a method when it is removed or its provider is disabled.
    public enum RemovedMethod: String, Sendable, Hashable, Codable, CaseIterable {
        /// They continue.
        case keepsItsSessions
        /// They end.
        case endsItsSessions
    }

    /// When a new identity is linked automatically to the account whose address its provider verifies.
    public enum Joining: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whenever the account has verified the address too.
        case whenVerified
        /// Only if that verification is recent and covers every method of the account, and the issuer is not blocked.
        case whenCovered
    }

    /// What happens to an account that never verified its address when another person verifies it.
    public enum UnverifiedOwner: String, Sendable, Hashable, Codable, CaseIterable {
        /// Everything is removed except the account and its second factors. The incoming identity takes the account
        /// over, after a factor was presented if there is one. A sign-in link does so only under
        /// ``Joining/whenVerified``. While a former address can still be restored, it is a conflict instead.
        case takenOver
        /// The same, but only if the account never verified anything and has only its address; else a conflict.
        case adopted
    }

    /// What happens when an unverified address would replace a verified one.
    public enum UnverifiedEmailChange: String, Sendable, Hashable, Codable, CaseIterable {
        /// It replaces the verified one.
        case allowed
        /// The verified one stays until the new one is verified: `emailChangeNeedsVerification`.
        case needsVerification
    }

    /// What a password reset does to the account's linked identities.
    public enum PasswordResetEffect: String, Sendable, Hashable, Codable, CaseIterable {
        /// It removes all of them.
        case removesFederated
        /// It suspends those that the owner of the mailbox may not know, until they are confirmed.
        case suspendsDoubtful
    }

    /// Which addresses belong to one account only.
    public enum AddressReservation: String, Sendable, Hashable, Codable, CaseIterable {
        /// Every account's primary address.
        case everyAddress
        /// Verified addresses, and those used by a password or sign-in links until another person verifies them.
        case verifiedAddress
    }

    /// When an address change can be undone, and to which address.
    public enum EmailRecoveryRule: String, Sendable, Hashable, Codable, CaseIterable {
        /// The first address of the account can be restored, after changes to unverified addresses.
        case firstAddress
        /// The address from before a series of changes can be restored, and the methods added since then are suspended.
        case everyChange
    }

    /// What raises an account's session generation, which ends all sessions except the acting one.
    public enum SessionRevocationTrigger: String, Sendable, Hashable, Codable, CaseIterable {
        /// An account without a method gets its first one.
        case firstMethod
        /// An address is verified for the first time.
        case firstVerification
        /// The password changes.
        case passwordChange
        /// The address changes at once; a change that a mailed link verifies ends no session.
        case emailChange
        /// An address with a password is linked.
        case passwordLink
        /// The first factor is enrolled.
        case firstFactor
        /// A method is removed or replaced.
        case unlink
        /// An administrator enables a disabled account.
        case accountEnabled
    }

    /// Where linking an identity, and authenticating again by one, needs a nonce that the service made for it.
    public enum LinkNonce: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nowhere.
        case never
        /// On a server: everywhere but where the engine runs inside the app.
        case onServers
        /// Everywhere.
        case always
    }

    /// How many accounts one address may have.
    public var accountsPerEmail = AccountsPerEmail.one
    /// What an unauthenticated caller may learn about accounts.
    public var disclosure = Disclosure.detailed
    /// How the assurance of a provider's address is determined.
    public var addressTrust = AddressTrust.verifiedFlag
    /// When a new identity is linked automatically.
    public var joining = Joining.whenVerified
    /// What happens to an account that never verified its address when another person verifies it.
    public var unverifiedOwner = UnverifiedOwner.takenOver
    /// What happens when an unverified address would replace a verified one.
    public var unverifiedEmailChange = UnverifiedEmailChange.allowed
    /// What a password reset does to the account's identities and to its number.
    public var passwordReset = PasswordResetEffect.removesFederated
    /// Which addresses belong to one account only.
    public var addressReservation = AddressReservation.everyAddress
    /// When an address change can be undone.
    public var emailRecovery = EmailRecoveryRule.firstAddress
    /// What ends all sessions except the acting one.
    public var revokesSessionsOn: Set<SessionRevocationTrigger> = [.passwordChange, .emailChange, .passwordLink]
    /// How long a verification of an address allows automatic linking; nil for no limit, as always at gmail.com.
    public var evidenceLifetime: Duration? = nil
    /// How long a verification of a number is enough where the account's owner can sign in by something else, and for a
    /// number that is to be the only method left; nil for no limit.
    public var phoneEvidenceLifetime: Duration? = nil
    /// How long an identity or a number that the mailbox covers must have been linked to stay after a password reset.
    public var settledAfter: Duration = .days(30)
    /// How old a login must be to change older methods; nil for no minimum.
    public var seniority: Duration? = nil
    /// Whether removing an identity blocks automatic linking for its issuer.
    public var blocksRemovedIssuers = false
    /// What happens when the last sign-in method is to be removed.
    public var lastMethod = LastMethod.removable
    /// What happens when a different identity of a linked provider signs in with the account's address.
    public var recycledSubject = RecycledSubject.replaces
    /// What the profile of an automatically linked identity does to the account's profile.
    public var joinProfile = JoinProfile.overwrites
    /// Whether a phone number can sign in to an account with second factors.
    public var phoneWithFactors = PhoneWithFactors.refused
    /// What happens to the sessions that are based on a method when it is removed or its provider is disabled.
    public var removedMethod = RemovedMethod.keepsItsSessions
    /// How recent a login must be, and for which operations.
    public var recency = Recency(interval: .minutes(5), operations: [.changeEmail, .changePassword, .delete])
    /// Whether operations that need a recent login also need a second factor, if the account has one.
    public var recencyNeedsFactor = false
    /// Whether a custom token from the app's own server counts as a login when it is presented; if not, it counts at
    /// the time that it states, or not at all.
    public var customTokensAreRecent = true
    /// How guesses, messages, new accounts and visits to providers are limited; nil for no limit on any of them.
    public var limits: AttemptLimits? = nil
    /// The maximum number of valid mailed codes per account that verify the address, and of those that change it or set
    /// a password; a further code invalidates the oldest of its kind.
    public var liveMailCodes = 5
    /// The maximum number of second factors per account; nil for no limit.
    public var factorLimit: Int? = nil
    /// Whether a session must have presented a second factor to change the factors, if the account has one.
    public var factorChangeNeedsFactor = false
    /// The requirements for a password.
    public var passwordRule = PasswordRule(minimumLength: 6)
    /// The disabled providers, whether or not they have verifiers; `removedMethod` decides about their sessions.
    public var disabledProviders: Set<ProviderID> = []
    /// The federated providers that have a verifier, as set by the service; nil if not set yet.
    var verifiedProviders: Set<ProviderID>? = nil
    /// Whether verified addresses are notified of each change of methods, factors or the address, and may report it.
    public var sendsNotices = false
    /// How long a person can cancel the deletion of their account by signing in, or by a new password by mail; nil if
    /// it cannot be canceled.
    public var deletionGrace: Duration? = nil
    /// How long an account without any verification and without sessions is kept; nil for no limit.
    ///
    /// A limit that is set later reaches an account at the account's next change.
    public var unverifiedLifetime: Duration? = nil
    /// Whether no one learns by naming an address that it is taken: a new account is provisional until its address is
    /// verified, and every other way to name an address needs its verification.
    ///
    /// Where it is false again, the password of an account that is still provisional signs in once the address is
    /// verified.
    public var concealsSignUp = false
    /// How long a person who lost all factors must wait after verifying the mailbox; nil if only administrators can
    /// remove lost factors.
    public var factorRecoveryWait: Duration? = nil
    /// Whether ending sessions also cancels address changes, and a new password mailed codes that set another one.
    ///
    /// The end of one session cancels what it asked for, and the end of all others cancels all.
    public var endsAddressChanges = false
    /// Where linking an identity, and authenticating again by one, needs a nonce that the service made for it.
    public var linkNonce = LinkNonce.never
    /// The lifetimes of one-time records.
    public var lifetimes = Lifetimes()
    /// How long sessions last, and how many an account may have.
    public var sessions = SessionLimits()
    /// When messages that could not be sent are tried again, and when they are given up.
    public var delivery = Delivery()

    /// The policy that follows Firebase's server, with its known faults corrected.
    ///
    /// It has one limit that Firebase does not state: an account has 1000 sessions at most, so that ending all of them
    /// stays a short write.
    public static let firebase: AuthPolicy = {
        var policy = AuthPolicy()
        policy.sessions.perAccount = 1000
        return policy
    }()

    /// The same with email enumeration protection, as new Firebase projects have it.
    public static let firebaseProtected: AuthPolicy = {
        var policy = AuthPolicy.firebase
        policy.disclosure = .protected
        return policy
    }()

    /// The recommended policy: what Firebase documents, protected against the known attacks on account linking.
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
        policy.phoneEvidenceLifetime = .days(90)
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
        policy.passwordRule = PasswordRule(minimumLength: 8, deniesCommon: true)
        policy.sendsNotices = true
        policy.endsAddressChanges = true
        policy.linkNonce = .onServers
        policy.lifetimes.signInLink = .minutes(10)
        policy.liveMailCodes = 50
        policy.sessions.idle = .days(30)
        policy.sessions.absolute = .days(180)
        policy.sessions.guestIdle = .days(90)
        policy.sessions.perAccount = 50
        return policy
    }()

    init() {}
}
