/// What several operations refuse, each named once.
extension Refusal {
    /// What cannot be was found; no facts lead to it.
    static let contradiction = Refusal(.internalError, .factsContradict)
    /// The account is disabled.
    static let accountDisabled = Refusal(.userDisabled, .accountIsDisabled)
    /// The account is gone.
    static let accountGone = Refusal(.userNotFound, .accountIsGone)
    /// The account was merged into another one.
    static let accountMerged = Refusal(.accountMerged, .accountWasMerged)
    /// A merge holds the account still.
    static let accountBeingMerged = Refusal(.mergeInProgress, .accountIsBeingMerged)
    /// The address is another account's own.
    static let addressOwned = Refusal(.emailAlreadyInUse, .addressIsOwned)
    /// No account has the address.
    static let addressUnknown = Refusal(.userNotFound, .addressIsUnknown)
    /// The address is not verified.
    static let addressUnverified = Refusal(.unverifiedEmail, .addressIsNotVerified)
    /// The account has no address.
    static let addressMissing = Refusal(.missingEmail, .accountHasNoAddress)
    /// The verified address stays until the new one is verified.
    static let addressStays = Refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified)
    /// The identity is another account's.
    static let identityOwned = Refusal(.credentialAlreadyInUse, .identityIsOwned)
    /// A method of the provider is linked already.
    static let providerLinked = Refusal(.providerAlreadyLinked, .providerIsLinked)
    /// No method of the provider is linked.
    static let providerNotLinked = Refusal(.noSuchProvider, .providerIsNotLinked)
    /// Nothing would be left that opens the account.
    static let lastMethod = Refusal(.lastMethod, .methodIsTheLast)
    /// The method is suspended, and does not sign in.
    static let methodSuspended = Refusal(.rejectedCredential, .methodIsSuspended)
    /// The method is suspended, and proves nothing.
    static let suspendedMethodShown = Refusal(.invalidCredential, .methodIsSuspended)
    /// A number does not sign in to an account with second factors.
    static let phoneIsNoFirstFactor = Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere)
    /// The number was verified too long ago.
    static let numberProofOld = Refusal(.requiresRecentLogin, .numberProofIsOld)
    /// The credential is wrong.
    static let credentialWrong = Refusal(.invalidCredential, .credentialIsWrong)
    /// The credential is another person's.
    static let credentialOfAnother = Refusal(.userMismatch, .credentialIsOfAnother)
    /// The conflict was with another account.
    static let conflictWithAnother = Refusal(.userMismatch, .conflictIsWithAnother)
    /// There were too many wrong attempts.
    static let attemptsMustWait = Refusal(.tooManyRequests, .attemptsMustWait)
    /// The login is too old for what is asked.
    static let loginNotRecent = Refusal(.requiresRecentLogin, .loginIsNotRecent)
    /// The login is younger than what it would touch.
    static let loginNotSenior = Refusal(.requiresRecentLogin, .loginIsNotSenior)
    /// A second factor has to be shown before.
    static let factorNotShown = Refusal(.requiresRecentLogin, .secondFactorIsOwed)
    /// The account has no such factor.
    static let factorUnknown = Refusal(.multiFactorInfoNotFound, .factorIsUnknown)
    /// The number is a second factor of the account.
    static let factorEnrolled = Refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled)
    /// The challenge is over.
    static let challengeOver = Refusal(.invalidMultiFactorSession, .challengeIsOver)
    /// The account has moved on from what the code was bound to.
    static let codeOutdated = Refusal(.invalidActionCode, .codeIsOutdated)
    /// The code is for something else.
    static let codeForSomethingElse = Refusal(.invalidActionCode, .codeIsForSomethingElse)
    /// The code works elsewhere only.
    static let codeOfAnotherDevice = Refusal(.deviceMismatch, .codeIsOfAnotherDevice)
    /// The digits came too late.
    static let phoneCodeExpired = Refusal(.sessionExpired, .codeIsExpired)
    /// What the merge was prepared for has changed.
    static let mergeOutdated = Refusal(.mergeNotPossible, .mergeIsOutdated)
    /// The merge is at another step.
    static let mergeElsewhere = Refusal(.mergeInProgress, .mergeIsElsewhere)
    /// Nothing can be merged into an anonymous account.
    static let targetAnonymous = Refusal(.mergeNotPossible, .targetIsAnonymous)
}
