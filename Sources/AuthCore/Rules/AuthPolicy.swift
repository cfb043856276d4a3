#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Every choice that differs between products, as data.
///
/// Start from a preset and change what your product needs: `var policy = AuthPolicy.firebase`.
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
        /// Nothing: an unknown address and a wrong password look alike, and methods are not listed.
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

    /// How many accounts one address may have.
    public var accountsPerEmail = AccountsPerEmail.one
    /// What a caller who proved nothing may learn.
    public var disclosure = Disclosure.detailed
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
    public var recency = Recency(interval: 300, operations: [.changeEmail, .changePassword, .delete])
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
    /// The providers that are switched off, whatever verifiers there are.
    public var disabledProviders: Set<ProviderID> = []
    /// How long one-time things last.
    public var lifetimes = Lifetimes()

    /// A policy that follows Firebase's own server, with its artefacts set right.
    public static let firebase = AuthPolicy()

    package init() {}
}

extension AuthPolicy {
    /// How long one-time things last, in seconds.
    public struct Lifetimes: Sendable, Hashable {
        /// A code or link that was mailed.
        public var mailCode: Double = 3600
        /// A code that was sent to a number.
        public var phoneCode: Double = 600
        /// An identity that met a conflict.
        public var pendingIdentity: Double = 600
        /// A challenge for a second factor.
        public var factorChallenge: Double = 600
        /// The right to take an address change back.
        public var emailRecovery: Double = 14 * 86400

        /// An ID token.
        public var idToken: Double = 3600

        /// The lifetimes that are named here.
        public init() {}
    }
}
