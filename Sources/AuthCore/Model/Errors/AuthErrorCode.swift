/// The cause of an error, as a number whose meaning never changes.
///
/// Numbers below 19000 are FirebaseAuth's own, so that code written for one can read the errors of the other;
/// AuthCore's numbers begin at 19000.
/// Later versions may add codes, so a `switch` over them needs a `default`.
public struct AuthErrorCode: RawRepresentable, Sendable, Hashable, Codable {
    /// The number.
    public let rawValue: Int

    /// Creates the code with the given number, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Returns the code with the given name, such as `invalidEmail`; nil if there is none.
    public init?(name: String) {
        guard let code = AuthErrorTable.shared.code(named: name) else { return nil }
        self = code
    }

    /// Every code that this version knows, in the order of their numbers.
    public static var all: [AuthErrorCode] { AuthErrorTable.shared.codes }

    /// The name, the same as that of the static member: `invalidEmail`.
    public var name: String {
        AuthErrorTable.shared[self]?.name ?? "code\(rawValue)"
    }

    /// The name in FirebaseAuth's style, as its error objects carry it: `ERROR_INVALID_EMAIL`.
    public var firebaseName: String {
        AuthErrorTable.shared[self]?.firebaseName ?? "ERROR_CODE_\(rawValue)"
    }

    /// A sentence for developers: what happened, and what to do about it.
    package var explanation: String {
        AuthErrorTable.shared[self]?.explanation
            ?? "Code \(rawValue) is unknown to this version; see what the error says besides."
    }
}

extension AuthErrorCode: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
