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
}
