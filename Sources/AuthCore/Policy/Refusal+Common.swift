/// The refusals that several operations share.
extension Refusal {
    /// The facts contradict each other.
    static let contradiction = Refusal(.internalError, .factsContradict)
    /// The account is disabled.
    static let accountDisabled = Refusal(.userDisabled, .accountIsDisabled)
    /// The account was merged into another one.
    static let accountMerged = Refusal(.accountMerged, .accountWasMerged)
    /// A pending merge locks the account's methods.
    static let accountBeingMerged = Refusal(.mergeInProgress, .accountIsBeingMerged)
    /// Another account owns the address.
    static let addressOwned = Refusal(.emailAlreadyInUse, .addressIsOwned)
    /// The account has the address already.
    static let addressTheSame = Refusal(.emailAlreadyInUse, .addressIsTheSame)
    /// No account has the address.
    static let addressUnknown = Refusal(.userNotFound, .addressIsUnknown)
    /// The address is not verified.
    static let addressUnverified = Refusal(.unverifiedEmail, .addressIsNotVerified)
    /// A second factor needs the verified address.
    static let factorNeedsAddress = Refusal(.unverifiedEmail, .factorNeedsAddress)
    /// The account has no address.
    static let addressMissing = Refusal(.missingEmail, .accountHasNoAddress)
    /// The verified address stays until the new one is verified.
    static let addressStays = Refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified)
    /// The caller must not learn whether another account owns the address, so it must be verified first.
    static let ownershipConcealed = Refusal(.emailChangeNeedsVerification, .disclosureIsWithheld)
    /// Another account owns the identity.
    static let identityOwned = Refusal(.credentialAlreadyInUse, .identityIsOwned)
    /// A method of the provider is already linked.
    static let providerLinked = Refusal(.providerAlreadyLinked, .providerIsLinked)
    /// No method of the provider is linked.
    static let providerNotLinked = Refusal(.noSuchProvider, .providerIsNotLinked)
    /// Without this method, the account has no method to sign in with.
    static let lastMethod = Refusal(.lastMethod, .methodIsTheLast)
    /// The method is suspended and cannot sign in.
    static let methodSuspended = Refusal(.rejectedCredential, .methodIsSuspended)
    /// The method is suspended and does not count as a proof.
    static let suspendedMethodPresented = Refusal(.invalidCredential, .methodIsSuspended)
    /// A phone number cannot sign in to an account with second factors.
    static let phoneIsNoFirstFactor = Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
    /// The number was verified too long ago.
    static let numberVerificationOld = Refusal(.requiresRecentLogin, .numberVerificationIsOld)
    /// The credential is wrong.
    static let credentialWrong = Refusal(.invalidCredential, .credentialIsWrong)
    /// The conflict was with another account.
    static let conflictWithAnother = Refusal(.userMismatch, .conflictIsWithAnother)
    /// There were too many attempts; the next one is allowed at this time, if that is known.
    static func attemptsMustWait(until time: Timestamp?) -> Refusal {
        Refusal(.tooManyRequests, .attemptsMustWait, retryAt: time)
    }
    /// The password is on a list of common or breached ones.
    static let passwordDenied = Refusal(.weakPassword, .passwordIsDenied)
    /// The login is not recent enough for the operation.
    static let loginNotRecent = Refusal(.requiresRecentLogin, .loginIsNotRecent)
    /// The login is newer than what it would change.
    static let loginNotSenior = Refusal(.requiresRecentLogin, .loginIsNotSenior)
    /// A second factor must be presented first.
    static let factorNotPresented = Refusal(.requiresRecentLogin, .secondFactorIsRequired)
    /// The account has no such factor.
    static let factorUnknown = Refusal(.multiFactorInfoNotFound, .factorIsUnknown)
    /// The number is a second factor of the account.
    static let factorEnrolled = Refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled)
    /// The challenge expired or was answered.
    static let challengeOver = Refusal(.invalidMultiFactorSession, .challengeIsOver)
    /// The account has changed since the code was made.
    static let codeOutdated = Refusal(.invalidActionCode, .codeIsOutdated)
    /// The code is for another purpose.
    static let codeForSomethingElse = Refusal(.invalidActionCode, .codeIsForSomethingElse)
    /// The code works elsewhere only.
    static let codeOfAnotherDevice = Refusal(.deviceMismatch, .codeIsOfAnotherDevice)
    /// The digits came too late.
    static let phoneCodeExpired = Refusal(.sessionExpired, .codeIsExpired)
    /// The accounts have changed since the merge was prepared.
    static let mergeOutdated = Refusal(.mergeNotPossible, .mergeIsOutdated)
    /// The merge is in another phase.
    static let mergeInOtherPhase = Refusal(.mergeInProgress, .mergeIsElsewhere)
    /// Nothing can be merged into an anonymous account.
    static let targetAnonymous = Refusal(.mergeNotPossible, .targetIsAnonymous)
}
