/// What a mailed code is for.
public struct ActionCode: Sendable, Hashable {
    /// What the code does when it is applied.
    public let kind: MessageKind
    /// The address it is about; withheld for codes that sign in.
    public let email: String?
    /// The address before, for a change.
    public let previousEmail: String?
    /// What the change added that the code contests, for the code of a notice.
    public internal(set) var addedMethods: [MethodSummary] = []

    init(kind: MessageKind, email: String?, previousEmail: String?) {
        self.kind = kind
        self.email = email
        self.previousEmail = previousEmail
    }
}

/// Says what a mailed code is for.
struct InspectAction: DecidingOperation {
    typealias Outcome = ActionCode

    let code: CapabilityKey

    init(code: CapabilityKey) { self.code = code }

    func lookups(_ request: Request) -> Lookups { [.record(code)] }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<ActionCode> {
        let standing = snapshot.standing(of: code, context) { $0.action != nil }
        if let refusal = standing.refusal { return refuse(refusal, context) }
        let content = try snapshot.record(code).promised().content
        var action = try content.action.promised()
        if case .notMe(let change) = content, let account = snapshot.account(of: code) {
            action.addedMethods = account.methodSummaries.filter { change.methods.contains($0.generation) }
        }
        var transaction = Transaction(context)
        return transaction.granted(action)
    }
}

extension Capability.Content {
    /// What a mailed code does; nil for capabilities that are no mailed code.
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
        case .notMe(let change):
            ActionCode(kind: .notMe, email: change.email?.text, previousEmail: nil)
        default:
            nil
        }
    }
}
