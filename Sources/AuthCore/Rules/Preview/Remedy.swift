/// Something that would change a refusal.
public struct Remedy: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The remedy as a sentence.
    public let rawValue: String

    /// The remedy with this sentence.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The remedy as a sentence.
    public var description: String { rawValue }

    /// Signing in, or proving again who one is.
    public static let signInAgain = Remedy(rawValue: "Sign in again.")
    /// Proving again who one is, by something older.
    public static let showOlderMethod = Remedy(rawValue: "Sign in again with the account's oldest way in.")
    /// Letting the login grow old enough.
    public static let waitOnTheAccount = Remedy(rawValue: "Wait until the way in that was used is old enough.")
    /// Showing a second factor.
    public static let showSecondFactor = Remedy(rawValue: "Show the second factor.")
    /// Signing in with what the account has, and linking.
    public static let signInWithExistingMethod = Remedy(
        rawValue: "Sign in with a way in that the account has; what arrived is linked in the same step."
    )
    /// A code from the mailbox.
    public static let proveMailbox = Remedy(rawValue: "Have a code mailed to the address and enter with it.")
    /// A new account.
    public static let startFresh = Remedy(rawValue: "Start a new account, which takes the address or number along.")
    /// Going to the account that has it, or merging.
    public static let useOwningAccount = Remedy(rawValue: "Sign in to the account that has it, or merge the two.")
    /// Taking the old one off first.
    public static let replaceExisting = Remedy(rawValue: "Replace the one that is linked, or unlink it first.")
    /// Adding another way in first.
    public static let addAnotherMethod = Remedy(rawValue: "Add another way in first.")
    /// Proving the address first.
    public static let verifyAddress = Remedy(rawValue: "Prove the address by a mailed link first.")
    /// Waiting for the next attempt.
    public static let wait = Remedy(rawValue: "Wait before the next attempt.")
    /// An administrator.
    public static let askAdministrator = Remedy(rawValue: "Ask an administrator.")
    /// Another way in.
    public static let useAnotherMethod = Remedy(rawValue: "Use another way in.")
    /// Proving it anew.
    public static let proveAnew = Remedy(rawValue: "Ask for a new code or token, and present that.")
    /// Confirming what is suspended.
    public static let confirmSuspended = Remedy(rawValue: "Sign in another way and link this again to confirm it.")
}

extension Remedy {
    /// What would change this refusal; the first is the nearest.
    static func all(for refusal: Refusal) -> [Remedy] {
        if case .conflict(let conflict) = refusal.detail, refusal.code == .accountExistsWithDifferentCredential {
            return conflict.email == nil
                ? [.signInWithExistingMethod, .startFresh] : [.signInWithExistingMethod, .proveMailbox, .startFresh]
        }
        return switch refusal.reason {
        case .loginIsNotRecent, .sessionIsOver, .accountIsGone, .tokenIsNotOurs, .credentialIsOfAnother: [.signInAgain]
        case .loginIsNotSenior: [.showOlderMethod, .waitOnTheAccount]
        case .secondFactorIsOwed: [.showSecondFactor]
        case .identityIsOwned, .numberIsOwned, .addressIsOwned: [.useOwningAccount]
        case .providerIsLinked: [.replaceExisting]
        case .methodIsTheLast: [.addAnotherMethod]
        case .addressStaysUntilProven, .addressIsNotProven: [.verifyAddress]
        case .attemptsMustWait: [.wait]
        case .accountIsDisabled: [.askAdministrator]
        case .methodIsSuspended: [.confirmSuspended]
        case .codeIsExpired, .codeIsUnknown, .codeIsOutdated, .codeIsWrong, .codeIsForSomethingElse,
            .codeIsOfAnotherSeat, .assertionWasUsed, .pendingIdentityIsOver, .pendingIdentityIsOfAnotherSeat,
            .credentialIsWrong, .passwordDiffers, .passwordWasReplaced:
            [.proveAnew]
        case .providerIsSwitchedOff, .providerHasNoVerifier, .phoneIsNoFirstFactorHere, .accountHasNoPassword,
            .providerIsNotLinked:
            [.useAnotherMethod]
        default: []
        }
    }
}
