internal import AuthCore
public import Foundation

/// What is known of a mailed code.
// Nothing in it ever changes, and no other module can make one of its own; the compiler believes that of final classes only.
open class ActionCodeInfo: NSObject, @unchecked Sendable {
    /// What the code is for.
    public let operation: ActionCodeOperation
    /// The address that the code was sent to; for taking a change back, the address that was changed to.
    public let email: String
    /// The address before a change.
    public let previousEmail: String?

    init(_ action: ActionCode) {
        operation = ActionCodeOperation(action.kind)
        if operation == .recoverEmail {
            // The engine names the address that comes back first.
            email = action.previousEmail ?? action.email ?? ""
            previousEmail = action.email
        } else {
            email = action.email ?? ""
            previousEmail = action.previousEmail
        }
    }
}
