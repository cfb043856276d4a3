extension AuthErrorCode {
    /// Whether the error is a refusal, rather than a failure or a cancellation.
    package var isRefusal: Bool {
        switch self {
        case .cancelled, .storeUnavailable, .outcomeUnknown, .networkError, .internalError, .overloaded,
            .missingSecretKey:
            false
        default: true
        }
    }

    /// Whether the error tells an attacker who guesses that the guess was wrong.
    package var isWrongAnswer: Bool {
        switch self {
        case .wrongPassword, .invalidCredential, .userMismatch, .userNotFound, .invalidVerificationCode,
            .invalidActionCode, .invalidEmail:
            true
        default: false
        }
    }

    /// Whether the error calls a merge off; after a failure with an unknown outcome, the merge is left to be resumed.
    package var callsOffMerge: Bool {
        switch self {
        case .cancelled, .storeUnavailable, .outcomeUnknown, .mergeInProgress: false
        default: true
        }
    }
}
