/// The codes that FirebaseAuth has too, with its names and numbers.
extension AuthErrorCode {
    /// The custom token is malformed or was not signed by a key that this service trusts.
    public static let invalidCustomToken = AuthErrorCode(rawValue: 17000)
    /// The custom token was issued for another service.
    public static let customTokenMismatch = AuthErrorCode(rawValue: 17002)
    /// The credential is malformed, has expired or was refused by its provider.
    public static let invalidCredential = AuthErrorCode(rawValue: 17004)
    /// An administrator has disabled the account.
    public static let userDisabled = AuthErrorCode(rawValue: 17005)
    /// This sign-in method is disabled.
    public static let operationNotAllowed = AuthErrorCode(rawValue: 17006)
    /// The email address belongs to another account.
    public static let emailAlreadyInUse = AuthErrorCode(rawValue: 17007)
    /// The email address is malformed.
    public static let invalidEmail = AuthErrorCode(rawValue: 17008)
    /// The password is wrong.
    public static let wrongPassword = AuthErrorCode(rawValue: 17009)
    /// There were too many attempts in a short time.
    public static let tooManyRequests = AuthErrorCode(rawValue: 17010)
    /// No account matches the credential.
    public static let userNotFound = AuthErrorCode(rawValue: 17011)
    /// An account with the same email address, or with the phone number, exists, and the credential does not sign in to
    /// it.
    public static let accountExistsWithDifferentCredential = AuthErrorCode(rawValue: 17012)
    /// The operation is sensitive, and the login is too old, or its method too new.
    public static let requiresRecentLogin = AuthErrorCode(rawValue: 17014)
    /// The account already has an identity of this provider.
    public static let providerAlreadyLinked = AuthErrorCode(rawValue: 17015)
    /// The account has no identity of this provider.
    public static let noSuchProvider = AuthErrorCode(rawValue: 17016)
    /// The session or its token is not valid.
    public static let invalidUserToken = AuthErrorCode(rawValue: 17017)
    /// The network could not be reached or did not answer.
    public static let networkError = AuthErrorCode(rawValue: 17020)
    /// The token has expired or was replaced, or its session has ended.
    public static let userTokenExpired = AuthErrorCode(rawValue: 17021)
    /// The API key is wrong.
    public static let invalidAPIKey = AuthErrorCode(rawValue: 17023)
    /// The credential belongs to another account than the one that is signed in.
    public static let userMismatch = AuthErrorCode(rawValue: 17024)
    /// The identity or the phone number is already linked to another account.
    public static let credentialAlreadyInUse = AuthErrorCode(rawValue: 17025)
    /// The password is too weak.
    public static let weakPassword = AuthErrorCode(rawValue: 17026)
    /// This app may not use the service with the given key.
    public static let appNotAuthorized = AuthErrorCode(rawValue: 17028)
    /// The code or link has expired.
    public static let expiredActionCode = AuthErrorCode(rawValue: 17029)
    /// The code or link is malformed, was used before or has been replaced.
    public static let invalidActionCode = AuthErrorCode(rawValue: 17030)
    /// The message template cannot be sent as it is.
    public static let invalidMessagePayload = AuthErrorCode(rawValue: 17031)
    /// The sender's address of the message template is invalid.
    public static let invalidSender = AuthErrorCode(rawValue: 17032)
    /// The message cannot be sent to this recipient.
    public static let invalidRecipientEmail = AuthErrorCode(rawValue: 17033)
    /// No email address was given, or the account has none.
    public static let missingEmail = AuthErrorCode(rawValue: 17034)
    /// The link settings lack the iOS bundle ID they need.
    public static let missingIosBundleID = AuthErrorCode(rawValue: 17036)
    /// The link settings lack the Android package name they need.
    public static let missingAndroidPackageName = AuthErrorCode(rawValue: 17037)
    /// The domain of the link to continue at is not allowed.
    public static let unauthorizedDomain = AuthErrorCode(rawValue: 17038)
    /// The address to continue at is malformed.
    public static let invalidContinueURI = AuthErrorCode(rawValue: 17039)
    /// No address to continue at was given.
    public static let missingContinueURI = AuthErrorCode(rawValue: 17040)
    /// No phone number was given.
    public static let missingPhoneNumber = AuthErrorCode(rawValue: 17041)
    /// The phone number is not in international form.
    public static let invalidPhoneNumber = AuthErrorCode(rawValue: 17042)
    /// No verification code was given.
    public static let missingVerificationCode = AuthErrorCode(rawValue: 17043)
    /// The verification code is wrong.
    public static let invalidVerificationCode = AuthErrorCode(rawValue: 17044)
    /// No verification ID was given.
    public static let missingVerificationID = AuthErrorCode(rawValue: 17045)
    /// The verification ID is unknown or was used before.
    public static let invalidVerificationID = AuthErrorCode(rawValue: 17046)
    /// The request does not identify the app that sent it.
    public static let missingAppCredential = AuthErrorCode(rawValue: 17047)
    /// The credential that identifies the app is invalid.
    public static let invalidAppCredential = AuthErrorCode(rawValue: 17048)
    /// The verification code or the visit to the provider has expired.
    public static let sessionExpired = AuthErrorCode(rawValue: 17051)
    /// The quota of messages or requests is used up.
    public static let quotaExceeded = AuthErrorCode(rawValue: 17052)
    /// The device has no push token yet.
    public static let missingAppToken = AuthErrorCode(rawValue: 17053)
    /// The app did not forward a push notification that it received.
    public static let notificationNotForwarded = AuthErrorCode(rawValue: 17054)
    /// The app could not be verified as genuine.
    public static let appNotVerified = AuthErrorCode(rawValue: 17055)
    /// The reCAPTCHA answer was refused.
    public static let captchaCheckFailed = AuthErrorCode(rawValue: 17056)
    /// A sign-in page is already open.
    public static let webContextAlreadyPresented = AuthErrorCode(rawValue: 17057)
    /// The person closed the sign-in page.
    public static let webContextCancelled = AuthErrorCode(rawValue: 17058)
    /// The page that verifies the app failed.
    public static let appVerificationUserInteractionFailure = AuthErrorCode(rawValue: 17059)
    /// The OAuth client ID is invalid.
    public static let invalidClientID = AuthErrorCode(rawValue: 17060)
    /// A request from the sign-in page failed.
    public static let webNetworkRequestFailed = AuthErrorCode(rawValue: 17061)
    /// The sign-in page failed unexpectedly.
    public static let webInternalError = AuthErrorCode(rawValue: 17062)
    /// The sign-in page ended without a result.
    public static let webSignInUserInteractionFailure = AuthErrorCode(rawValue: 17063)
    /// The Game Center player is not signed in.
    public static let localPlayerNotAuthenticated = AuthErrorCode(rawValue: 17066)
    /// A user was needed and none was given.
    public static let nullUser = AuthErrorCode(rawValue: 17067)
    /// The provider is unknown or its name is malformed.
    public static let invalidProviderID = AuthErrorCode(rawValue: 17071)
    /// The user belongs to another tenant.
    public static let tenantIDMismatch = AuthErrorCode(rawValue: 17072)
    /// The operation is not available with tenants.
    public static let unsupportedTenantOperation = AuthErrorCode(rawValue: 17073)
    /// The credential does not fit the operation, or its method is suspended.
    public static let rejectedCredential = AuthErrorCode(rawValue: 17075)
    /// The app is not linked with GameKit.
    public static let gameKitNotLinked = AuthErrorCode(rawValue: 17076)
    /// The first factor was accepted and a second one is needed.
    public static let secondFactorRequired = AuthErrorCode(rawValue: 17078)
    /// No second-factor session was given.
    public static let missingMultiFactorSession = AuthErrorCode(rawValue: 17081)
    /// No second factor was named.
    public static let missingMultiFactorInfo = AuthErrorCode(rawValue: 17082)
    /// The second-factor session is invalid or has expired.
    public static let invalidMultiFactorSession = AuthErrorCode(rawValue: 17083)
    /// The account has no such second factor.
    public static let multiFactorInfoNotFound = AuthErrorCode(rawValue: 17084)
    /// Only an administrator may do this.
    public static let adminRestrictedOperation = AuthErrorCode(rawValue: 17085)
    /// The operation needs a verified email address.
    public static let unverifiedEmail = AuthErrorCode(rawValue: 17086)
    /// The second factor is already enrolled, or its number signs in to the account.
    public static let secondFactorAlreadyEnrolled = AuthErrorCode(rawValue: 17087)
    /// The account has as many second factors as it may have.
    public static let maximumSecondFactorCountExceeded = AuthErrorCode(rawValue: 17088)
    /// This sign-in method does not allow a second factor.
    public static let unsupportedFirstFactor = AuthErrorCode(rawValue: 17089)
    /// A new email address has to be verified before it counts.
    public static let emailChangeNeedsVerification = AuthErrorCode(rawValue: 17090)
    /// The request does not name the client that it comes from.
    public static let missingClientIdentifier = AuthErrorCode(rawValue: 17093)
    /// The nonce is missing, does not match the token, or was made for something else.
    public static let missingOrInvalidNonce = AuthErrorCode(rawValue: 17094)
    /// A function that the app's owner installed refused the operation.
    public static let blockingCloudFunctionError = AuthErrorCode(rawValue: 17105)
    /// ReCAPTCHA is not enabled.
    public static let recaptchaNotEnabled = AuthErrorCode(rawValue: 17200)
    /// The request lacks the reCAPTCHA token it needs.
    public static let missingRecaptchaToken = AuthErrorCode(rawValue: 17201)
    /// The reCAPTCHA token is invalid.
    public static let invalidRecaptchaToken = AuthErrorCode(rawValue: 17202)
    /// The reCAPTCHA token was made for another action.
    public static let invalidRecaptchaAction = AuthErrorCode(rawValue: 17203)
    /// The request does not say which type of client it comes from.
    public static let missingClientType = AuthErrorCode(rawValue: 17204)
    /// The request does not say which version of reCAPTCHA it uses.
    public static let missingRecaptchaVersion = AuthErrorCode(rawValue: 17205)
    /// The version of reCAPTCHA is not supported.
    public static let invalidRecaptchaVersion = AuthErrorCode(rawValue: 17206)
    /// The type of the request is not supported.
    public static let invalidReqType = AuthErrorCode(rawValue: 17207)
    /// The app is not linked with the reCAPTCHA library.
    public static let recaptchaSDKNotLinked = AuthErrorCode(rawValue: 17208)
    /// No reCAPTCHA site key is configured.
    public static let recaptchaSiteKeyMissing = AuthErrorCode(rawValue: 17209)
    /// The reCAPTCHA action could not be made.
    public static let recaptchaActionCreationFailed = AuthErrorCode(rawValue: 17210)
    /// The password does not meet the requirements of the policy.
    public static let passwordDoesNotMeetRequirements = AuthErrorCode(rawValue: 17211)
    /// The domain for links is not configured for this service.
    public static let invalidHostingLinkDomain = AuthErrorCode(rawValue: 17214)
    /// The keychain could not be read or written.
    public static let keychainError = AuthErrorCode(rawValue: 17995)
    /// Something failed that should not have.
    public static let internalError = AuthErrorCode(rawValue: 17999)
    /// The token is not a well-formed JSON Web Token.
    public static let malformedJWT = AuthErrorCode(rawValue: 18000)
}
