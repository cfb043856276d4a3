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
///     return "What the change added is suspended. Set a new password now."
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

/// Returns what a mailed code is for.
struct InspectAction: Operation {
    let code: OneTimeRecordID

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> ActionCode {
        guard let content = seen.record(code)?.content, var action = content.action else {
            throw Refusal(.invalidActionCode, .codeIsUnknown)
        }
        if let refusal = seen.status(of: code, transaction.context).refusal { throw refusal }
        if case .changeReport(let change) = content, let account = seen.account(of: code) {
            action.addedMethods = account.methodSummaries.filter { change.methods.contains($0.generation) }
            action.merge = change.merge
        }
        return action
    }
}

extension OneTimeRecord.Content {
    /// What a mailed code does; nil for one-time records that are not mailed codes.
    var action: ActionCode? {
        switch self {
        case .verifyEmail(let email, _), .resetPassword(let email): action(about: email)
        case .changeEmail(let old, let new, _): action(about: new, instead: old)
        case .recoverEmail(let recovery): action(about: recovery.restores, instead: recovery.replaced)
        case .signInLink: action(about: nil)
        case .changeReport(let change): action(about: change.email)
        default: nil
        }
    }

    private func action(about email: EmailAddress?, instead previous: EmailAddress? = nil) -> ActionCode {
        ActionCode(kind: messageKind, email: email?.text, previousEmail: previous?.text)
    }

    /// The kind of the message that brings the code; a notice says what changed instead.
    var messageKind: Message.Kind { Message.Kind(rawValue: purpose.rawValue) }
}
