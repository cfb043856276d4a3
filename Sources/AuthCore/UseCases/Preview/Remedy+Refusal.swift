extension Remedy {
    /// The remedies for this refusal under this policy, the most suitable first.
    static func all(for refusal: Refusal, under policy: AuthPolicy) -> [Remedy] {
        if case .conflict(let conflict) = refusal.detail, refusal.code == .accountExistsWithDifferentCredential {
            // A number has no mailbox, a mailed link has verified it already, or none is mailed here.
            return conflict.email == nil || conflict.provider == .password || policy.refusal(of: .emailLink) != nil
                ? [.signInWithExistingMethod, .createSeparateAccount]
                : [.signInWithExistingMethod, .proveMailbox, .createSeparateAccount]
        }
        return switch refusal.reason {
        case .loginIsNotRecent, .sessionIsOver, .accountIsGone, .tokenIsNotOurs, .tokenIsOutdated, .tokenHasExpired,
            .credentialIsOfAnother:
            [.signInAgain]
        case .loginIsNotSenior: [.showOlderMethod, .waitOnTheAccount]
        case .secondFactorIsOwed: [.showSecondFactor]
        case .identityIsOwned, .numberIsOwned, .addressIsOwned: [.useOwningAccount]
        case .providerIsLinked: [.replaceExisting]
        case .methodIsTheLast: [.addAnotherMethod]
        case .addressStaysUntilVerified, .addressIsNotVerified: [.verifyAddress]
        case .attemptsMustWait: [.wait]
        case .accountIsDisabled: [.askAdministrator]
        case .methodIsSuspended: [.confirmSuspended]
        case .codeIsExpired, .codeIsUnknown, .codeIsOutdated, .codeIsWrong, .codeIsForSomethingElse,
            .codeIsOfAnotherDevice, .assertionWasUsed, .nonceIsMissing, .nonceIsOver, .pendingIdentityIsOver,
            .pendingIdentityIsOfAnotherDevice,
            .credentialIsWrong, .passwordDiffers, .passwordWasReplaced:
            [.proveAnew]
        case .providerIsSwitchedOff, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword,
            .providerIsNotLinked:
            [.useAnotherMethod]
        default: []
        }
    }
}
