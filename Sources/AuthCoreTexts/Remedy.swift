/// Something that would change a refusal.
///
/// Later versions may add remedies, so a `switch` over them needs a `default`.
public struct Remedy: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates the remedy with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// Sign in again.
    public static let signInAgain = Remedy(rawValue: "signInAgain")
    /// Sign in again with the account's oldest sign-in method.
    public static let useOldestMethod = Remedy(rawValue: "useOldestMethod")
    /// Wait until the sign-in method that was used is old enough.
    public static let waitUntilMethodIsOlder = Remedy(rawValue: "waitUntilMethodIsOlder")
    /// Present the second factor.
    public static let presentSecondFactor = Remedy(rawValue: "presentSecondFactor")
    /// Sign in with a method that the account has; the new one is linked in the same step.
    public static let signInWithExistingMethod = Remedy(rawValue: "signInWithExistingMethod")
    /// Have a link mailed to the address and sign in with it.
    public static let verifyMailbox = Remedy(rawValue: "verifyMailbox")
    /// Create a separate account, which takes over the address or number.
    public static let createSeparateAccount = Remedy(rawValue: "createSeparateAccount")
    /// Sign in to the account that has it, or merge the two.
    public static let useOwningAccount = Remedy(rawValue: "useOwningAccount")
    /// Replace the one that is linked, or unlink it first.
    public static let replaceExisting = Remedy(rawValue: "replaceExisting")
    /// Link another sign-in method first.
    public static let addAnotherMethod = Remedy(rawValue: "addAnotherMethod")
    /// Verify the address by a mailed link first.
    public static let verifyAddress = Remedy(rawValue: "verifyAddress")
    /// Unenroll the second factors first.
    public static let removeFactors = Remedy(rawValue: "removeFactors")
    /// Wait before the next attempt.
    public static let wait = Remedy(rawValue: "wait")
    /// Ask an administrator.
    public static let askAdministrator = Remedy(rawValue: "askAdministrator")
    /// Use another sign-in method.
    public static let useAnotherMethod = Remedy(rawValue: "useAnotherMethod")
    /// Ask for a new code or token, and present that.
    public static let getNewCredential = Remedy(rawValue: "getNewCredential")
    /// Enter the password again, or reset it by mail.
    public static let correctPassword = Remedy(rawValue: "correctPassword")
    /// Sign in with another method and link this one again to confirm it.
    public static let confirmSuspended = Remedy(rawValue: "confirmSuspended")

    /// The remedy in one sentence; the name itself for a remedy that the library does not define.
    public var explanation: String {
        switch self {
        case .signInAgain: "Sign in again."
        case .useOldestMethod: "Sign in again with the account's oldest sign-in method."
        case .waitUntilMethodIsOlder: "Wait until the sign-in method that was used is old enough."
        case .presentSecondFactor: "Present the second factor."
        case .signInWithExistingMethod:
            "Sign in with a method that the account has; the new one is linked in the same step."
        case .verifyMailbox: "Have a link mailed to the address and sign in with it."
        case .createSeparateAccount: "Create a separate account, which takes the address or number along."
        case .useOwningAccount: "Sign in to the account that has it, or merge the two."
        case .replaceExisting: "Replace the one that is linked, or unlink it first."
        case .addAnotherMethod: "Link another sign-in method first."
        case .verifyAddress: "Verify the address by a mailed link first."
        case .removeFactors: "Unenroll the second factors first."
        case .wait: "Wait before the next attempt."
        case .askAdministrator: "Ask an administrator."
        case .useAnotherMethod: "Use another sign-in method."
        case .getNewCredential: "Ask for a new code or token, and present that."
        case .correctPassword: "Enter the password again, or reset it by mail."
        case .confirmSuspended: "Sign in with another method and link this again to confirm it."
        default: rawValue
        }
    }
}
