/// AuthCore's own codes, for what has no counterpart in FirebaseAuth.
extension AuthErrorCode {
    /// The task was canceled before anything was changed.
    public static let canceled = AuthErrorCode(rawValue: 19000)
    /// The store could not be reached and nothing was changed.
    public static let storeUnavailable = AuthErrorCode(rawValue: 19001)
    /// The change was interrupted while it was being made, so it may have happened, or still happen.
    public static let outcomeUnknown = AuthErrorCode(rawValue: 19002)
    /// The account was merged into another one.
    public static let accountMerged = AuthErrorCode(rawValue: 19003)
    /// Too much work is waiting and nothing was changed.
    public static let overloaded = AuthErrorCode(rawValue: 19004)
    /// Without this method the account could no longer be signed in to.
    public static let lastMethod = AuthErrorCode(rawValue: 19005)
    /// The code, link or pending sign-in belongs to another browser or device.
    public static let deviceMismatch = AuthErrorCode(rawValue: 19006)
    /// The custom claims use names that tokens need for themselves, or are too large.
    public static let invalidCustomClaims = AuthErrorCode(rawValue: 19007)
    /// A name or a link exceeds 2,048 bytes, or contains a NUL.
    public static let textTooLong = AuthErrorCode(rawValue: 19008)
    /// A pending merge or move locks the account's methods.
    public static let mergeInProgress = AuthErrorCode(rawValue: 19009)
    /// The accounts cannot be merged, or the merge cannot be undone, in the way that was asked for.
    public static let mergeNotPossible = AuthErrorCode(rawValue: 19010)
    /// A hook that moves the app's own data failed.
    public static let mergeHookFailed = AuthErrorCode(rawValue: 19011)
    /// The saved session cannot be read, was written by another program, or could not be removed at a sign-out.
    public static let savedSessionUnreadable = AuthErrorCode(rawValue: 19012)
    /// No user is signed in.
    public static let noCurrentUser = AuthErrorCode(rawValue: 19013)
    /// The secret key is shorter than 32 bytes, or there is none beside a durable store.
    public static let missingSecretKey = AuthErrorCode(rawValue: 19014)
    /// A stored secret was sealed with a key that the service does not have.
    public static let sealedSecretUnreadable = AuthErrorCode(rawValue: 19015)
    /// The store holds the keys of addresses under another rule than the policy makes them.
    public static let keyRuleMismatch = AuthErrorCode(rawValue: 19020)
    /// A message could not be sent, and its code was revoked.
    public static let messageNotSent = AuthErrorCode(rawValue: 19021)
}
