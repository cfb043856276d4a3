internal import AuthCore
public import Foundation

/// The operation and the addresses of a mailed code.
// It is immutable, and no other module can make an instance. The compiler cannot know that of a class that is not
// final.
open class ActionCodeInfo: NSObject, @unchecked Sendable {
    /// What the code does.
    public let operation: ActionCodeOperation
    /// The address that the code was sent to; if the code undoes a change, the address after the change.
    public let email: String
    /// The address before a change.
    public let previousEmail: String?

    init(_ action: ActionCode) {
        operation = ActionCodeOperation(action.kind)
        if operation == .recoverEmail {
            // The engine names the address that will be restored first.
            email = action.previousEmail ?? action.email ?? ""
            previousEmail = action.email
        } else {
            email = action.email ?? ""
            previousEmail = action.previousEmail
        }
    }
}
