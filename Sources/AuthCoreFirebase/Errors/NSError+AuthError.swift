internal import AuthCore
internal import Foundation

extension NSError {
    /// An error object with this code; its text is the code's own unless another is given.
    convenience init(
        _ code: AuthErrorCode,
        message: String? = nil,
        userInfo extra: [String: Any] = [:]
    ) {
        var userInfo = code.errorUserInfo
        if let message { userInfo[NSLocalizedDescriptionKey] = message }
        self.init(domain: AuthErrors.domain, code: code.rawValue, userInfo: userInfo.merging(extra) { _, new in new })
    }

    /// The error object for an error of the engine.
    ///
    /// It contains what the app needs to continue: after a conflict the address and the credential, and for a required
    /// second factor its resolver.
    convenience init(_ error: AuthError, presenting credential: AuthCredential? = nil, in auth: Auth? = nil) {
        let (code, isForeign) = error.code.inFirebase
        var extra: [String: Any] = [:]
        if isForeign {
            var inner: [String: Any] = [NSLocalizedDescriptionKey: error.message]
            if let cause = error.cause { inner[NSUnderlyingErrorKey] = cause as NSError }
            extra[NSUnderlyingErrorKey] = NSError(
                domain: "AuthCoreErrorDomain",
                code: error.code.rawValue,
                userInfo: inner
            )
        } else if let cause = error.cause {
            extra[NSUnderlyingErrorKey] = cause as NSError
        }
        switch error.detail {
        case .conflict(let conflict) where code.carriesCredential:
            extra[AuthErrors.userInfoUpdatedCredentialKey] = AuthCredential.updated(conflict, from: credential)
            if let email = conflict.email, !email.isEmpty { extra[AuthErrors.userInfoEmailKey] = email }
        case .secondFactor(let challenge):
            if let auth {
                extra[AuthErrors.userInfoMultiFactorResolverKey] = MultiFactorResolver(
                    challenge,
                    presenting: credential,
                    in: auth
                )
            }
        case .conflict, .none:
            break
        }
        let message = auth.flatMap { error.leastLength(in: $0) } ?? error.message
        if code == .weakPassword { extra[NSLocalizedFailureReasonErrorKey] = message }
        self.init(code, message: message, userInfo: extra)
    }
}

extension AuthError {
    /// How long a password must be, for one that is too short; the original says it, and apps show it.
    fileprivate func leastLength(in auth: Auth) -> String? {
        let rule = auth.client.service.configuration.policy.passwordRule
        guard reason == .passwordIsTooShort, rule.minimumLengthAlone == nil else { return nil }
        return "The password must have at least \(rule.minimumLength) characters."
    }
}

extension AuthErrorCode {
    /// Whether errors of this code contain the address and a credential to continue with.
    var carriesCredential: Bool { self == .accountExistsWithDifferentCredential || self == .credentialAlreadyInUse }
}

extension AuthCore.AuthErrorCode {
    /// The code in FirebaseAuth's numbers, and whether it is only the nearest one to AuthCore's own code.
    var inFirebase: (code: AuthErrorCode, isNearest: Bool) {
        if let code = AuthErrorCode(rawValue: rawValue) { return (code, false) }
        switch self {
        case .storeUnavailable, .outcomeUnknown, .overloaded: return (.networkError, true)
        case .accountMerged: return (.userTokenExpired, true)
        case .lastMethod: return (.operationNotAllowed, true)
        case .deviceMismatch: return (.invalidCredential, true)
        default: return (.internalError, true)
        }
    }
}
