extension Reason {
    /// What a person can do about it, the most suitable first.
    package var remedies: [Remedy] {
        switch self {
        case .loginIsNotRecent, .sessionIsOver, .accountWasMerged, .tokenIsNotOurs, .tokenIsOutdated, .tokenHasExpired,
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
            .pendingIdentityIsOfAnotherDevice:
            [.getNewCredential]
        case .credentialIsWrong, .passwordDiffers, .passwordWasReplaced: [.correctPassword]
        case .accountIsBeingMerged: [.wait]
        case .providerIsDisabled, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword:
            [.useAnotherMethod]
        default: []
        }
    }
}
