extension Auth {
    /// A change of the current user.
    public enum Change: Sendable {
        /// The current user when the observation begins.
        case current(User?)
        /// A user signed in.
        case signedIn(User)
        /// The user signed out, or deleted the account.
        case signedOut
        /// The session has ended other than by a sign-out, or its account was deleted or disabled; the code says which.
        case sessionEnded(AuthErrorCode)

        /// The current user after the change.
        public var user: User? {
            switch self {
            case .current(let user): user
            case .signedIn(let user): user
            case .signedOut, .sessionEnded: nil
            }
        }
    }
}
