/// What a mailed code is for.
public struct ActionCode: Sendable, Hashable {
    /// What the code does when it is applied.
    public let kind: Message.Kind
    /// The address that the code is about; withheld for codes that sign in.
    public let email: String?
    /// The address before the change, if the code is for a change.
    public let previousEmail: String?
    /// The methods added by the change that the code can contest, for the code of a notice.
    public internal(set) var addedMethods: [SignInMethod.Summary] = []
}

/// Returns what a mailed code is for.
struct InspectAction: Operation {
    let code: OneTimeRecordID

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> ActionCode {
        guard let content = seen.record(code)?.content, var action = content.action else {
            throw Refusal(.invalidActionCode, .codeIsUnknown)
        }
        if let refusal = seen.status(of: code, transaction.context, matches: { _ in true }).refusal { throw refusal }
        if case .changeReport(let change) = content, let account = seen.account(of: code) {
            action.addedMethods = account.methodSummaries.filter { change.methods.contains($0.generation) }
        }
        return action
    }
}

extension OneTimeRecord.Content {
    /// What a mailed code does; nil for one-time records that are not mailed codes.
    var action: ActionCode? {
        switch self {
        case .verifyEmail(let email, _):
            ActionCode(kind: .verifyEmail, email: email.text, previousEmail: nil)
        case .changeEmail(let old, let new, _):
            ActionCode(kind: .changeEmail, email: new.text, previousEmail: old.text)
        case .resetPassword(let email):
            ActionCode(kind: .resetPassword, email: email.text, previousEmail: nil)
        case .recoverEmail(let recovery):
            ActionCode(kind: .recoverEmail, email: recovery.restores.text, previousEmail: recovery.replaced?.text)
        case .signInLink:
            ActionCode(kind: .signInLink, email: nil, previousEmail: nil)
        case .changeReport(let change):
            ActionCode(kind: .changeReport, email: change.email?.text, previousEmail: nil)
        default:
            nil
        }
    }
}
