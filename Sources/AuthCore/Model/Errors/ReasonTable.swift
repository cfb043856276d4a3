/// The table of reasons: each name, and a sentence that explains it.
///
/// It is text, so that each row can be read in one place; it is parsed once, on first use.
struct ReasonTable {
    static let shared = ReasonTable(text)

    let reasons: [Reason]
    private let explanations: [Reason: String]

    subscript(reason: Reason) -> String? { explanations[reason] }

    private init(_ text: String) {
        var reasons: [Reason] = []
        var explanations: [Reason: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.first != " " {
                reasons.append(Reason(rawValue: String(line)))
            } else if let last = reasons.last {
                let sentence = words.joined(separator: " ")
                explanations[last] = explanations[last].map { "\($0) \(sentence)" } ?? sentence
            }
        }
        self.reasons = reasons
        self.explanations = explanations
    }

    private static let text = """
        accountIsGone
            The account does not exist, or does not exist any more.
        accountWasMerged
            The account was merged into another one.
        accountIsDisabled
            An administrator shut the account.
        tokenIsNotOurs
            The token was not issued here, or was changed.
        refreshTokenWasReused
            A refresh token came back after it was exchanged, so somebody else may have it.
        sessionGoesOn
            The session is alive and goes on.
        serverVouches
            The app's own server vouches for the person.
        signInKeepsAccount
            The person signs in while the deletion can be taken back, which takes it back.
        timeRanOut
            The time that the policy gives ran out.
        loginIsNotSenior
            The login is younger than what it is to touch, and too young on the account.
        addressStaysUntilVerified
            A proven address stays until the new one is proved.
        ownerProofIsNotFresh
            The account's own proof of the address is missing, or too old to join by.
        methodsAreNotCovered
            The account has methods that no proof of the address covers.
        issuerIsBlocked
            The owner removed an identity of this issuer, which therefore never joins by itself.
        accountIsAdopted
            The account was never proved in any way, and whoever proves its address takes it over.
        proofCoversEverything
            Everything speaks for the arrival being the owner: the provider runs the mailbox, and a fresh proof covers
            all.
        addressIsReferencedElsewhere
            Another account shows the address, which its provider once confirmed.
        addressIsOnlyClaimed
            The address is only what the provider was told, so it says nothing about other accounts.
        numberProofIsOld
            The number was proved too long ago to open an account that has other methods.
        recoverySuspends
            A recovery suspended what the mailbox's owner may not know.
        loginIsNotRecent
            The person last proved who they are too long ago for this.
        attemptsMustWait
            Too many wrong attempts; the next one has to wait.
        claimsAreNotAcceptable
            The claims use reserved names or are too large.
        sessionIsOver
            The session was ended, by its person, by a change of the account, or by time.
        administratorDecides
            An administrator asked for it.
        importBringsAccount
            An import brings the account as it was elsewhere.
        accountIsThere
            There is, or was, an account with the id that an import brings, and an import overwrites nothing.
        providerIsSwitchedOff
            The policy switches this way of signing in off.
        providerHasNoVerifier
            No verifier was given for this provider, so nobody can vouch for it.
        providerIsLinked
            The account already has a method of this provider.
        providerIsNotLinked
            The account has no method of this provider.
        methodIsSuspended
            The method is kept but was suspended until its owner confirms it.
        methodIsTheLast
            Without the method nobody could enter the account any more.
        passwordIsTooShort
            The password is shorter than the rule allows.
        passwordIsTooLong
            The password is longer than the rule allows.
        passwordIsDenied
            The password is on the list of denied passwords.
        passwordMatches
            The password is the account's.
        passwordDiffers
            The password is not the account's.
        passwordWasReplaced
            The password was right and was replaced before the sign-in was written.
        accountHasNoPassword
            The account has no password that can be used.
        credentialIsWrong
            The credential is not good for any account; strangers are told no more.
        credentialIsOfAnother
            The credential belongs to another person, or to nobody.
        addressIsUnknown
            No account has the address.
        unverifiedOwnerYields
            Who never proved the address gives way to who does.
        addressIsFree
            No account has the address yet.
        addressIsOwned
            Another account has the address.
        addressIsTheSame
            The account has this address already.
        accountHasNoAddress
            The account has no address that a message could go to.
        addressIsRecovered
            The first address took a change back.
        numberIsFree
            No account has the number yet.
        numberIsKnown
            An account has the number.
        numberIsOwned
            Another account has the number.
        mailboxIsVerified
            A code that was mailed to the address came back.
        mailboxWillProve
            A code goes to the mailbox, and its owner will prove it.
        numberWillProve
            A code goes to the number, and its owner will prove it.
        disclosureIsWithheld
            The policy answers alike whether there is an account or not.
        methodsAreListed
            The policy lists sign-in methods to anybody who asks.
        identityIsKnown
            The identity belongs to this account, whatever address it has now.
        identityIsNew
            No account has the identity, and accounts may share an address.
        identityIsOwned
            An account has the identity already.
        bothSidesVerifyAddress
            The provider's word proves the address, and so did its owner.
        ownerNeverVerifiedAddress
            The provider's word proves the address, and its owner never did.
        providerIsNotAuthoritative
            The provider's word about the address proves nothing.
        otherSubjectIsLinked
            The account has another identity of the same provider.
        unverifiedMethodsAreRemoved
            What the person who proved the address did not put there was removed.
        separateAccountIsCreated
            Who proved the address or number starts with a new account, and the old one keeps the rest.
        pendingIdentityIsOver
            The pending identity expired, was used, or never was.
        conflictIsWithAnother
            The conflict was with another account than the one that was signed in to.
        pendingIdentityIsOfAnotherDevice
            The pending identity belongs to another device.
        assertionWasUsed
            The token or its nonce may be used once, and was.
        newAccountIsAnonymous
            Somebody without a credential gets an account that only the device holds.
        codeIsUnknown
            The code does not exist, or was used.
        codeIsExpired
            The time of the code ran out.
        codeIsWrong
            The digits are not the ones that were sent.
        codeIsOfAnotherDevice
            The code belongs to another device.
        codeIsOutdated
            The account has moved on from what the code was made for.
        codeIsForSomethingElse
            The code was made for another purpose.
        secondFactorIsOwed
            The account has a second factor, and none was shown.
        challengeIsOver
            The challenge expired, was answered, or never was.
        challengeIsOfAnotherDevice
            The challenge belongs to another device.
        factorIsUnknown
            The account has no such factor.
        factorIsEnrolled
            The number is a factor of the account already.
        numberSignsIn
            The number signs in already, so it is no second factor.
        factorLimitIsReached
            The account has as many factors as the policy allows.
        sessionMayNotEnroll
            A session that began this way may not enrol a factor.
        addressIsNotVerified
            The account's address is not proved, so a lost factor could not be recovered.
        personChangesFactors
            The person in the session changes the second factors.
        lostFactorsAreForAdministrators
            The policy leaves lost factors to administrators.
        factorsAreLost
            The person lost all factors, and showed or waited for enough to have them taken off.
        phoneIsNoFirstFactorHere
            The account has second factors, and a number opens none that does.
        personAddsMethod
            The person in the session adds a method.
        personRemovesMethod
            The person in the session removes a method.
        personReauthenticated
            The person in the session proved again who they are.
        textIsTooLong
            A name or a link is longer than any real one, or has a NUL in it.
        personChangesProfile
            The person in the session changes the profile.
        personChangesAddress
            The person in the session changes the address.
        personChangesPassword
            The person in the session changes the password.
        personDeletesAccount
            The person in the session deletes the account.
        personSignsOut
            The person in the session signs out.
        personEndsSessions
            The person in the session ends other sessions.
        personAsksForCode
            The person in the session asks for a code.
        ownerReportsChange
            Whoever reads the account's mail says that a change was not the owner's doing.
        accountIsBeingMerged
            A merge or move that has begun holds the account's methods still.
        personMergesAccounts
            Both sides were proved, and one account goes into the other.
        personMovesIdentity
            Both sides were proved, and one identity moves to the other account.
        personUndoesMerge
            A method from before the merge was proved, and takes its side out again.
        credentialOpensNothing
            What was shown for a side of a merge opens no account.
        sidesAreTheSame
            Both sides of the merge are the same account.
        sourceOwesFactor
            The account that gives has a second factor, which has to be shown.
        targetOwesFactor
            The account that receives has a second factor, which has to be shown.
        sessionIsNoProof
            A session stands for a side only where the account is anonymous and has no method.
        targetIsAnonymous
            The account that receives is anonymous; link to it, or merge the other way round.
        addressChangeIsReversible
            The address of the account that gives was changed lately, and its former owner may still take that back.
        choiceIsNotOffered
            Nobody can choose whose password and address stay; those of the account that receives do.
        mergeIsOutdated
            What the merge was begun with is not so any more, or its time is over.
        mergeIsElsewhere
            The merge has gone too far to be called off, or is not so far yet.
        mergeIsCalledOff
            The merge did not go through and is called off.
        mergeIsFinished
            The hooks were told how the merge ended, and the methods are free again.
        undoIsOver
            The time in which the merge could be undone is over, or it moved nothing that could go back.
        methodIsNotFromBefore
            The method that was proved is not from before the merge.
        nothingCanReturn
            Nothing that moved is still there, unchanged, to open the other account with.
        factsContradict
            The facts contradict each other; no rule covers them.
        """
}
