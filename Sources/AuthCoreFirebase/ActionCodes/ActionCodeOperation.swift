internal import AuthCore

/// What a mailed code does.
public enum ActionCodeOperation: Int, Sendable {
    /// An operation that this version does not know.
    case unknown = 0
    /// Setting a new password.
    case passwordReset = 1
    /// Verifying an address.
    case verifyEmail = 2
    /// Undoing a change of the address.
    case recoverEmail = 3
    /// Signing in.
    case emailLink = 4
    /// Verifying a new address and making it the account's address.
    case verifyAndChangeEmail = 5
    /// Undoing the enrollment of a second factor.
    case revertSecondFactorAddition = 6

    init(_ kind: Message.Kind) {
        switch kind {
        case .resetPassword: self = .passwordReset
        case .verifyEmail: self = .verifyEmail
        case .recoverEmail: self = .recoverEmail
        case .signInLink: self = .emailLink
        case .changeEmail: self = .verifyAndChangeEmail
        default: self = .unknown
        }
    }

    /// The operation for this `mode` parameter of a link.
    init(mode: String?) {
        switch mode {
        case "resetPassword": self = .passwordReset
        case "verifyEmail": self = .verifyEmail
        case "recoverEmail": self = .recoverEmail
        case "signIn": self = .emailLink
        case "verifyAndChangeEmail": self = .verifyAndChangeEmail
        case "revertSecondFactorAddition": self = .revertSecondFactorAddition
        default: self = .unknown
        }
    }
}
