public import AuthCoreFoundation

extension AuthError: LocalizedError {
    /// The message, so that a log of `localizedDescription` says what happened; it is for developers, too.
    public var errorDescription: String? { message }
}
