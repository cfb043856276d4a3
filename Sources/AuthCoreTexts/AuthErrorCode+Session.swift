extension AuthErrorCode {
    /// Whether an error with this code means that the session has ended, or that a token is not good any more.
    ///
    /// This is for the status of an answer. The error tells both apart: `AuthError.endsSession`.
    public var endsSession: Bool {
        switch self {
        case .userNotFound, .userDisabled, .userTokenExpired, .invalidUserToken, .accountMerged: true
        default: false
        }
    }
}
