/// Why a rule decided as it did: a stable name that errors, events, tests and documents share.
public struct Reason: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    /// The reason's stable name.
    public let rawValue: String

    /// The reason with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The reason's stable name.
    public var description: String { rawValue }

    /// The reason in a sentence; its name where it is none of the library's.
    public var explanation: String { ReasonTable.shared[self] ?? rawValue }

    /// Every reason that the library gives, in the order in which they are declared.
    public static var all: [Reason] { ReasonTable.shared.reasons }
}

// MARK: Accounts and sessions

extension Reason {
    /// The account does not exist, or does not exist any more.
    public static let accountIsGone = Reason(rawValue: "accountIsGone")
    /// The account was merged into another one.
    public static let accountWasMerged = Reason(rawValue: "accountWasMerged")
    /// An administrator shut the account.
    public static let accountIsDisabled = Reason(rawValue: "accountIsDisabled")
    /// The token was not issued here, or was changed.
    public static let tokenIsNotOurs = Reason(rawValue: "tokenIsNotOurs")
    /// A refresh token came back after it was exchanged, so somebody else may have it.
    public static let refreshTokenWasReused = Reason(rawValue: "refreshTokenWasReused")
    /// The session is alive and goes on.
    public static let sessionGoesOn = Reason(rawValue: "sessionGoesOn")
    /// The app's own server vouches for the person.
    public static let serverVouches = Reason(rawValue: "serverVouches")
    /// The person signs in while the deletion can be taken back, which takes it back.
    public static let signInKeepsAccount = Reason(rawValue: "signInKeepsAccount")
    /// The time that the policy gives ran out.
    public static let timeRanOut = Reason(rawValue: "timeRanOut")
    /// The login is younger than what it is to touch, and too young on the account.
    public static let loginIsNotSenior = Reason(rawValue: "loginIsNotSenior")
    /// A proven address stays until the new one is proved.
    public static let addressStaysUntilVerified = Reason(rawValue: "addressStaysUntilVerified")
    /// The account's own proof of the address is missing, or too old to join by.
    public static let ownerProofIsNotFresh = Reason(rawValue: "ownerProofIsNotFresh")
    /// The account has methods that no proof of the address covers.
    public static let methodsAreNotCovered = Reason(rawValue: "methodsAreNotCovered")
    /// The owner removed an identity of this issuer, which therefore never joins by itself.
    public static let issuerIsBlocked = Reason(rawValue: "issuerIsBlocked")
    /// The account was never proved in any way, and whoever proves its address takes it over.
    public static let accountIsAdopted = Reason(rawValue: "accountIsAdopted")
    /// Everything speaks for the arrival being the owner: the provider runs the mailbox, and a fresh proof covers all.
    public static let proofCoversEverything = Reason(rawValue: "proofCoversEverything")
    /// Another account shows the address, which its provider once confirmed.
    public static let addressIsReferencedElsewhere = Reason(rawValue: "addressIsReferencedElsewhere")
    /// The address is only what the provider was told, so it says nothing about other accounts.
    public static let addressIsOnlyClaimed = Reason(rawValue: "addressIsOnlyClaimed")
    /// The number was proved too long ago to open an account that has other methods.
    public static let numberProofIsOld = Reason(rawValue: "numberProofIsOld")
    /// A recovery suspended what the mailbox's owner may not know.
    public static let recoverySuspends = Reason(rawValue: "recoverySuspends")
    /// The person last proved who they are too long ago for this.
    public static let loginIsNotRecent = Reason(rawValue: "loginIsNotRecent")
    /// Too many wrong attempts; the next one has to wait.
    public static let attemptsMustWait = Reason(rawValue: "attemptsMustWait")
    /// The claims use reserved names or are too large.
    public static let claimsAreNotAcceptable = Reason(rawValue: "claimsAreNotAcceptable")
    /// The session was ended, by its person, by a change of the account, or by time.
    public static let sessionIsOver = Reason(rawValue: "sessionIsOver")
    /// An administrator asked for it.
    public static let administratorDecides = Reason(rawValue: "administratorDecides")
    /// An import brings the account as it was elsewhere.
    public static let importBringsAccount = Reason(rawValue: "importBringsAccount")
    /// There is, or was, an account with the id that an import brings, and an import overwrites nothing.
    public static let accountIsThere = Reason(rawValue: "accountIsThere")
}

// MARK: Providers

extension Reason {
    /// The policy switches this way of signing in off.
    public static let providerIsSwitchedOff = Reason(rawValue: "providerIsSwitchedOff")
    /// No verifier was given for this provider, so nobody can vouch for it.
    public static let providerHasNoVerifier = Reason(rawValue: "providerHasNoVerifier")
    /// The account already has a method of this provider.
    public static let providerIsLinked = Reason(rawValue: "providerIsLinked")
    /// The account has no method of this provider.
    public static let providerIsNotLinked = Reason(rawValue: "providerIsNotLinked")
    /// The method is kept but was suspended until its owner confirms it.
    public static let methodIsSuspended = Reason(rawValue: "methodIsSuspended")
    /// Without the method nobody could enter the account any more.
    public static let methodIsTheLast = Reason(rawValue: "methodIsTheLast")
}

// MARK: Passwords

extension Reason {
    /// The password is shorter than the rule allows.
    public static let passwordIsTooShort = Reason(rawValue: "passwordIsTooShort")
    /// The password is longer than the rule allows.
    public static let passwordIsTooLong = Reason(rawValue: "passwordIsTooLong")
    /// The password is on the list of denied passwords.
    public static let passwordIsDenied = Reason(rawValue: "passwordIsDenied")
    /// The password is the account's.
    public static let passwordMatches = Reason(rawValue: "passwordMatches")
    /// The password is not the account's.
    public static let passwordDiffers = Reason(rawValue: "passwordDiffers")
    /// The password was right and was replaced before the sign-in was written.
    public static let passwordWasReplaced = Reason(rawValue: "passwordWasReplaced")
    /// The account has no password that can be used.
    public static let accountHasNoPassword = Reason(rawValue: "accountHasNoPassword")
    /// The credential is not good for any account; strangers are told no more.
    public static let credentialIsWrong = Reason(rawValue: "credentialIsWrong")
    /// The credential belongs to another person, or to nobody.
    public static let credentialIsOfAnother = Reason(rawValue: "credentialIsOfAnother")
}

// MARK: Addresses and numbers

extension Reason {
    /// No account has the address.
    public static let addressIsUnknown = Reason(rawValue: "addressIsUnknown")
    /// Who never proved the address gives way to who does.
    public static let unverifiedOwnerYields = Reason(rawValue: "unverifiedOwnerYields")
    /// No account has the address yet.
    public static let addressIsFree = Reason(rawValue: "addressIsFree")
    /// Another account has the address.
    public static let addressIsOwned = Reason(rawValue: "addressIsOwned")
    /// The account has this address already.
    public static let addressIsTheSame = Reason(rawValue: "addressIsTheSame")
    /// The account has no address that a message could go to.
    public static let accountHasNoAddress = Reason(rawValue: "accountHasNoAddress")
    /// The first address took a change back.
    public static let addressIsRecovered = Reason(rawValue: "addressIsRecovered")
    /// No account has the number yet.
    public static let numberIsFree = Reason(rawValue: "numberIsFree")
    /// An account has the number.
    public static let numberIsKnown = Reason(rawValue: "numberIsKnown")
    /// Another account has the number.
    public static let numberIsOwned = Reason(rawValue: "numberIsOwned")
    /// A code that was mailed to the address came back.
    public static let mailboxIsVerified = Reason(rawValue: "mailboxIsVerified")
    /// A code goes to the mailbox, and its owner will prove it.
    public static let mailboxWillProve = Reason(rawValue: "mailboxWillProve")
    /// A code goes to the number, and its owner will prove it.
    public static let numberWillProve = Reason(rawValue: "numberWillProve")
    /// The policy answers alike whether there is an account or not.
    public static let disclosureIsWithheld = Reason(rawValue: "disclosureIsWithheld")
    /// The policy lists sign-in methods to anybody who asks.
    public static let methodsAreListed = Reason(rawValue: "methodsAreListed")
}

// MARK: Identities

extension Reason {
    /// The identity belongs to this account, whatever address it has now.
    public static let identityIsKnown = Reason(rawValue: "identityIsKnown")
    /// No account has the identity, and accounts may share an address.
    public static let identityIsNew = Reason(rawValue: "identityIsNew")
    /// An account has the identity already.
    public static let identityIsOwned = Reason(rawValue: "identityIsOwned")
    /// The provider's word proves the address, and so did its owner.
    public static let bothSidesVerifyAddress = Reason(rawValue: "bothSidesVerifyAddress")
    /// The provider's word proves the address, and its owner never did.
    public static let ownerNeverVerifiedAddress = Reason(rawValue: "ownerNeverVerifiedAddress")
    /// The provider's word about the address proves nothing.
    public static let providerIsNotAuthoritative = Reason(rawValue: "providerIsNotAuthoritative")
    /// The account has another identity of the same provider.
    public static let otherSubjectIsLinked = Reason(rawValue: "otherSubjectIsLinked")
    /// What the person who proved the address did not put there was removed.
    public static let unverifiedMethodsAreRemoved = Reason(rawValue: "unverifiedMethodsAreRemoved")
    /// Who proved the address or number starts with a new account, and the old one keeps the rest.
    public static let separateAccountIsCreated = Reason(rawValue: "separateAccountIsCreated")
    /// The pending identity expired, was used, or never was.
    public static let pendingIdentityIsOver = Reason(rawValue: "pendingIdentityIsOver")
    /// The conflict was with another account than the one that was signed in to.
    public static let conflictIsWithAnother = Reason(rawValue: "conflictIsWithAnother")
    /// The pending identity belongs to another seat.
    public static let pendingIdentityIsOfAnotherDevice = Reason(rawValue: "pendingIdentityIsOfAnotherDevice")
    /// The token or its nonce may be used once, and was.
    public static let assertionWasUsed = Reason(rawValue: "assertionWasUsed")
    /// Somebody without a credential gets an account that only the seat holds.
    public static let newAccountIsAnonymous = Reason(rawValue: "newAccountIsAnonymous")
}

// MARK: Codes

extension Reason {
    /// The code does not exist, or was used.
    public static let codeIsUnknown = Reason(rawValue: "codeIsUnknown")
    /// The time of the code ran out.
    public static let codeIsExpired = Reason(rawValue: "codeIsExpired")
    /// The digits are not the ones that were sent.
    public static let codeIsWrong = Reason(rawValue: "codeIsWrong")
    /// The code belongs to another seat.
    public static let codeIsOfAnotherDevice = Reason(rawValue: "codeIsOfAnotherDevice")
    /// The account has moved on from what the code was made for.
    public static let codeIsOutdated = Reason(rawValue: "codeIsOutdated")
    /// The code was made for another purpose.
    public static let codeIsForSomethingElse = Reason(rawValue: "codeIsForSomethingElse")
}

// MARK: Second factors

extension Reason {
    /// The account has a second factor, and none was shown.
    public static let secondFactorIsOwed = Reason(rawValue: "secondFactorIsOwed")
    /// The challenge expired, was answered, or never was.
    public static let challengeIsOver = Reason(rawValue: "challengeIsOver")
    /// The challenge belongs to another seat.
    public static let challengeIsOfAnotherDevice = Reason(rawValue: "challengeIsOfAnotherDevice")
    /// The account has no such factor.
    public static let factorIsUnknown = Reason(rawValue: "factorIsUnknown")
    /// The number is a factor of the account already.
    public static let factorIsEnrolled = Reason(rawValue: "factorIsEnrolled")
    /// The number signs in already, so it is no second factor.
    public static let numberSignsIn = Reason(rawValue: "numberSignsIn")
    /// The account has as many factors as the policy allows.
    public static let factorLimitIsReached = Reason(rawValue: "factorLimitIsReached")
    /// A session that began this way may not enrol a factor.
    public static let sessionMayNotEnroll = Reason(rawValue: "sessionMayNotEnroll")
    /// The account's address is not proved, so a lost factor could not be recovered.
    public static let addressIsNotVerified = Reason(rawValue: "addressIsNotVerified")
    /// The person in the session changes the second factors.
    public static let personChangesFactors = Reason(rawValue: "personChangesFactors")
    /// The policy leaves lost factors to administrators.
    public static let lostFactorsAreForAdministrators = Reason(rawValue: "lostFactorsAreForAdministrators")
    /// The person lost all factors, and showed or waited for enough to have them taken off.
    public static let factorsAreLost = Reason(rawValue: "factorsAreLost")
    /// The account has second factors, and a number opens none that does.
    public static let phoneIsNoFirstFactorHere = Reason(rawValue: "phoneIsNoFirstFactorHere")
}

// MARK: What a person asks for

extension Reason {
    /// The person in the session adds a method.
    public static let personAddsMethod = Reason(rawValue: "personAddsMethod")
    /// The person in the session removes a method.
    public static let personRemovesMethod = Reason(rawValue: "personRemovesMethod")
    /// The person in the session proved again who they are.
    public static let personReauthenticated = Reason(rawValue: "personReauthenticated")
    /// A name or a link is longer than any real one, or has a NUL in it.
    public static let textIsTooLong = Reason(rawValue: "textIsTooLong")
    /// The person in the session changes the profile.
    public static let personChangesProfile = Reason(rawValue: "personChangesProfile")
    /// The person in the session changes the address.
    public static let personChangesAddress = Reason(rawValue: "personChangesAddress")
    /// The person in the session changes the password.
    public static let personChangesPassword = Reason(rawValue: "personChangesPassword")
    /// The person in the session deletes the account.
    public static let personDeletesAccount = Reason(rawValue: "personDeletesAccount")
    /// The person in the session signs out.
    public static let personSignsOut = Reason(rawValue: "personSignsOut")
    /// The person in the session ends other sessions.
    public static let personEndsSessions = Reason(rawValue: "personEndsSessions")
    /// The person in the session asks for a code.
    public static let personAsksForCode = Reason(rawValue: "personAsksForCode")
}

// MARK: Notices

extension Reason {
    /// Whoever reads the account's mail says that a change was not the owner's doing.
    public static let ownerReportsChange = Reason(rawValue: "ownerReportsChange")
}

// MARK: Merging

extension Reason {
    /// A merge or move that has begun holds the account's methods still.
    public static let accountIsBeingMerged = Reason(rawValue: "accountIsBeingMerged")
    /// Both sides were proved, and one account goes into the other.
    public static let personMergesAccounts = Reason(rawValue: "personMergesAccounts")
    /// Both sides were proved, and one identity moves to the other account.
    public static let personMovesIdentity = Reason(rawValue: "personMovesIdentity")
    /// A method from before the merge was proved, and takes its side out again.
    public static let personUndoesMerge = Reason(rawValue: "personUndoesMerge")
    /// What was shown for a side of a merge opens no account.
    public static let credentialOpensNothing = Reason(rawValue: "credentialOpensNothing")
    /// Both sides of the merge are the same account.
    public static let sidesAreTheSame = Reason(rawValue: "sidesAreTheSame")
    /// The account that gives has a second factor, which has to be shown.
    public static let sourceOwesFactor = Reason(rawValue: "sourceOwesFactor")
    /// The account that receives has a second factor, which has to be shown.
    public static let targetOwesFactor = Reason(rawValue: "targetOwesFactor")
    /// A session stands for a side only where the account is anonymous and has no method.
    public static let sessionIsNoProof = Reason(rawValue: "sessionIsNoProof")
    /// The account that receives is anonymous; link to it, or merge the other way round.
    public static let targetIsAnonymous = Reason(rawValue: "targetIsAnonymous")
    /// The address of the account that gives was changed lately, and its former owner may still take that back.
    public static let addressChangeIsReversible = Reason(rawValue: "addressChangeIsReversible")
    /// Nobody can choose whose password and address stay; those of the account that receives do.
    public static let choiceIsNotOffered = Reason(rawValue: "choiceIsNotOffered")
    /// What the merge was begun with is not so any more, or its time is over.
    public static let mergeIsOutdated = Reason(rawValue: "mergeIsOutdated")
    /// The merge has gone too far to be called off, or is not so far yet.
    public static let mergeIsElsewhere = Reason(rawValue: "mergeIsElsewhere")
    /// The merge did not go through and is called off.
    public static let mergeIsCalledOff = Reason(rawValue: "mergeIsCalledOff")
    /// The hooks were told how the merge ended, and the methods are free again.
    public static let mergeIsFinished = Reason(rawValue: "mergeIsFinished")
    /// The time in which the merge could be undone is over, or it moved nothing that could go back.
    public static let undoIsOver = Reason(rawValue: "undoIsOver")
    /// The method that was proved is not from before the merge.
    public static let methodIsNotFromBefore = Reason(rawValue: "methodIsNotFromBefore")
    /// Nothing that moved is still there, unchanged, to open the other account with.
    public static let nothingCanReturn = Reason(rawValue: "nothingCanReturn")
}

// MARK: The library itself

extension Reason {
    /// The facts contradict each other; no rule covers them.
    public static let factsContradict = Reason(rawValue: "factsContradict")
}
