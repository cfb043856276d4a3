public import AuthCore

/// A password's hash from elsewhere that no password can be checked against here.
///
/// The hash and its salt are kept as they were found, in case something else can make use of them. They are never shown.
public struct UnverifiablePassword: Sendable, Hashable {
    /// Whose password it is.
    public let account: AccountID
    /// The hash, as the file has it.
    public let hash: String
    /// The salt, as the file has it.
    public let salt: String?
}

extension UnverifiablePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says whose password this is, and nothing about it.
    public var description: String { "UnverifiablePassword(\(account))" }

    /// Says whose password this is, and nothing about it.
    public var debugDescription: String { description }

    /// A mirror that shows the account alone.
    public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}
