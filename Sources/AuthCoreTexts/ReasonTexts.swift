/// The sentences of the reasons.
enum ReasonTexts {
    /// One row per reason: its name, and a sentence that explains it.
    static let rows = """
        accountIsGone: The account does not exist, or does not exist any more.
        accountWasMerged: The account was merged into another one.
        accountIsDisabled: An administrator disabled the account.
        tokenIsNotOurs: The token was not issued here, or was changed.
        tokenIsOutdated: The token was issued before privileges changed in its session; the answer to that change \
            brought new tokens.
        refreshTokenWasReused: A refresh token was presented after it was exchanged or replaced, so it may be stolen.
        sessionGoesOn: The session is active and continues.
        serverVouches: The app's own server vouches for the person.
        signInKeepsAccount: The person signed in before the deletion was final, which cancels it.
        timeRanOut: The time that the policy allows has passed.
        loginIsNotSenior: What was presented is younger than what it would change or take away and not old enough yet, \
            or a notice can still report it.
        addressChangeIsReversible: The account's address was changed recently, and its former owner can still take \
            that back.
        addressStaysUntilVerified: A verified address stays until the new one is verified.
        ownerEvidenceIsNotFresh: The account's own verification of the address is missing, or too old for automatic \
            linking.
        methodsAreNotCovered: No verification of the address covers all methods of the account, or only the app's \
            server signs in to it.
        issuerIsBlocked: The owner removed an identity of this issuer, so identities of this issuer are no longer \
            linked automatically.
        accountIsAdopted: The account was never verified in any way, so the person who verifies its address adopts it.
        proofCoversEverything: The incoming identity is the owner's: the provider runs the mailbox, and a recent \
            verification covers all methods.
        addressIsReferencedElsewhere: An identity of another account has the address, which its provider once confirmed.
        addressIsOnlyClaimed: The provider did not check the address, so it says nothing about other accounts.
        numberVerificationIsOld: The number was verified too long ago to sign in to an account whose owner can sign in by something else.
        recoverySuspends: A recovery suspended the methods that the mailbox's owner may not know.
        loginIsNotRecent: The person's last authentication is too long ago for this operation.
        attemptsMustWait: There were too many attempts, messages or other requests; the next one has to wait, or needs \
            a new code.
        claimsAreNotAcceptable: The claims use reserved names or are too large.
        tokenHasExpired: The token has expired; its session may go on.
        sessionIsOver: The session was ended by its owner, by a change of the account, or because it expired.
        administratorDecides: An administrator requested it.
        importBringsAccount: An import creates the account as it was in the other system.
        accountIsThere: An account with the imported ID exists or existed, and an import overwrites nothing.
        providerIsDisabled: The policy disables this sign-in method.
        providerHasNoVerifier: The service has no verifier for this provider, so its credentials cannot be verified.
        providerIsLinked: The account already has a method of this provider.
        providerIsNotLinked: The account has no method of this provider.
        methodIsSuspended: The method is suspended until its owner confirms it.
        methodIsTheLast: Without this method, the account could not be signed in to any more.
        passwordIsTooShort: The password is shorter than the rule allows.
        passwordIsTooLong: The password is longer than the rule allows.
        passwordIsDenied: The password is on the list of denied passwords.
        passwordMatches: The password is the account's.
        passwordDiffers: The password is not the account's.
        passwordCannotBeChecked: The account's password hash cannot be checked here; for the caller, the password is \
            wrong.
        passwordWasReplaced: The password was right and was replaced before the sign-in was written.
        accountHasNoPassword: The account has no password that can be used.
        credentialIsWrong: The credential does not belong to any account; the caller is told nothing more.
        credentialIsOfAnother: The credential belongs to another account, or to no account.
        addressIsUnknown: No account has the address.
        unverifiedOwnerYields: An account that never verified the address yields it to the one that does.
        addressIsFree: No account has the address yet.
        addressIsOwned: Another account has the address.
        addressIsTheSame: The account has this address already.
        accountHasNoAddress: The account has no address to send a message to.
        addressIsRecovered: The owner of the former address reversed a change.
        numberIsFree: No account has the number yet.
        numberIsKnown: An account has the number.
        numberIsOwned: Another account has the number.
        mailboxIsVerified: A code that was mailed to the address was presented.
        mailboxWillProve: A code is sent to the mailbox, and its owner will verify the address with it.
        numberWillProve: A code is sent to the number, and its owner will verify the number with it.
        disclosureIsWithheld: The policy gives the same answer whether or not there is an account.
        methodsAreListed: The policy lists sign-in methods for any caller who asks.
        identityIsKnown: The identity belongs to this account, whatever address it has now.
        identityIsNew: No account has the identity, and the provider states no address, or accounts may share one.
        identityIsOwned: An account has the identity already.
        identityIsImpossible: No provider's assertion can have such an issuer or subject.
        bothSidesVerifyAddress: The provider's assurance verifies the address, and the account's owner verified it too.
        ownerNeverVerifiedAddress: The provider's assurance verifies the address, and the account's owner never did.
        providerIsNotAuthoritative: The provider's assurance is not enough to verify the address.
        otherSubjectIsLinked: The account has another identity of the same provider or issuer.
        unverifiedMethodsAreRemoved: Methods that the person who verified the address did not add were removed.
        separateAccountIsCreated: A new account is created with the verified address or number, and the old account \
            keeps the rest.
        pendingIdentityIsOver: The pending identity expired, was used, or never existed.
        conflictIsWithAnother: The conflict was with another account than the one that was signed in to.
        pendingIdentityIsOfAnotherDevice: The pending identity belongs to another device.
        nonceIsMissing: Linking and authenticating again need a nonce that was made here for that, and the token has none.
        nonceIsOver: The nonce was used, has expired, or was made for something else, another session or another device.
        assertionWasUsed: The token or its nonce may be used only once, and was used before.
        newAccountIsAnonymous: A person without a credential gets an account that only its session can use.
        codeIsUnknown: The code does not exist, or was used.
        codeIsExpired: The code has expired.
        codeIsWrong: The digits are not the ones that were sent.
        codeIsOfAnotherDevice: The code belongs to another device.
        codeIsOutdated: The account has changed since the code was made.
        linkIsForAnotherAddress: The link was mailed to another address than the person entered.
        codeIsForSomethingElse: The code was made for another purpose.
        secondFactorIsRequired: The account has a second factor, and none was presented.
        challengeIsOver: The challenge expired, was answered, or never existed.
        challengeIsOfAnotherDevice: The challenge belongs to another device.
        factorIsUnknown: The account has no such factor.
        factorIsEnrolled: The number is a factor of the account already.
        numberSignsIn: The number is already a sign-in method, so it cannot be a second factor.
        factorLimitIsReached: The account has as many factors as the policy allows.
        sessionMayNotEnroll: A session that began this way may not enroll a factor.
        addressIsNotVerified: The address is not verified, and the operation needs a verified one.
        factorNeedsAddress: A second factor needs the account's verified address, by which it is removed if it is lost.
        personChangesFactors: The person in the session changes the second factors.
        lostFactorsAreForAdministrators: The policy leaves lost factors to administrators.
        factorsAreLost: The person lost all factors, and verified enough or waited long enough to have them removed.
        phoneIsNoFirstFactorHere: The account has second factors, and a phone number cannot be the first factor of \
            such an account.
        personAddsMethod: The person in the session adds a method.
        personRemovesMethod: The person in the session removes a method.
        personReauthenticated: The person in the session authenticated again.
        textIsTooLong: A name or a link exceeds the length limit, or contains a NUL.
        personChangesProfile: The person in the session changes the profile.
        personChangesAddress: The person in the session changes the address.
        personChangesPassword: The person in the session changes the password.
        personDeletesAccount: The person in the session deletes the account.
        personSignsOut: The person in the session signs out.
        personEndsSessions: The person in the session ends other sessions.
        personAsksForCode: The person in the session asks for a code.
        ownerReportsChange: The reader of the account's mail reported that the owner did not make a change.
        accountIsBeingMerged: A merge or move that has begun locks the account's methods.
        personMergesAccounts: Both sides were verified, and the source account is merged into the target account.
        personMovesIdentity: Both sides were verified, and one identity moves to the other account.
        personUndoesMerge: A method from before the merge was verified, and its owner undoes the merge.
        credentialSignsInToNothing: The credential presented for a side of a merge belongs to no account.
        sidesAreTheSame: Both sides of the merge are the same account.
        sourceRequiresFactor: The source account has a second factor, which must be presented.
        targetRequiresFactor: The target account has a second factor, which must be presented.
        sessionIsNoProof: A session can verify a side of a merge only if its account is anonymous and has no method.
        targetIsAnonymous: The target account is anonymous; link to it, or merge in the other direction.
        choiceIsNotOffered: The password and the address cannot be chosen; those of the target account stay.
        mergeIsOutdated: The accounts have changed since the merge began, or its time is over.
        mergeIsElsewhere: The merge is too far advanced to be aborted, or has not reached this step yet.
        mergeIsAborted: The merge was not completed and is aborted.
        mergeIsFinished: The hooks were notified of how the merge ended, and the methods are unlocked.
        undoIsOver: The time in which the merge could be undone is over, or nothing that it moved can be moved back.
        methodIsNotFromBefore: The verified method did not exist before the merge.
        nothingCanReturn: No method that moved is still on the target unchanged, so nothing could sign in to the restored \
            account.
        factsContradict: The facts contradict each other; no rule covers them.
        """
}
