/// Says what went wrong, in a number that never changes its meaning.
///
/// Numbers below 19000 are FirebaseAuth's own, so that code written for one reads the errors of the other; from 19000
/// on they are AuthCore's. Later versions may add codes, so a `switch` over them needs a `default`.
public struct AuthErrorCode: RawRepresentable, Sendable, Hashable, Codable {
    /// The number.
    public let rawValue: Int

    /// Makes the code with the given number, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Finds the code with the given name, such as `invalidEmail`.
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

    /// One sentence: what happened, and what to do about it.
    package var explanation: String {
        AuthErrorTable.shared[self]?.explanation
            ?? "Code \(rawValue) is unknown to this version; see what the error says besides."
    }
}

extension AuthErrorCode: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
