/// The sentences of the error codes.
enum ErrorTexts {
    /// One row per code: its number, its name, and what happened and what to do.
    static let rows = """
        17000 invalidCustomToken: The custom token is malformed, has expired, was not signed by a key that this service \
            trusts, or its claims are reserved or too large; have your server issue a new one.
        17002 customTokenMismatch: The custom token was issued for another service; check which project or audience \
            your server issues tokens for.
        17004 invalidCredential: The credential is wrong or malformed, has expired or was refused by its provider; ask \
            the person to correct it, or to sign in again for a new one.
        17005 userDisabled: An administrator has disabled the account; have the person contact your support.
        17006 operationNotAllowed: The policy disables this, no verifier is configured for it, or it cannot be done with \
            such a credential; change the configuration, or offer another method.
        17007 emailAlreadyInUse: The email address belongs to another account, or is this account's already; offer to \
            sign in to that account, or leave the address as it is.
        17008 invalidEmail: The email address is malformed; have the person correct it.
        17009 wrongPassword: The password is wrong, or the account has none; have the person try again or reset it.
        17010 tooManyRequests: There were too many attempts in a short time; wait until the time that the error says, \
            or, if it says none, begin again or ask for a new code, and wait longer after each refusal.
        17011 userNotFound: No account matches the credential; check the spelling, or create an account first.
        17012 accountExistsWithDifferentCredential: An account with the same email address or number exists with \
            another sign-in method; sign in with that, then link this credential.
        17014 requiresRecentLogin: The login is too old, or its method or the address is too new; reauthenticate with the \
            oldest method of the account, or wait until what is new is old enough.
        17015 providerAlreadyLinked: The account already has an identity of this provider; unlink that one first, or \
            leave it as it is.
        17016 noSuchProvider: The account has no identity of this provider; look at the linked providers before \
            unlinking one.
        17017 invalidUserToken: The session or its token is not valid; sign in again.
        17020 networkError: The network could not be reached or did not answer; try again when there is a connection.
        17021 userTokenExpired: The token has expired or was replaced, or its session has ended; exchange the refresh \
            token, and sign in again if that fails, too.
        17023 invalidAPIKey: The API key is wrong; correct it in the app's configuration.
        17024 userMismatch: The credential belongs to another account than the one that is signed in, or that the \
            conflict is with; use a credential of that account.
        17025 credentialAlreadyInUse: The identity or the number is already linked to another account; sign in with it to reach that \
            account, or merge the two.
        17026 weakPassword: The password is too short, too long or easy to guess; have the person choose another one.
        17028 appNotAuthorized: This app may not use the service with the given key; register the app or lift the \
            key's restriction.
        17029 expiredActionCode: The code or link has expired; request a new one.
        17030 invalidActionCode: The code or link is malformed, was used before or has been replaced; request a new one.
        17031 invalidMessagePayload: The message template cannot be sent as it is; correct the template.
        17032 invalidSender: The sender's address of the message template is invalid; correct the template's sender.
        17033 invalidRecipientEmail: The message cannot be sent to this recipient; have the person check the email \
            address.
        17034 missingEmail: No email address was given, or the account has none; ask for one, or link a sign-in \
            link first.
        17036 missingIosBundleID: The link settings lack the iOS bundle ID that they need; add it to the settings.
        17037 missingAndroidPackageName: The link settings lack the Android package name they need; add it to the \
            settings.
        17038 unauthorizedDomain: The domain of the link to continue at is not allowed; add it to the allowed domains.
        17039 invalidContinueURI: The address to continue at is malformed; correct it in the link settings.
        17040 missingContinueURI: No address to continue at was given; add one to the link settings.
        17041 missingPhoneNumber: No phone number was given; ask for one before going on.
        17042 invalidPhoneNumber: The phone number is not in international form; write it as a plus sign, the country \
            code and the number.
        17043 missingVerificationCode: No verification code was given; ask for the code that was sent.
        17044 invalidVerificationCode: The verification code is wrong; have the person enter it again or request a new \
            one.
        17045 missingVerificationID: No verification ID was given; pass the one returned when the code was sent.
        17046 invalidVerificationID: The verification ID is unknown or was used before; request a new code.
        17047 missingAppCredential: The request does not show which app it comes from; send the app's credential along.
        17048 invalidAppCredential: The credential that shows which app is asking is invalid; fetch a new one and try \
            again.
        17051 sessionExpired: The verification code or the visit to the provider has expired; begin again.
        17052 quotaExceeded: The quota of messages or requests is used up; try again later or raise the quota.
        17053 missingAppToken: The device has no push token yet; register for remote notifications first.
        17054 notificationNotForwarded: The app did not forward a push notification that it received; forward it to \
            the library.
        17055 appNotVerified: The app could not be verified as genuine; check how app verification is set up.
        17056 captchaCheckFailed: The reCAPTCHA answer was refused; have the person solve a new one.
        17057 webContextAlreadyPresented: A sign-in page is already open; finish or close that one first.
        17058 webContextCancelled: The person closed the sign-in page; start again if they still want to sign in.
        17059 appVerificationUserInteractionFailure: The page that verifies the app failed; try again.
        17060 invalidClientID: The OAuth client ID is invalid; correct it in the provider's configuration.
        17061 webNetworkRequestFailed: A request from the sign-in page failed; try again when there is a connection.
        17062 webInternalError: The sign-in page failed unexpectedly; try again later.
        17063 webSignInUserInteractionFailure: The sign-in page ended without a result; start the sign-in again.
        17066 localPlayerNotAuthenticated: The Game Center player is not signed in; sign the player in first.
        17067 nullUser: A user was needed and none was given; pass a signed-in user.
        17071 invalidProviderID: The provider is unknown or its name is malformed; use the name under which the \
            provider is configured.
        17072 tenantIDMismatch: The user belongs to another tenant; use the service of that user's tenant.
        17073 unsupportedTenantOperation: The operation is not available with tenants; carry it out without a tenant.
        17075 rejectedCredential: The credential does not fit the operation, or its method is suspended; sign in with \
            another method, and link this one again to confirm it.
        17076 gameKitNotLinked: The app is not linked with GameKit; link it, or offer another sign-in method.
        17078 secondFactorRequired: The first factor was accepted and a second one is needed; resolve the sign-in with \
            an enrolled factor.
        17081 missingMultiFactorSession: No second-factor session was given; pass the one that the first factor \
            returned.
        17082 missingMultiFactorInfo: No second factor was named; pass the factor that the person chose.
        17083 invalidMultiFactorSession: The challenge or enrollment of a second factor is invalid or has expired; sign \
            in with the first factor again, or begin the enrollment again.
        17084 multiFactorInfoNotFound: The account has no such second factor; choose one that is enrolled.
        17085 adminRestrictedOperation: Only an administrator may do this, as where anonymous accounts are disabled; \
            enable them in the policy, or offer another method.
        17086 unverifiedEmail: The operation needs a verified email address, or would take away the one by which lost \
            factors are recovered; verify the address, or remove the factors first.
        17087 secondFactorAlreadyEnrolled: The second factor is already enrolled, or its number signs in to the \
            account; leave it as it is or choose another one.
        17088 maximumSecondFactorCountExceeded: The account has as many second factors as it may have; remove one first.
        17089 unsupportedFirstFactor: The sign-in method cannot be the first factor beside a second one; sign in or link \
            with another method, or remove the second factors.
        17090 emailChangeNeedsVerification: A new email address has to be verified before it counts; send a \
            verification message to it, or link a sign-in link if the account has no address.
        17093 missingClientIdentifier: The request does not name the client that it comes from; send the client \
            identifier along.
        17094 missingOrInvalidNonce: The nonce is missing, does not match the token, or was not made for this link, \
            reauthentication or sign-in; begin again with a new one, which nonce(for:) makes on a server.
        17105 blockingCloudFunctionError: A function that the app's owner installed refused the operation; look at the \
            message it returned.
        17200 recaptchaNotEnabled: ReCAPTCHA is not enabled; enable it, or stop asking for it.
        17201 missingRecaptchaToken: The request lacks the reCAPTCHA token it needs; fetch one and send it along.
        17202 invalidRecaptchaToken: The reCAPTCHA token is invalid; fetch a new one and try again.
        17203 invalidRecaptchaAction: The reCAPTCHA token was made for another action; fetch one for this action.
        17204 missingClientType: The request does not say which type of client it comes from; send the type along.
        17205 missingRecaptchaVersion: The request does not say which version of reCAPTCHA it uses; send the version \
            along.
        17206 invalidRecaptchaVersion: The version of reCAPTCHA is not supported; use a supported one.
        17207 invalidReqType: The type of the request is not supported; correct the request.
        17208 recaptchaSDKNotLinked: The app is not linked with the reCAPTCHA library; add it to the app.
        17209 recaptchaSiteKeyMissing: No reCAPTCHA site key is configured; configure one for the app.
        17210 recaptchaActionCreationFailed: The reCAPTCHA action could not be made; try again.
        17211 passwordDoesNotMeetRequirements: The password does not meet the requirements of the policy; show the \
            requirements and have the person choose another one.
        17214 invalidHostingLinkDomain: The domain for links is not configured for this service; configure it or use \
            another one.
        17995 keychainError: The keychain could not be read or written; see the underlying error and unlock the device \
            or correct the app's entitlements.
        17999 internalError: Something failed that should not have; see the underlying error, and report it if it \
            happens again.
        18000 malformedJWT: The token is not a well-formed JSON Web Token; obtain a new one.
        19000 canceled: The task was canceled before anything was changed; start again if it is still wanted.
        19001 storeUnavailable: The store could not be reached and nothing was changed; try again later.
        19002 outcomeUnknown: The change was interrupted while it was being made, so it may have happened, or still \
            happen; look at the account before trying again.
        19003 accountMerged: The account was merged into another one; sign in again to reach the account that remains.
        19004 overloaded: Too much work is waiting and nothing was changed; try again in a moment.
        19005 lastMethod: Without this method the account could no longer be signed in to; link another one first.
        19006 deviceMismatch: The code, link or pending sign-in was begun on another browser or device; finish it \
            where it was begun.
        19007 invalidCustomClaims: The custom claims use names that tokens need for themselves, or are too large; \
            rename or shorten them.
        19008 textTooLong: A name or a link exceeds the length limit or contains a NUL, and nothing was changed; correct \
            it.
        19009 mergeInProgress: A merge or move that has begun locks the account's methods; resume it, or try again \
            when it is over.
        19010 mergeNotPossible: The accounts cannot be merged, or the merge cannot be undone, as requested, and \
            nothing was changed; see the reasons for what prevents it.
        19011 mergeHookFailed: A hook that moves the app's own data failed; see the cause, and resume the merge unless it was aborted.
        19012 savedSessionUnreadable: What the app keeps of the signed-in session cannot be read or removed, or was \
            written by another program; see the cause, and have the person sign in.
        19013 noCurrentUser: No user is signed in; sign in first.
        19014 missingSecretKey: The secret key is missing or shorter than 32 bytes, so what it protects would not be \
            safe, or could not be read after a restart; use at least 32 random bytes.
        19015 sealedSecretUnreadable: A secret in the store was sealed with a key that the service does not have; add \
            that key to the former ones.
        19020 keyRuleMismatch: The store holds the keys of addresses under another rule than the policy makes them, and \
            nothing was changed; use a policy with the address reservation that the store was filled with.
        19021 messageNotSent: The message could not be sent, and its code was revoked; see the cause, and ask again \
            later.
        """
}
