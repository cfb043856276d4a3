@testable import AuthCore
import Foundation
import XCTest

final class AuthErrorCodeTests: LimitedTestCase {
    private typealias Row = (code: AuthErrorCode, rawValue: Int, name: String, firebaseName: String)

    private var rows: [Row] { Self.shared + Self.own }

    func testTheSharedCodesAreFirebasesNinetyOne() {
        XCTAssertEqual(Self.shared.count, 91)
        for row in Self.shared {
            XCTAssertEqual(row.code.rawValue, row.rawValue, row.name)
            XCTAssertEqual(row.code.name, row.name)
            XCTAssertEqual(row.code.firebaseName, row.firebaseName, row.name)
        }
    }

    func testOwnCodesStartAtNineteenThousand() {
        XCTAssertEqual(Self.own.map(\.rawValue), Self.own.map(\.rawValue).sorted())
        XCTAssertEqual(Self.own.first?.rawValue, 19000)
        for row in Self.own {
            XCTAssertEqual(row.code.rawValue, row.rawValue, row.name)
            XCTAssertEqual(row.code.name, row.name)
            XCTAssertEqual(row.code.firebaseName, row.firebaseName, row.name)
        }
    }

    func testAllListsEveryCodeOnce() {
        XCTAssertEqual(AuthErrorCode.all, rows.map(\.code))
        XCTAssertEqual(Set(AuthErrorCode.all).count, rows.count)
        XCTAssertEqual(Set(AuthErrorCode.all.map(\.name)).count, rows.count)
        XCTAssertEqual(Set(AuthErrorCode.all.map(\.firebaseName)).count, rows.count)
    }

    func testEveryCodeIsFoundByItsName() {
        for code in AuthErrorCode.all {
            XCTAssertEqual(AuthErrorCode(name: code.name), code)
            XCTAssertEqual(AuthErrorCode(rawValue: code.rawValue), code)
            XCTAssertEqual(code.description, code.name)
        }
        for name in ["", "InvalidEmail", "ERROR_INVALID_EMAIL", "invalidEmail ", "code17008", "17008"] {
            XCTAssertNil(AuthErrorCode(name: name), name)
        }
    }

    func testANameWithAnyNumberOfMarksIsNoName() {
        XCTAssertNil(AuthErrorCode(name: String(repeating: "\u{301}\u{323}", count: 500_000)))
    }

    func testEveryExplanationIsOneSentenceOfWhatHappenedAndWhatToDo() {
        for code in AuthErrorCode.all {
            let parts = code.explanation.split(separator: "; ")
            XCTAssertEqual(parts.count, 2, code.explanation)
            XCTAssertTrue(parts.allSatisfy { $0.count >= 10 }, code.explanation)
            XCTAssertEqual(code.explanation.first?.isUppercase, true, code.explanation)
            XCTAssertEqual(code.explanation.firstIndex(of: "."), code.explanation.indices.last, code.explanation)
            XCTAssertFalse(code.explanation.contains("  "), code.explanation)
        }
        XCTAssertEqual(
            AuthErrorCode.storeUnavailable.explanation,
            "The store could not be reached and nothing was changed; try again later."
        )
    }

    func testUnknownNumbersStillHaveNames() {
        let code = AuthErrorCode(rawValue: 12_345)
        XCTAssertEqual(code.name, "code12345")
        XCTAssertEqual(code.firebaseName, "ERROR_CODE_12345")
        XCTAssertTrue(code.explanation.contains("12345"))
        XCTAssertFalse(AuthErrorCode.all.contains(code))
    }

    func testCodingIsTheNumber() throws {
        let encoded = try JSONEncoder().encode([AuthErrorCode.invalidEmail, AuthErrorCode(rawValue: -1)])
        XCTAssertEqual(String(decoding: encoded, as: UTF8.self), "[17008,-1]")
        XCTAssertEqual(
            try JSONDecoder().decode([AuthErrorCode].self, from: encoded),
            [.invalidEmail, AuthErrorCode(rawValue: -1)]
        )
    }

    func testCodesCanBeMatchedInASwitch() {
        switch AuthErrorCode(rawValue: 17025) {
        case .credentialAlreadyInUse: break
        default: XCTFail("17025 did not match its own code")
        }
    }

    // MARK: The published list

    private static let own: [Row] = [
        (.canceled, 19000, "canceled", "ERROR_CANCELED"),
        (.storeUnavailable, 19001, "storeUnavailable", "ERROR_STORE_UNAVAILABLE"),
        (.outcomeUnknown, 19002, "outcomeUnknown", "ERROR_OUTCOME_UNKNOWN"),
        (.accountMerged, 19003, "accountMerged", "ERROR_ACCOUNT_MERGED"),
        (.overloaded, 19004, "overloaded", "ERROR_OVERLOADED"),
        (.lastMethod, 19005, "lastMethod", "ERROR_LAST_METHOD"),
        (.deviceMismatch, 19006, "deviceMismatch", "ERROR_DEVICE_MISMATCH"),
        (.invalidCustomClaims, 19007, "invalidCustomClaims", "ERROR_INVALID_CUSTOM_CLAIMS"),
        (.textTooLong, 19008, "textTooLong", "ERROR_TEXT_TOO_LONG"),
        (.mergeInProgress, 19009, "mergeInProgress", "ERROR_MERGE_IN_PROGRESS"),
        (.mergeNotPossible, 19010, "mergeNotPossible", "ERROR_MERGE_NOT_POSSIBLE"),
        (.mergeHookFailed, 19011, "mergeHookFailed", "ERROR_MERGE_HOOK_FAILED"),
        (.savedSessionUnreadable, 19012, "savedSessionUnreadable", "ERROR_SAVED_SESSION_UNREADABLE"),
        (.noCurrentUser, 19013, "noCurrentUser", "ERROR_NO_CURRENT_USER"),
        (.missingSecretKey, 19014, "missingSecretKey", "ERROR_MISSING_SECRET_KEY"),
        (.sealedSecretUnreadable, 19015, "sealedSecretUnreadable", "ERROR_SEALED_SECRET_UNREADABLE"),
        (.keyRuleMismatch, 19020, "keyRuleMismatch", "ERROR_KEY_RULE_MISMATCH"),
        (.messageNotSent, 19021, "messageNotSent", "ERROR_MESSAGE_NOT_SENT"),
    ]

    private static let shared: [Row] = [
        (.invalidCustomToken, 17000, "invalidCustomToken", "ERROR_INVALID_CUSTOM_TOKEN"),
        (.customTokenMismatch, 17002, "customTokenMismatch", "ERROR_CUSTOM_TOKEN_MISMATCH"),
        (.invalidCredential, 17004, "invalidCredential", "ERROR_INVALID_CREDENTIAL"),
        (.userDisabled, 17005, "userDisabled", "ERROR_USER_DISABLED"),
        (.operationNotAllowed, 17006, "operationNotAllowed", "ERROR_OPERATION_NOT_ALLOWED"),
        (.emailAlreadyInUse, 17007, "emailAlreadyInUse", "ERROR_EMAIL_ALREADY_IN_USE"),
        (.invalidEmail, 17008, "invalidEmail", "ERROR_INVALID_EMAIL"),
        (.wrongPassword, 17009, "wrongPassword", "ERROR_WRONG_PASSWORD"),
        (.tooManyRequests, 17010, "tooManyRequests", "ERROR_TOO_MANY_REQUESTS"),
        (.userNotFound, 17011, "userNotFound", "ERROR_USER_NOT_FOUND"),
        (
            .accountExistsWithDifferentCredential, 17012, "accountExistsWithDifferentCredential",
            "ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL"
        ),
        (.requiresRecentLogin, 17014, "requiresRecentLogin", "ERROR_REQUIRES_RECENT_LOGIN"),
        (.providerAlreadyLinked, 17015, "providerAlreadyLinked", "ERROR_PROVIDER_ALREADY_LINKED"),
        (.noSuchProvider, 17016, "noSuchProvider", "ERROR_NO_SUCH_PROVIDER"),
        (.invalidUserToken, 17017, "invalidUserToken", "ERROR_INVALID_USER_TOKEN"),
        (.networkError, 17020, "networkError", "ERROR_NETWORK_REQUEST_FAILED"),
        (.userTokenExpired, 17021, "userTokenExpired", "ERROR_USER_TOKEN_EXPIRED"),
        (.invalidAPIKey, 17023, "invalidAPIKey", "ERROR_INVALID_API_KEY"),
        (.userMismatch, 17024, "userMismatch", "ERROR_USER_MISMATCH"),
        (.credentialAlreadyInUse, 17025, "credentialAlreadyInUse", "ERROR_CREDENTIAL_ALREADY_IN_USE"),
        (.weakPassword, 17026, "weakPassword", "ERROR_WEAK_PASSWORD"),
        (.appNotAuthorized, 17028, "appNotAuthorized", "ERROR_APP_NOT_AUTHORIZED"),
        (.expiredActionCode, 17029, "expiredActionCode", "ERROR_EXPIRED_ACTION_CODE"),
        (.invalidActionCode, 17030, "invalidActionCode", "ERROR_INVALID_ACTION_CODE"),
        (.invalidMessagePayload, 17031, "invalidMessagePayload", "ERROR_INVALID_MESSAGE_PAYLOAD"),
        (.invalidSender, 17032, "invalidSender", "ERROR_INVALID_SENDER"),
        (.invalidRecipientEmail, 17033, "invalidRecipientEmail", "ERROR_INVALID_RECIPIENT_EMAIL"),
        (.missingEmail, 17034, "missingEmail", "ERROR_MISSING_EMAIL"),
        (.missingIosBundleID, 17036, "missingIosBundleID", "ERROR_MISSING_IOS_BUNDLE_ID"),
        (.missingAndroidPackageName, 17037, "missingAndroidPackageName", "ERROR_MISSING_ANDROID_PKG_NAME"),
        (.unauthorizedDomain, 17038, "unauthorizedDomain", "ERROR_UNAUTHORIZED_DOMAIN"),
        (.invalidContinueURI, 17039, "invalidContinueURI", "ERROR_INVALID_CONTINUE_URI"),
        (.missingContinueURI, 17040, "missingContinueURI", "ERROR_MISSING_CONTINUE_URI"),
        (.missingPhoneNumber, 17041, "missingPhoneNumber", "ERROR_MISSING_PHONE_NUMBER"),
        (.invalidPhoneNumber, 17042, "invalidPhoneNumber", "ERROR_INVALID_PHONE_NUMBER"),
        (.missingVerificationCode, 17043, "missingVerificationCode", "ERROR_MISSING_VERIFICATION_CODE"),
        (.invalidVerificationCode, 17044, "invalidVerificationCode", "ERROR_INVALID_VERIFICATION_CODE"),
        (.missingVerificationID, 17045, "missingVerificationID", "ERROR_MISSING_VERIFICATION_ID"),
        (.invalidVerificationID, 17046, "invalidVerificationID", "ERROR_INVALID_VERIFICATION_ID"),
        (.missingAppCredential, 17047, "missingAppCredential", "MISSING_APP_CREDENTIAL"),
        (.invalidAppCredential, 17048, "invalidAppCredential", "INVALID_APP_CREDENTIAL"),
        (.sessionExpired, 17051, "sessionExpired", "ERROR_SESSION_EXPIRED"),
        (.quotaExceeded, 17052, "quotaExceeded", "ERROR_QUOTA_EXCEEDED"),
        (.missingAppToken, 17053, "missingAppToken", "ERROR_MISSING_APP_TOKEN"),
        (.notificationNotForwarded, 17054, "notificationNotForwarded", "ERROR_NOTIFICATION_NOT_FORWARDED"),
        (.appNotVerified, 17055, "appNotVerified", "ERROR_APP_NOT_VERIFIED"),
        (.captchaCheckFailed, 17056, "captchaCheckFailed", "ERROR_CAPTCHA_CHECK_FAILED"),
        (.webContextAlreadyPresented, 17057, "webContextAlreadyPresented", "ERROR_WEB_CONTEXT_ALREADY_PRESENTED"),
        (.webContextCancelled, 17058, "webContextCancelled", "ERROR_WEB_CONTEXT_CANCELLED"),
        (
            .appVerificationUserInteractionFailure, 17059, "appVerificationUserInteractionFailure",
            "ERROR_APP_VERIFICATION_FAILED"
        ),
        (.invalidClientID, 17060, "invalidClientID", "ERROR_INVALID_CLIENT_ID"),
        (.webNetworkRequestFailed, 17061, "webNetworkRequestFailed", "ERROR_WEB_NETWORK_REQUEST_FAILED"),
        (.webInternalError, 17062, "webInternalError", "ERROR_WEB_INTERNAL_ERROR"),
        (
            .webSignInUserInteractionFailure, 17063, "webSignInUserInteractionFailure",
            "ERROR_WEB_USER_INTERACTION_FAILURE"
        ),
        (.localPlayerNotAuthenticated, 17066, "localPlayerNotAuthenticated", "ERROR_LOCAL_PLAYER_NOT_AUTHENTICATED"),
        (.nullUser, 17067, "nullUser", "ERROR_NULL_USER"),
        (.invalidProviderID, 17071, "invalidProviderID", "ERROR_INVALID_PROVIDER_ID"),
        (.tenantIDMismatch, 17072, "tenantIDMismatch", "ERROR_TENANT_ID_MISMATCH"),
        (.unsupportedTenantOperation, 17073, "unsupportedTenantOperation", "ERROR_UNSUPPORTED_TENANT_OPERATION"),
        (.rejectedCredential, 17075, "rejectedCredential", "ERROR_REJECTED_CREDENTIAL"),
        (.gameKitNotLinked, 17076, "gameKitNotLinked", "ERROR_GAME_KIT_NOT_LINKED"),
        (.secondFactorRequired, 17078, "secondFactorRequired", "ERROR_SECOND_FACTOR_REQUIRED"),
        (.missingMultiFactorSession, 17081, "missingMultiFactorSession", "ERROR_MISSING_MULTI_FACTOR_SESSION"),
        (.missingMultiFactorInfo, 17082, "missingMultiFactorInfo", "ERROR_MISSING_MULTI_FACTOR_INFO"),
        (.invalidMultiFactorSession, 17083, "invalidMultiFactorSession", "ERROR_INVALID_MULTI_FACTOR_SESSION"),
        (.multiFactorInfoNotFound, 17084, "multiFactorInfoNotFound", "ERROR_MULTI_FACTOR_INFO_NOT_FOUND"),
        (.adminRestrictedOperation, 17085, "adminRestrictedOperation", "ERROR_ADMIN_RESTRICTED_OPERATION"),
        (.unverifiedEmail, 17086, "unverifiedEmail", "ERROR_UNVERIFIED_EMAIL"),
        (.secondFactorAlreadyEnrolled, 17087, "secondFactorAlreadyEnrolled", "ERROR_SECOND_FACTOR_ALREADY_ENROLLED"),
        (
            .maximumSecondFactorCountExceeded, 17088, "maximumSecondFactorCountExceeded",
            "ERROR_MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED"
        ),
        (.unsupportedFirstFactor, 17089, "unsupportedFirstFactor", "ERROR_UNSUPPORTED_FIRST_FACTOR"),
        (.emailChangeNeedsVerification, 17090, "emailChangeNeedsVerification", "ERROR_EMAIL_CHANGE_NEEDS_VERIFICATION"),
        (.missingClientIdentifier, 17093, "missingClientIdentifier", "ERROR_MISSING_CLIENT_IDENTIFIER"),
        (.missingOrInvalidNonce, 17094, "missingOrInvalidNonce", "ERROR_MISSING_OR_INVALID_NONCE"),
        (
            .blockingCloudFunctionError, 17105, "blockingCloudFunctionError",
            "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR"
        ),
        (.recaptchaNotEnabled, 17200, "recaptchaNotEnabled", "ERROR_RECAPTCHA_NOT_ENABLED"),
        (.missingRecaptchaToken, 17201, "missingRecaptchaToken", "ERROR_MISSING_RECAPTCHA_TOKEN"),
        (.invalidRecaptchaToken, 17202, "invalidRecaptchaToken", "ERROR_INVALID_RECAPTCHA_TOKEN"),
        (.invalidRecaptchaAction, 17203, "invalidRecaptchaAction", "ERROR_INVALID_RECAPTCHA_ACTION"),
        (.missingClientType, 17204, "missingClientType", "ERROR_MISSING_CLIENT_TYPE"),
        (.missingRecaptchaVersion, 17205, "missingRecaptchaVersion", "ERROR_MISSING_RECAPTCHA_VERSION"),
        (.invalidRecaptchaVersion, 17206, "invalidRecaptchaVersion", "ERROR_INVALID_RECAPTCHA_VERSION"),
        (.invalidReqType, 17207, "invalidReqType", "ERROR_INVALID_REQ_TYPE"),
        (.recaptchaSDKNotLinked, 17208, "recaptchaSDKNotLinked", "ERROR_RECAPTCHA_SDK_NOT_LINKED"),
        (.recaptchaSiteKeyMissing, 17209, "recaptchaSiteKeyMissing", "ERROR_RECAPTCHA_SITE_KEY_MISSING"),
        (
            .recaptchaActionCreationFailed, 17210, "recaptchaActionCreationFailed",
            "ERROR_RECAPTCHA_ACTION_CREATION_FAILED"
        ),
        (
            .passwordDoesNotMeetRequirements, 17211, "passwordDoesNotMeetRequirements",
            "ERROR_PASSWORD_DOES_NOT_MEET_REQUIREMENTS"
        ),
        (.invalidHostingLinkDomain, 17214, "invalidHostingLinkDomain", "ERROR_INVALID_HOSTING_LINK_DOMAIN"),
        (.keychainError, 17995, "keychainError", "ERROR_KEYCHAIN_ERROR"),
        (.internalError, 17999, "internalError", "ERROR_INTERNAL_ERROR"),
        (.malformedJWT, 18000, "malformedJWT", "ERROR_MALFORMED_JWT"),
    ]

    func testAMergeOfItsAccountEndsASession() {
        let codes: [AuthErrorCode] = [
            .userNotFound, .userDisabled, .userTokenExpired, .invalidUserToken, .accountMerged,
        ]
        for code in codes { XCTAssertTrue(code.endsSession, "\(code)") }
        for code in AuthErrorCode.all where !codes.contains(code) { XCTAssertFalse(code.endsSession, "\(code)") }
    }

    func testAFailureOfWhatTheServiceRestsOnIsNoRefusal() {
        let failures: Set<AuthErrorCode> = [
            .canceled, .storeUnavailable, .outcomeUnknown, .networkError, .internalError, .overloaded,
            .missingSecretKey, .messageNotSent,
        ]
        for code in AuthErrorCode.all { XCTAssertEqual(code.isRefusal, !failures.contains(code), "\(code)") }
    }

    func testAMergeWhoseOutcomeIsOpenIsNotCalledOff() {
        let open: Set<AuthErrorCode> = [.canceled, .storeUnavailable, .outcomeUnknown, .mergeInProgress]
        for code in AuthErrorCode.all {
            XCTAssertEqual(AuthError(code).abortsMerge, !open.contains(code), "\(code)")
        }
    }

    func testAFailureOfAVerifierIsDescribedByItsKindAndDetail() {
        let rejection = VerificationFailure(.rejected, "No such token.")
        XCTAssertEqual("\(rejection)", "rejected: No such token.", "with a detail")
        XCTAssertEqual("\(VerificationFailure(.expired))", "expired", "without a detail")
    }

    func testAFailureOfAVerifierIsTheCredentialsUnlessItsKindSaysOtherwise() {
        let others: [VerificationFailure.Kind: AuthErrorCode] = [
            .wrongNonce: .missingOrInvalidNonce, .unreachable: .networkError, .misconfigured: .internalError,
        ]
        for kind in VerificationFailure.Kind.allCases {
            let code = others[kind] ?? .invalidCredential
            let error = AuthError(verificationFailure: VerificationFailure(kind, "No such token."))
            XCTAssertEqual(error.code, code, "the code for \(kind)")
            XCTAssertEqual(error.message, "\(code.explanation) No such token.", "the message for \(kind)")
        }
    }

    func testAFailureThatHasANameIsOfThatKind() {
        let failures: [(VerificationFailure, VerificationFailure.Kind)] = [
            (.missingToken, .missingToken), (.malformed, .malformed), (.wrongSignature, .wrongSignature),
            (.wrongIssuer, .wrongIssuer), (.wrongAudience, .wrongAudience), (.expired, .expired),
            (.wrongNonce, .wrongNonce), (.unreachable, .unreachable),
        ]
        for (failure, kind) in failures { XCTAssertEqual(failure, VerificationFailure(kind), "\(kind)") }
    }

    func testTheLocalizedDescriptionIsTheMessage() {
        let error: any Error = AuthError(.tooManyRequests)
        XCTAssertEqual(error.localizedDescription, AuthError(.tooManyRequests).message)
    }
}
