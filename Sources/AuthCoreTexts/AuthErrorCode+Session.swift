extension AuthErrorCode {
    /// Whether an error with this code means that the session has ended, or that an ID token is not good any more.
    ///
    /// The error tells both apart: `AuthError.endsSession`.
    public var endsSession: Bool {
        switch self {
        case .userNotFound, .userDisabled, .userTokenExpired, .invalidUserToken, .accountMerged: true
        default: false
        }
    }
}
