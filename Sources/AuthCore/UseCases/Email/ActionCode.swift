/// What a mailed code is for.
///
/// ```swift
/// let action = try await auth.checkActionCode(link)
/// switch action.kind {
/// case .verifyEmail, .changeEmail, .recoverEmail:
///     try await auth.applyActionCode(link)
///     return "The address is \(action.email ?? "")."
/// case .resetPassword:
///     let report = try await auth.confirmPasswordReset(code: link, newPassword: await newPassword())
///     return report.suspended.isEmpty ? "Sign in." : "Sign in, and link again what is still yours."
/// case .changeReport:
///     try await auth.reportUnauthorizedChange(code: link)
///     return "All sessions are ended, and what could be reversed is reversed. Set a new password now."
/// default:
///     return "This link opens in the app."
/// }
/// ```
public struct ActionCode: Sendable, Hashable {
    /// What the code does when it is applied.
    public let kind: Message.Kind
    /// The address that the code is about.
    ///
    /// It is nil for a sign-in link, which signs in only together with its address, and for a notice of a change that
    /// set no address.
    public let email: String?
    /// The address before the change, if the code is for a change.
    public let previousEmail: String?
    /// The methods added by the change that the code can contest, for the code of a notice.
    public internal(set) var addedMethods: [SignInMethod.Summary] = []
    /// The merge or move that a notice reports, for ``AuthClient/undoMerge(_:verifiedBy:)``.
    public internal(set) var merge: Merge.ID?
}
