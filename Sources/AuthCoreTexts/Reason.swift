/// The reason for a decision: a stable name that errors, events, tests and documents share.
public struct Reason: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    /// The reason's stable name.
    public let rawValue: String

    /// Creates the reason with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The reason's stable name.
    public var description: String { rawValue }

    /// A sentence that explains the reason; the name, if the library does not define the reason.
    public var explanation: String { ReasonTable.shared[self] ?? rawValue }

    /// Every reason that the library defines, in the order of declaration.
    public static var all: [Reason] { ReasonTable.shared.reasons }
}

extension Reason {
    // MARK: Accounts and sessions

    /// The account does not exist, or no longer exists.
    public static let accountIsGone = Reason(rawValue: "accountIsGone")
    /// The account was merged into another one.
    public static let accountWasMerged = Reason(rawValue: "accountWasMerged")
    /// An administrator disabled the account.
    public static let accountIsDisabled = Reason(rawValue: "accountIsDisabled")
    /// The token was not issued by this service, or was changed.
    public static let tokenIsNotOurs = Reason(rawValue: "tokenIsNotOurs")
    /// The token is from before a change of privileges, whose answer brought new tokens.
    public static let tokenIsOutdated = Reason(rawValue: "tokenIsOutdated")
    /// A refresh token was presented after it was exchanged or replaced, so an attacker may have it.
    public static let refreshTokenWasReused = Reason(rawValue: "refreshTokenWasReused")
    /// The session is valid and continues.
    public static let sessionGoesOn = Reason(rawValue: "sessionGoesOn")
    /// The app's own server signed a token for the person.
    public static let serverVouches = Reason(rawValue: "serverVouches")
    /// The person signs in while the deletion can be canceled, which cancels it.
    public static let signInKeepsAccount = Reason(rawValue: "signInKeepsAccount")
    /// The time that the policy allows has passed.
    public static let timeRanOut = Reason(rawValue: "timeRanOut")
    /// The login is newer than what it would change, and too new on the account.
    public static let loginIsNotSenior = Reason(rawValue: "loginIsNotSenior")
    /// The account's address was changed recently, and its former owner can still undo that.
    public static let addressChangeIsReversible = Reason(rawValue: "addressChangeIsReversible")
    /// A verified address stays until the new one is verified.
    public static let addressStaysUntilVerified = Reason(rawValue: "addressStaysUntilVerified")
    /// The account's own verification of the address is missing, or too old for automatic linking.
    public static let ownerEvidenceIsNotFresh = Reason(rawValue: "ownerEvidenceIsNotFresh")
    /// No verification of the address covers all methods of the account, or only the app's server signs in to it.
    public static let methodsAreNotCovered = Reason(rawValue: "methodsAreNotCovered")
    /// The owner removed an identity of this issuer, which blocks automatic linking.
    public static let issuerIsBlocked = Reason(rawValue: "issuerIsBlocked")
    /// Nothing about the account was ever verified, and the person who verifies its address adopts it.
    public static let accountIsAdopted = Reason(rawValue: "accountIsAdopted")
    /// The provider runs the mailbox, and a fresh verification covers everything: the incoming identity is the owner's.
    public static let proofCoversEverything = Reason(rawValue: "proofCoversEverything")
    /// Another account references the address, which its provider once confirmed.
    public static let addressIsReferencedElsewhere = Reason(rawValue: "addressIsReferencedElsewhere")
    /// The provider only claims the address, so the address is no evidence about other accounts.
    public static let addressIsOnlyClaimed = Reason(rawValue: "addressIsOnlyClaimed")
    /// The number was verified too long ago to sign in where the owner can do so without it.
    public static let numberVerificationIsOld = Reason(rawValue: "numberVerificationIsOld")
    /// A recovery suspended methods that the owner of the mailbox may not know.
    public static let recoverySuspends = Reason(rawValue: "recoverySuspends")
    /// The person's last authentication is too old for this.
    public static let loginIsNotRecent = Reason(rawValue: "loginIsNotRecent")
    /// There were too many wrong attempts; the next one must wait.
    public static let attemptsMustWait = Reason(rawValue: "attemptsMustWait")
    /// The claims use reserved names or are too large.
    public static let claimsAreNotAcceptable = Reason(rawValue: "claimsAreNotAcceptable")
    /// The token has expired; its session may go on.
    public static let tokenHasExpired = Reason(rawValue: "tokenHasExpired")
    /// The session was ended by its person, by a change of the account, or by expiry.
    public static let sessionIsOver = Reason(rawValue: "sessionIsOver")
    /// An administrator requested it.
    public static let administratorDecides = Reason(rawValue: "administratorDecides")
    /// An import creates the account as it was in another system.
    public static let importBringsAccount = Reason(rawValue: "importBringsAccount")
    /// An account with the ID of the import exists or existed, and an import overwrites nothing.
    public static let accountIsThere = Reason(rawValue: "accountIsThere")

    // MARK: Providers

    /// The policy disables this sign-in method.
    public static let providerIsDisabled = Reason(rawValue: "providerIsDisabled")
    /// The service has no verifier for this provider, so it cannot verify the credential.
    public static let providerHasNoVerifier = Reason(rawValue: "providerHasNoVerifier")
    /// The account already has a method of this provider.
    public static let providerIsLinked = Reason(rawValue: "providerIsLinked")
    /// The account has no method of this provider.
    public static let providerIsNotLinked = Reason(rawValue: "providerIsNotLinked")
    /// The method is suspended until its owner confirms it.
    public static let methodIsSuspended = Reason(rawValue: "methodIsSuspended")
    /// Without the method, the account has no method to sign in with.
    public static let methodIsTheLast = Reason(rawValue: "methodIsTheLast")

    // MARK: Passwords

    /// The password is shorter than the rule allows.
    public static let passwordIsTooShort = Reason(rawValue: "passwordIsTooShort")
    /// The password is longer than the rule allows.
    public static let passwordIsTooLong = Reason(rawValue: "passwordIsTooLong")
    /// The password is on the list of denied passwords.
    public static let passwordIsDenied = Reason(rawValue: "passwordIsDenied")
    /// The password is correct.
    public static let passwordMatches = Reason(rawValue: "passwordMatches")
    /// The password is wrong.
    public static let passwordDiffers = Reason(rawValue: "passwordDiffers")
    /// The stored hash cannot be checked here; only operators learn of it, the caller's password counts as wrong.
    public static let passwordCannotBeChecked = Reason(rawValue: "passwordCannotBeChecked")
    /// The password was correct and was replaced before the sign-in was committed.
    public static let passwordWasReplaced = Reason(rawValue: "passwordWasReplaced")
    /// The account has no password that can be used.
    public static let accountHasNoPassword = Reason(rawValue: "accountHasNoPassword")
    /// The credential is wrong for every account; an unauthenticated caller learns nothing more.
    public static let credentialIsWrong = Reason(rawValue: "credentialIsWrong")
    /// The credential belongs to another person, or to no account.
    public static let credentialIsOfAnother = Reason(rawValue: "credentialIsOfAnother")

    // MARK: Addresses and numbers

    /// No account has the address.
    public static let addressIsUnknown = Reason(rawValue: "addressIsUnknown")
    /// The account that never verified the address yields it to the person who verifies it.
    public static let unverifiedOwnerYields = Reason(rawValue: "unverifiedOwnerYields")
    /// No account has the address yet.
    public static let addressIsFree = Reason(rawValue: "addressIsFree")
    /// Another account has the address.
    public static let addressIsOwned = Reason(rawValue: "addressIsOwned")
    /// The account has this address already.
    public static let addressIsTheSame = Reason(rawValue: "addressIsTheSame")
    /// The account has no address to which a message could be sent.
    public static let accountHasNoAddress = Reason(rawValue: "accountHasNoAddress")
    /// A former address was restored.
    public static let addressIsRecovered = Reason(rawValue: "addressIsRecovered")
    /// No account has the number yet.
    public static let numberIsFree = Reason(rawValue: "numberIsFree")
    /// An account has the number.
    public static let numberIsKnown = Reason(rawValue: "numberIsKnown")
    /// Another account has the number.
    public static let numberIsOwned = Reason(rawValue: "numberIsOwned")
    /// A code that was mailed to the address was presented.
    public static let mailboxIsVerified = Reason(rawValue: "mailboxIsVerified")
    /// A code is sent to the mailbox, with which its owner will verify the address.
    public static let mailboxWillProve = Reason(rawValue: "mailboxWillProve")
    /// A code is sent to the number, with which its owner will verify the number.
    public static let numberWillProve = Reason(rawValue: "numberWillProve")
    /// The policy requires the same answer whether there is an account or not.
    public static let disclosureIsWithheld = Reason(rawValue: "disclosureIsWithheld")
    /// The policy discloses sign-in methods to every caller.
    public static let methodsAreListed = Reason(rawValue: "methodsAreListed")

    // MARK: Identities

    /// The identity belongs to this account, whatever address it has now.
    public static let identityIsKnown = Reason(rawValue: "identityIsKnown")
    /// No account has the identity, and accounts may share an address.
    public static let identityIsNew = Reason(rawValue: "identityIsNew")
    /// An account has the identity already.
    public static let identityIsOwned = Reason(rawValue: "identityIsOwned")
    /// No provider's assertion can have such an issuer or subject.
    public static let identityIsImpossible = Reason(rawValue: "identityIsImpossible")
    /// The provider's assertion verifies the address, and the owner verified it too.
    public static let bothSidesVerifyAddress = Reason(rawValue: "bothSidesVerifyAddress")
    /// The provider's assertion verifies the address, and the owner never verified it.
    public static let ownerNeverVerifiedAddress = Reason(rawValue: "ownerNeverVerifiedAddress")
    /// The provider's assertion does not verify the address.
    public static let providerIsNotAuthoritative = Reason(rawValue: "providerIsNotAuthoritative")
    /// The account has another identity of the same provider or issuer.
    public static let otherSubjectIsLinked = Reason(rawValue: "otherSubjectIsLinked")
    /// Methods that the person who verified the address did not add were removed.
    public static let unverifiedMethodsAreRemoved = Reason(rawValue: "unverifiedMethodsAreRemoved")
    /// The person who verified the address or number gets a new account, and the old one keeps everything else.
    public static let separateAccountIsCreated = Reason(rawValue: "separateAccountIsCreated")
    /// The pending identity expired, was used, or never existed.
    public static let pendingIdentityIsOver = Reason(rawValue: "pendingIdentityIsOver")
    /// The conflict was with another account than the one that was signed in to.
    public static let conflictIsWithAnother = Reason(rawValue: "conflictIsWithAnother")
    /// The pending identity belongs to another device.
    public static let pendingIdentityIsOfAnotherDevice = Reason(rawValue: "pendingIdentityIsOfAnotherDevice")
    /// The policy asks for a nonce that the service made for this, and the proof has none.
    public static let nonceIsMissing = Reason(rawValue: "nonceIsMissing")
    /// The nonce was used, has expired, or was made for something else, another session or another device.
    public static let nonceIsOver = Reason(rawValue: "nonceIsOver")
    /// The token or its nonce is for one use, and was used before.
    public static let assertionWasUsed = Reason(rawValue: "assertionWasUsed")
    /// A person without a credential gets an account that only its session can use.
    public static let newAccountIsAnonymous = Reason(rawValue: "newAccountIsAnonymous")

    // MARK: Codes

    /// The code does not exist, or was used.
    public static let codeIsUnknown = Reason(rawValue: "codeIsUnknown")
    /// The code expired.
    public static let codeIsExpired = Reason(rawValue: "codeIsExpired")
    /// The digits are not the ones that were sent.
    public static let codeIsWrong = Reason(rawValue: "codeIsWrong")
    /// The code belongs to another device.
    public static let codeIsOfAnotherDevice = Reason(rawValue: "codeIsOfAnotherDevice")
    /// The account has changed since the code was made.
    public static let codeIsOutdated = Reason(rawValue: "codeIsOutdated")
    /// The link was mailed to another address.
    public static let linkIsForAnotherAddress = Reason(rawValue: "linkIsForAnotherAddress")
    /// The code was made for another purpose.
    public static let codeIsForSomethingElse = Reason(rawValue: "codeIsForSomethingElse")

    // MARK: Second factors

    /// The account has a second factor, and none was presented.
    public static let secondFactorIsRequired = Reason(rawValue: "secondFactorIsRequired")
    /// The challenge expired, was answered, or never existed.
    public static let challengeIsOver = Reason(rawValue: "challengeIsOver")
    /// The challenge belongs to another device.
    public static let challengeIsOfAnotherDevice = Reason(rawValue: "challengeIsOfAnotherDevice")
    /// The account has no such factor.
    public static let factorIsUnknown = Reason(rawValue: "factorIsUnknown")
    /// The number is already a factor of the account.
    public static let factorIsEnrolled = Reason(rawValue: "factorIsEnrolled")
    /// The number already signs in, so it cannot be a second factor.
    public static let numberSignsIn = Reason(rawValue: "numberSignsIn")
    /// The account has as many factors as the policy allows.
    public static let factorLimitIsReached = Reason(rawValue: "factorLimitIsReached")
    /// A session that began with this method may not enroll a factor.
    public static let sessionMayNotEnroll = Reason(rawValue: "sessionMayNotEnroll")
    /// The address is not verified, and the operation needs a verified one.
    public static let addressIsNotVerified = Reason(rawValue: "addressIsNotVerified")
    /// A second factor needs the account's verified address, by which it is removed if it is lost.
    public static let factorNeedsAddress = Reason(rawValue: "factorNeedsAddress")
    /// The person in the session changes the second factors.
    public static let personChangesFactors = Reason(rawValue: "personChangesFactors")
    /// Under this policy, only administrators can remove lost factors.
    public static let lostFactorsAreForAdministrators = Reason(rawValue: "lostFactorsAreForAdministrators")
    /// The person lost all factors, and presented enough or waited long enough to have them removed.
    public static let factorsAreLost = Reason(rawValue: "factorsAreLost")
    /// The account has second factors, and a number cannot sign in to such an account.
    public static let phoneIsNoFirstFactorHere = Reason(rawValue: "phoneIsNoFirstFactorHere")

    // MARK: Requests of a person

    /// The person in the session adds a method.
    public static let personAddsMethod = Reason(rawValue: "personAddsMethod")
    /// The person in the session removes a method.
    public static let personRemovesMethod = Reason(rawValue: "personRemovesMethod")
    /// The person in the session reauthenticated.
    public static let personReauthenticated = Reason(rawValue: "personReauthenticated")
    /// A name or a link exceeds 2,048 bytes, or contains a NUL.
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
    /// The person in the session requests a code.
    public static let personAsksForCode = Reason(rawValue: "personAsksForCode")

    // MARK: Notices

    /// The person who reads the account's mail reports an unauthorized change.
    public static let ownerReportsChange = Reason(rawValue: "ownerReportsChange")

    // MARK: Merging

    /// A pending merge or move locks the account's methods.
    public static let accountIsBeingMerged = Reason(rawValue: "accountIsBeingMerged")
    /// Both sides were verified, and one account is merged into the other.
    public static let personMergesAccounts = Reason(rawValue: "personMergesAccounts")
    /// Both sides were verified, and one identity moves to the other account.
    public static let personMovesIdentity = Reason(rawValue: "personMovesIdentity")
    /// A method from before the merge was verified, and the merge of its side is undone.
    public static let personUndoesMerge = Reason(rawValue: "personUndoesMerge")
    /// The credential presented for a side of a merge signs in to no account.
    public static let credentialSignsInToNothing = Reason(rawValue: "credentialSignsInToNothing")
    /// Both sides of the merge are the same account.
    public static let sidesAreTheSame = Reason(rawValue: "sidesAreTheSame")
    /// The account to be merged has a second factor, which must be presented.
    public static let sourceRequiresFactor = Reason(rawValue: "sourceRequiresFactor")
    /// The account that receives has a second factor, which must be presented.
    public static let targetRequiresFactor = Reason(rawValue: "targetRequiresFactor")
    /// A session is a proof for a side only if the account is anonymous and has no method.
    public static let sessionIsNoProof = Reason(rawValue: "sessionIsNoProof")
    /// The account that receives is anonymous; link to it, or merge in the other direction.
    public static let targetIsAnonymous = Reason(rawValue: "targetIsAnonymous")
    /// The password and address cannot be chosen; those of the account that receives are kept.
    public static let choiceIsNotOffered = Reason(rawValue: "choiceIsNotOffered")
    /// The accounts have changed since the merge began, or the merge expired.
    public static let mergeIsOutdated = Reason(rawValue: "mergeIsOutdated")
    /// The merge is too far advanced to be aborted, or has not advanced far enough for this.
    public static let mergeIsElsewhere = Reason(rawValue: "mergeIsElsewhere")
    /// The merge was not completed and is aborted.
    public static let mergeIsAborted = Reason(rawValue: "mergeIsAborted")
    /// The hooks were notified of how the merge ended, and the merge lock is released.
    public static let mergeIsFinished = Reason(rawValue: "mergeIsFinished")
    /// The time to undo the merge is over, or the merge moved nothing that could be returned.
    public static let undoIsOver = Reason(rawValue: "undoIsOver")
    /// The method that was verified is not from before the merge.
    public static let methodIsNotFromBefore = Reason(rawValue: "methodIsNotFromBefore")
    /// No method that moved is still on the target unchanged, so nothing could sign in to the restored account.
    public static let nothingCanReturn = Reason(rawValue: "nothingCanReturn")

    // MARK: The library itself

    /// The facts contradict each other; no rule covers them.
    public static let factsContradict = Reason(rawValue: "factsContradict")
}
