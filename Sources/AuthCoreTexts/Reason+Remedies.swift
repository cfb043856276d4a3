extension Reason {
    /// What a person can do about it, the most suitable first.
    package var remedies: [Remedy] {
        switch self {
        case .loginIsNotRecent, .sessionIsOver, .accountIsGone, .tokenIsNotOurs, .tokenIsOutdated, .tokenHasExpired,
            .credentialIsOfAnother:
            [.signInAgain]
        case .loginIsNotSenior: [.useOldestMethod, .waitUntilMethodIsOlder]
        case .secondFactorIsRequired: [.presentSecondFactor]
        case .identityIsOwned, .numberIsOwned, .addressIsOwned: [.useOwningAccount]
        case .providerIsLinked: [.replaceExisting]
        case .methodIsTheLast: [.addAnotherMethod]
        case .addressStaysUntilVerified, .addressIsNotVerified: [.verifyAddress]
        case .factorNeedsAddress: [.removeFactors]
        case .attemptsMustWait: [.wait]
        case .accountIsDisabled: [.askAdministrator]
        case .methodIsSuspended: [.confirmSuspended]
        case .codeIsExpired, .codeIsUnknown, .codeIsOutdated, .codeIsWrong, .codeIsForSomethingElse,
            .codeIsOfAnotherDevice, .assertionWasUsed, .nonceIsMissing, .nonceIsOver, .pendingIdentityIsOver,
            .pendingIdentityIsOfAnotherDevice,
            .credentialIsWrong, .passwordDiffers, .passwordWasReplaced:
            [.getNewCredential]
        case .providerIsDisabled, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword,
            .providerIsNotLinked:
            [.useAnotherMethod]
        default: []
        }
    }
}
