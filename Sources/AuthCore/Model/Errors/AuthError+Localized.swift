public import AuthCoreFoundation

extension AuthError: LocalizedError {
    /// The message, so that a log of `localizedDescription` says what happened.
    ///
    /// It is meant for developers: show people a text of your own.
    public var errorDescription: String? { message }
}
