extension AuthErrorCode {
    /// Whether the error means that the session has ended.
    public var endsSession: Bool {
        switch self {
        case .userNotFound, .userDisabled, .userTokenExpired, .invalidUserToken, .accountMerged: true
        default: false
        }
    }
}
