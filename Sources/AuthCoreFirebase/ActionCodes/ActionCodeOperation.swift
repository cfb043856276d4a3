internal import AuthCore

/// What a mailed code is for.
public enum ActionCodeOperation: Int, Sendable {
    /// Something that this version does not know.
    case unknown = 0
    /// Setting a new password.
    case passwordReset = 1
    /// Proving an address.
    case verifyEmail = 2
    /// Taking a change of the address back.
    case recoverEmail = 3
    /// Signing in.
    case emailLink = 4
    /// Proving a new address and moving the account to it.
    case verifyAndChangeEmail = 5
    /// Taking the enrolment of a second factor back.
    case revertSecondFactorAddition = 6

    init(_ kind: MessageKind) {
        switch kind {
        case .resetPassword: self = .passwordReset
        case .verifyEmail: self = .verifyEmail
        case .recoverEmail: self = .recoverEmail
        case .signInLink: self = .emailLink
        case .changeEmail: self = .verifyAndChangeEmail
        default: self = .unknown
        }
    }

    /// The operation that links call by this name.
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
