extension AuthErrorCode {
    /// Whether the error says that the session it happened in is over.
    public var endsSession: Bool {
        switch self {
        case .userNotFound, .userDisabled, .userTokenExpired, .invalidUserToken, .accountMerged: true
        default: false
        }
    }
}
