/// The table of error codes, one row per code: its number, its name, FirebaseAuth's name, and what happened and what to
/// do.
///
/// It is text, so that each row can be read in one place; it is parsed once, on first use.
struct AuthErrorTable {
    struct Row {
        let code: AuthErrorCode
        let name: String
        let firebaseName: String
        var explanation = ""
    }

    static let shared = AuthErrorTable(text)

    let codes: [AuthErrorCode]
    private let rows: [AuthErrorCode: Row]
    private let codesByName: [String: AuthErrorCode]

    subscript(code: AuthErrorCode) -> Row? {
        rows[code]
    }

    func code(named name: String) -> AuthErrorCode? {
        // Longer than any name, so hashing it is unnecessary, whatever its size.
        guard name.utf8.count <= 64 else { return nil }
        return codesByName[name]
    }

    private init(_ text: String) {
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, let rawValue = Int(words[0]) {
                let code = AuthErrorCode(rawValue: rawValue)
                rows.append(Row(code: code, name: String(words[1]), firebaseName: String(words[2])))
            } else if let last = rows.indices.last {
                let explanation = words.joined(separator: " ")
                rows[last].explanation += rows[last].explanation.isEmpty ? explanation : " " + explanation
            }
        }
        codes = rows.map(\.code)
        self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0) })
        codesByName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.code) })
    }

    private static let text = """
        17000 invalidCustomToken ERROR_INVALID_CUSTOM_TOKEN
            The custom token is malformed or was not signed by a key that this service trusts; have your server issue a
            new one.
        17002 customTokenMismatch ERROR_CUSTOM_TOKEN_MISMATCH
            The custom token was issued for another service; check which project or audience your server issues tokens
            for.
        17004 invalidCredential ERROR_INVALID_CREDENTIAL
            The credential is malformed, has expired or was refused by its provider; ask the person to sign in again for
            a new one.
        17005 userDisabled ERROR_USER_DISABLED
            An administrator has disabled the account; have the person contact your support.
        17006 operationNotAllowed ERROR_OPERATION_NOT_ALLOWED
            This way of signing in is switched off; allow it in the policy, or offer another one.
        17007 emailAlreadyInUse ERROR_EMAIL_ALREADY_IN_USE
            The e-mail address belongs to another account; offer to sign in to that account instead.
        17008 invalidEmail ERROR_INVALID_EMAIL
            The e-mail address is malformed; have the person correct it.
        17009 wrongPassword ERROR_WRONG_PASSWORD
            The password is wrong; have the person try again or reset it.
        17010 tooManyRequests ERROR_TOO_MANY_REQUESTS
            There were too many attempts in a short time; wait before trying again.
        17011 userNotFound ERROR_USER_NOT_FOUND
            No account matches the credential; check the spelling, or create an account first.
        17012 accountExistsWithDifferentCredential ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL
            An account with the same e-mail address or number exists and signs in another way; sign in that way, then
            link this credential.
        17014 requiresRecentLogin ERROR_REQUIRES_RECENT_LOGIN
            The operation is sensitive and the last sign-in is too long ago; re-authenticate, then repeat it.
        17015 providerAlreadyLinked ERROR_PROVIDER_ALREADY_LINKED
            The account already has an identity of this provider; unlink that one first, or leave it as it is.
        17016 noSuchProvider ERROR_NO_SUCH_PROVIDER
            The account has no identity of this provider; look at the linked providers before unlinking one.
        17017 invalidUserToken ERROR_INVALID_USER_TOKEN
            The session or its token is not valid; sign in again.
        17020 networkError ERROR_NETWORK_REQUEST_FAILED
            The network could not be reached or did not answer; try again when there is a connection.
        17021 userTokenExpired ERROR_USER_TOKEN_EXPIRED
            The session has ended, for example because the password was changed elsewhere; sign in again.
        17023 invalidAPIKey ERROR_INVALID_API_KEY
            The API key is wrong; correct it in the app's configuration.
        17024 userMismatch ERROR_USER_MISMATCH
            The credential belongs to another account than the one that is signed in; use a credential of the signed-in
            account.
        17025 credentialAlreadyInUse ERROR_CREDENTIAL_ALREADY_IN_USE
            The identity is already linked to another account; sign in with it to reach that account, or merge the two.
        17026 weakPassword ERROR_WEAK_PASSWORD
            The password is too weak; have the person choose a longer one that is hard to guess.
        17028 appNotAuthorized ERROR_APP_NOT_AUTHORIZED
            This app may not use the service with the given key; register the app or lift the key's restriction.
        17029 expiredActionCode ERROR_EXPIRED_ACTION_CODE
            The code or link has expired; request a new one.
        17030 invalidActionCode ERROR_INVALID_ACTION_CODE
            The code or link is malformed, was used before or has been replaced; request a new one.
        17031 invalidMessagePayload ERROR_INVALID_MESSAGE_PAYLOAD
            The message template cannot be sent as it is; correct the template.
        17032 invalidSender ERROR_INVALID_SENDER
            The sender's address of the message template is invalid; correct the template's sender.
        17033 invalidRecipientEmail ERROR_INVALID_RECIPIENT_EMAIL
            The message cannot be sent to this recipient; have the person check the e-mail address.
        17034 missingEmail ERROR_MISSING_EMAIL
            No e-mail address was given; ask for one before going on.
        17036 missingIosBundleID ERROR_MISSING_IOS_BUNDLE_ID
            The link settings lack the iOS bundle identifier they need; add it to the settings.
        17037 missingAndroidPackageName ERROR_MISSING_ANDROID_PKG_NAME
            The link settings lack the Android package name they need; add it to the settings.
        17038 unauthorizedDomain ERROR_UNAUTHORIZED_DOMAIN
            The domain of the link to continue at is not allowed; add it to the allowed domains.
        17039 invalidContinueURI ERROR_INVALID_CONTINUE_URI
            The address to continue at is malformed; correct it in the link settings.
        17040 missingContinueURI ERROR_MISSING_CONTINUE_URI
            No address to continue at was given; add one to the link settings.
        17041 missingPhoneNumber ERROR_MISSING_PHONE_NUMBER
            No telephone number was given; ask for one before going on.
        17042 invalidPhoneNumber ERROR_INVALID_PHONE_NUMBER
            The telephone number is not in international form; write it as a plus sign, the country code and the number.
        17043 missingVerificationCode ERROR_MISSING_VERIFICATION_CODE
            No verification code was given; ask for the code that was sent.
        17044 invalidVerificationCode ERROR_INVALID_VERIFICATION_CODE
            The verification code is wrong; have the person enter it again or request a new one.
        17045 missingVerificationID ERROR_MISSING_VERIFICATION_ID
            No verification identifier was given; pass the one returned when the code was sent.
        17046 invalidVerificationID ERROR_INVALID_VERIFICATION_ID
            The verification identifier is unknown or was used before; request a new code.
        17047 missingAppCredential MISSING_APP_CREDENTIAL
            The request does not show which app it comes from; send the app's credential along.
        17048 invalidAppCredential INVALID_APP_CREDENTIAL
            The credential that shows which app is asking is invalid; fetch a new one and try again.
        17051 sessionExpired ERROR_SESSION_EXPIRED
            The verification code has expired; request a new one.
        17052 quotaExceeded ERROR_QUOTA_EXCEEDED
            The quota of messages or requests is used up; try again later or raise the quota.
        17053 missingAppToken ERROR_MISSING_APP_TOKEN
            The device has no push token yet; register for remote notifications first.
        17054 notificationNotForwarded ERROR_NOTIFICATION_NOT_FORWARDED
            The app did not forward a push notification that it received; forward it to the library.
        17055 appNotVerified ERROR_APP_NOT_VERIFIED
            The app could not be verified as genuine; check how app verification is set up.
        17056 captchaCheckFailed ERROR_CAPTCHA_CHECK_FAILED
            The reCAPTCHA answer was refused; have the person solve a new one.
        17057 webContextAlreadyPresented ERROR_WEB_CONTEXT_ALREADY_PRESENTED
            A sign-in page is already open; finish or close that one first.
        17058 webContextCancelled ERROR_WEB_CONTEXT_CANCELLED
            The person closed the sign-in page; start again if they still want to sign in.
        17059 appVerificationUserInteractionFailure ERROR_APP_VERIFICATION_FAILED
            The page that verifies the app failed; try again.
        17060 invalidClientID ERROR_INVALID_CLIENT_ID
            The OAuth client identifier is invalid; correct it in the provider's configuration.
        17061 webNetworkRequestFailed ERROR_WEB_NETWORK_REQUEST_FAILED
            A request from the sign-in page failed; try again when there is a connection.
        17062 webInternalError ERROR_WEB_INTERNAL_ERROR
            The sign-in page failed unexpectedly; try again later.
        17063 webSignInUserInteractionFailure ERROR_WEB_USER_INTERACTION_FAILURE
            The sign-in page ended without a result; start the sign-in again.
        17066 localPlayerNotAuthenticated ERROR_LOCAL_PLAYER_NOT_AUTHENTICATED
            The Game Center player is not signed in; sign the player in first.
        17067 nullUser ERROR_NULL_USER
            A user was needed and none was given; pass a signed-in user.
        17071 invalidProviderID ERROR_INVALID_PROVIDER_ID
            The provider is unknown or its name is malformed; use the name under which the provider is configured.
        17072 tenantIDMismatch ERROR_TENANT_ID_MISMATCH
            The user belongs to another tenant; use the service of that user's tenant.
        17073 unsupportedTenantOperation ERROR_UNSUPPORTED_TENANT_OPERATION
            The operation is not available with tenants; carry it out without a tenant.
        17075 rejectedCredential ERROR_REJECTED_CREDENTIAL
            The credential is malformed or does not fit the operation; use another one.
        17076 gameKitNotLinked ERROR_GAME_KIT_NOT_LINKED
            The app is not linked with GameKit; link it, or offer another sign-in method.
        17078 secondFactorRequired ERROR_SECOND_FACTOR_REQUIRED
            The first factor was accepted and a second one is needed; resolve the sign-in with an enrolled factor.
        17081 missingMultiFactorSession ERROR_MISSING_MULTI_FACTOR_SESSION
            No second-factor session was given; pass the one that the first factor returned.
        17082 missingMultiFactorInfo ERROR_MISSING_MULTI_FACTOR_INFO
            No second factor was named; pass the factor that the person chose.
        17083 invalidMultiFactorSession ERROR_INVALID_MULTI_FACTOR_SESSION
            The second-factor session is invalid or has expired; sign in with the first factor again.
        17084 multiFactorInfoNotFound ERROR_MULTI_FACTOR_INFO_NOT_FOUND
            The account has no such second factor; choose one that is enrolled.
        17085 adminRestrictedOperation ERROR_ADMIN_RESTRICTED_OPERATION
            Only an administrator may do this; have an administrator do it.
        17086 unverifiedEmail ERROR_UNVERIFIED_EMAIL
            The operation needs a verified e-mail address; verify the address first.
        17087 secondFactorAlreadyEnrolled ERROR_SECOND_FACTOR_ALREADY_ENROLLED
            The second factor is already enrolled; leave it as it is or choose another one.
        17088 maximumSecondFactorCountExceeded ERROR_MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED
            The account has as many second factors as it may have; remove one first.
        17089 unsupportedFirstFactor ERROR_UNSUPPORTED_FIRST_FACTOR
            The sign-in method does not allow a second factor; sign in with another method first.
        17090 emailChangeNeedsVerification ERROR_EMAIL_CHANGE_NEEDS_VERIFICATION
            A new e-mail address has to be verified before it counts; send a verification message to it.
        17093 missingClientIdentifier ERROR_MISSING_CLIENT_IDENTIFIER
            The request does not name the client that it comes from; send the client identifier along.
        17094 missingOrInvalidNonce ERROR_MISSING_OR_INVALID_NONCE
            The nonce is missing or does not match the token; start the sign-in again with a new nonce.
        17105 blockingCloudFunctionError ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR
            A function that the app's owner installed refused the operation; look at the message it returned.
        17200 recaptchaNotEnabled ERROR_RECAPTCHA_NOT_ENABLED
            ReCAPTCHA is not switched on; switch it on, or stop asking for it.
        17201 missingRecaptchaToken ERROR_MISSING_RECAPTCHA_TOKEN
            The request lacks the reCAPTCHA token it needs; fetch one and send it along.
        17202 invalidRecaptchaToken ERROR_INVALID_RECAPTCHA_TOKEN
            The reCAPTCHA token is invalid; fetch a new one and try again.
        17203 invalidRecaptchaAction ERROR_INVALID_RECAPTCHA_ACTION
            The reCAPTCHA token was made for another action; fetch one for this action.
        17204 missingClientType ERROR_MISSING_CLIENT_TYPE
            The request does not say which type of client it comes from; send the type along.
        17205 missingRecaptchaVersion ERROR_MISSING_RECAPTCHA_VERSION
            The request does not say which version of reCAPTCHA it uses; send the version along.
        17206 invalidRecaptchaVersion ERROR_INVALID_RECAPTCHA_VERSION
            The version of reCAPTCHA is not supported; use a supported one.
        17207 invalidReqType ERROR_INVALID_REQ_TYPE
            The type of the request is not supported; correct the request.
        17208 recaptchaSDKNotLinked ERROR_RECAPTCHA_SDK_NOT_LINKED
            The app is not linked with the reCAPTCHA library; add it to the app.
        17209 recaptchaSiteKeyMissing ERROR_RECAPTCHA_SITE_KEY_MISSING
            No reCAPTCHA site key is configured; configure one for the app.
        17210 recaptchaActionCreationFailed ERROR_RECAPTCHA_ACTION_CREATION_FAILED
            The reCAPTCHA action could not be made; try again.
        17211 passwordDoesNotMeetRequirements ERROR_PASSWORD_DOES_NOT_MEET_REQUIREMENTS
            The password does not meet the requirements of the policy; show the requirements and have the person choose
            another one.
        17214 invalidHostingLinkDomain ERROR_INVALID_HOSTING_LINK_DOMAIN
            The domain for links is not configured for this service; configure it or use another one.
        17995 keychainError ERROR_KEYCHAIN_ERROR
            The keychain could not be read or written; see the underlying error and unlock the device or correct the
            app's entitlements.
        17999 internalError ERROR_INTERNAL_ERROR
            Something failed that should not have; see the underlying error, and report it if it happens again.
        18000 malformedJWT ERROR_MALFORMED_JWT
            The token is not a well-formed JSON Web Token; obtain a new one.
        19000 cancelled ERROR_CANCELLED
            The task was cancelled before anything was changed; start again if it is still wanted.
        19001 storeUnavailable ERROR_STORE_UNAVAILABLE
            The store could not be reached and nothing was changed; try again later.
        19002 outcomeUnknown ERROR_OUTCOME_UNKNOWN
            The store stopped answering while the change was being written, so it may or may not have happened; look at
            the account before trying again.
        19003 accountMerged ERROR_ACCOUNT_MERGED
            The account was merged into another one; sign in again to reach the account that remains.
        19004 overloaded ERROR_OVERLOADED
            Too much work is waiting and nothing was changed; try again in a moment.
        19005 lastMethod ERROR_LAST_METHOD
            Without this method the account could no longer be signed in to; link another one first.
        19006 deviceMismatch ERROR_SEAT_MISMATCH
            The code, link or pending sign-in was begun on another browser or device; finish it where it was begun.
        19007 invalidCustomClaims ERROR_INVALID_CUSTOM_CLAIMS
            The custom claims use names that tokens need for themselves, or are too large; rename or shorten them.
        19008 textTooLong ERROR_TEXT_TOO_LONG
            A name or a link exceeds the length limit, and nothing was changed; shorten it.
        19009 mergeInProgress ERROR_MERGE_IN_PROGRESS
            A merge or move that has begun locks the account's methods; resume it, or try again when it is over.
        19010 mergeNotPossible ERROR_MERGE_NOT_POSSIBLE
            The accounts cannot be merged, or the merge cannot be undone, as requested, and nothing was changed; see the
            reasons for what prevents it.
        19011 mergeHookFailed ERROR_MERGE_HOOK_FAILED
            A hook that moves the app's own data failed; see the cause, and resume the merge.
        19012 savedSessionUnreadable ERROR_SAVED_SESSION_UNREADABLE
            What the app keeps of the signed-in session cannot be read, or was written by another program; see the cause,
            and have the person sign in.
        19013 noCurrentUser ERROR_NO_CURRENT_USER
            No user is signed in; sign in first.
        19014 missingSecretKey ERROR_MISSING_SECRET_KEY
            The store is durable and the service has no secret key, so what it writes could not be read after a restart;
            give the configuration a key of 32 random bytes.
        19015 sealedSecretUnreadable ERROR_SEALED_SECRET_UNREADABLE
            A secret in the store was sealed with a key that the service does not have; add that key to the former ones.
        """
}
