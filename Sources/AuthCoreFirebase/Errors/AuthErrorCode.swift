/// What went wrong, in FirebaseAuth's numbers.
///
/// The error that is thrown or passed to a handler is never a value of this type. It is an `NSError` in the domain
/// `FIRAuthErrorDomain`, and its code is one of these numbers.
public enum AuthErrorCode: Int, Error {
    /// The custom token is malformed or was not signed by a key that this service trusts.
    case invalidCustomToken = 17000
    /// The custom token was issued for another service.
    case customTokenMismatch = 17002
    /// The credential is malformed, has expired or was refused by its provider.
    case invalidCredential = 17004
    /// An administrator has disabled the account.
    case userDisabled = 17005
    /// This sign-in method is disabled.
    case operationNotAllowed = 17006
    /// The email address belongs to another account.
    case emailAlreadyInUse = 17007
    /// The email address is malformed.
    case invalidEmail = 17008
    /// The password is wrong.
    case wrongPassword = 17009
    /// There were too many attempts in a short time.
    case tooManyRequests = 17010
    /// No account matches the credential.
    case userNotFound = 17011
    /// An account with the same email address exists and uses another sign-in method.
    case accountExistsWithDifferentCredential = 17012
    /// The operation is sensitive, and the login is too old, or its method too new.
    case requiresRecentLogin = 17014
    /// The account already has an identity of this provider.
    case providerAlreadyLinked = 17015
    /// The account has no identity of this provider.
    case noSuchProvider = 17016
    /// The session or its token is not valid.
    case invalidUserToken = 17017
    /// The network could not be reached or did not answer.
    case networkError = 17020
    /// The token has expired or was replaced, or its session has ended.
    case userTokenExpired = 17021
    /// The API key is wrong.
    case invalidAPIKey = 17023
    /// The credential belongs to another account than the signed-in one.
    case userMismatch = 17024
    /// The identity is already linked to another account.
    case credentialAlreadyInUse = 17025
    /// The password is too weak.
    case weakPassword = 17026
    /// This app may not use the service with the given key.
    case appNotAuthorized = 17028
    /// The code or link has expired.
    case expiredActionCode = 17029
    /// The code or link is malformed, was used before or has been replaced.
    case invalidActionCode = 17030
    /// The message template cannot be sent as it is.
    case invalidMessagePayload = 17031
    /// The sender's address of the message template is invalid.
    case invalidSender = 17032
    /// The message cannot be sent to this recipient.
    case invalidRecipientEmail = 17033
    /// No email address was given, or the account has none.
    case missingEmail = 17034
    /// The link settings lack the required iOS bundle ID.
    case missingIosBundleID = 17036
    /// The link settings lack the required Android package name.
    case missingAndroidPackageName = 17037
    /// The domain of the continue URL is not allowed.
    case unauthorizedDomain = 17038
    /// The continue URL is malformed.
    case invalidContinueURI = 17039
    /// The continue URL is missing.
    case missingContinueURI = 17040
    /// The phone number is missing.
    case missingPhoneNumber = 17041
    /// The phone number is not in international form.
    case invalidPhoneNumber = 17042
    /// The verification code is missing.
    case missingVerificationCode = 17043
    /// The verification code is wrong.
    case invalidVerificationCode = 17044
    /// The verification ID is missing.
    case missingVerificationID = 17045
    /// The verification ID is unknown or was used before.
    case invalidVerificationID = 17046
    /// The request does not identify the app that makes it.
    case missingAppCredential = 17047
    /// The credential that identifies the app is invalid.
    case invalidAppCredential = 17048
    /// The verification code or the visit to the provider has expired.
    case sessionExpired = 17051
    /// The quota of messages or requests is used up.
    case quotaExceeded = 17052
    /// The device has no push token yet.
    case missingAppToken = 17053
    /// The app did not forward a push notification that it received.
    case notificationNotForwarded = 17054
    /// The app could not be verified as genuine.
    case appNotVerified = 17055
    /// The reCAPTCHA answer was refused.
    case captchaCheckFailed = 17056
    /// A sign-in page is already open.
    case webContextAlreadyPresented = 17057
    /// The person closed the sign-in page.
    case webContextCancelled = 17058
    /// The page that verifies the app failed.
    case appVerificationUserInteractionFailure = 17059
    /// The OAuth client ID is invalid.
    case invalidClientID = 17060
    /// A request from the sign-in page failed.
    case webNetworkRequestFailed = 17061
    /// The sign-in page failed unexpectedly.
    case webInternalError = 17062
    /// The sign-in page ended without a result.
    case webSignInUserInteractionFailure = 17063
    /// The Game Center player is not signed in.
    case localPlayerNotAuthenticated = 17066
    /// A user is required, but none was given.
    case nullUser = 17067
    /// The provider is unknown or its name is malformed.
    case invalidProviderID = 17071
    /// The user belongs to another tenant.
    case tenantIDMismatch = 17072
    /// The operation is not available with tenants.
    case unsupportedTenantOperation = 17073
    /// The credential does not fit the operation, or its method is suspended.
    case rejectedCredential = 17075
    /// The app is not linked with GameKit.
    case gameKitNotLinked = 17076
    /// The first factor was accepted, and a second one is required.
    case secondFactorRequired = 17078
    /// The second-factor session is missing.
    case missingMultiFactorSession = 17081
    /// The second factor is missing.
    case missingMultiFactorInfo = 17082
    /// The second-factor session is invalid or has expired.
    case invalidMultiFactorSession = 17083
    /// The account has no such second factor.
    case multiFactorInfoNotFound = 17084
    /// Only an administrator may do this.
    case adminRestrictedOperation = 17085
    /// The operation needs a verified email address.
    case unverifiedEmail = 17086
    /// The second factor is already enrolled, or its number signs in to the account.
    case secondFactorAlreadyEnrolled = 17087
    /// The account already has the maximum number of second factors.
    case maximumSecondFactorCountExceeded = 17088
    /// The sign-in method does not allow a second factor.
    case unsupportedFirstFactor = 17089
    /// A new email address must be verified before it is used.
    case emailChangeNeedsVerification = 17090
    /// The request does not identify the client that makes it.
    case missingClientIdentifier = 17093
    /// The nonce is missing, does not match the token, or was made for something else.
    case missingOrInvalidNonce = 17094
    /// A function of the app's owner refused the operation.
    case blockingCloudFunctionError = 17105
    /// ReCAPTCHA is not enabled.
    case recaptchaNotEnabled = 17200
    /// The request lacks the required reCAPTCHA token.
    case missingRecaptchaToken = 17201
    /// The reCAPTCHA token is invalid.
    case invalidRecaptchaToken = 17202
    /// The reCAPTCHA token was made for another action.
    case invalidRecaptchaAction = 17203
    /// The request does not say which type of client it comes from.
    case missingClientType = 17204
    /// The request does not say which version of reCAPTCHA it uses.
    case missingRecaptchaVersion = 17205
    /// The version of reCAPTCHA is not supported.
    case invalidRecaptchaVersion = 17206
    /// The type of the request is not supported.
    case invalidReqType = 17207
    /// The app is not linked with the reCAPTCHA library.
    case recaptchaSDKNotLinked = 17208
    /// No reCAPTCHA site key is configured.
    case recaptchaSiteKeyMissing = 17209
    /// The reCAPTCHA action could not be made.
    case recaptchaActionCreationFailed = 17210
    /// The password does not meet the requirements of the policy.
    case passwordDoesNotMeetRequirements = 17211
    /// The domain for links is not configured for this service.
    case invalidHostingLinkDomain = 17214
    /// The keychain could not be read or written.
    case keychainError = 17995
    /// An internal error happened.
    case internalError = 17999
    /// The token is not a well-formed JSON Web Token.
    case malformedJWT = 18000

    /// The code itself, for code that was written when errors were structs that contained it.
    public var code: AuthErrorCode { self }

    /// The code's name in code that was written when errors were structs that contained it.
    public typealias Code = AuthErrorCode
}
