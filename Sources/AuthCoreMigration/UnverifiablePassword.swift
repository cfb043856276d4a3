public import AuthCore

/// A password hash of another system, against which no password can be verified here.
///
/// The hash and its salt are kept unchanged, in case another program can use them. They are never printed.
public struct UnverifiablePassword: Sendable, Hashable {
    /// The account of the password.
    public let account: AccountID
    /// The hash, as it is in the file.
    public let hash: String
    /// The salt, as it is in the file.
    public let salt: String?
}

extension UnverifiablePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account of the password, without the hash.
    public var description: String { "UnverifiablePassword(\(account))" }

    /// The account of the password, without the hash.
    public var debugDescription: String { description }

    /// A mirror with only the account.
    public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}
