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
        guard let name = AuthErrorTable.shared[self]?.name else { return "ERROR_CODE_\(rawValue)" }
        return Self.otherFirebaseNames[self] ?? "ERROR_" + name.inCapitals
    }

    /// A sentence for developers: what happened, and what to do about it.
    public var explanation: String {
        AuthErrorTable.shared[self]?.explanation
            ?? "Code \(rawValue) is unknown to this version; see what the error says besides."
    }
}

extension AuthErrorCode: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension AuthErrorCode {
    /// The names that differ from the code's own in more than spelling.
    private static let otherFirebaseNames: [AuthErrorCode: String] = [
        .networkError: "ERROR_NETWORK_REQUEST_FAILED",
        .missingAndroidPackageName: "ERROR_MISSING_ANDROID_PKG_NAME",
        .missingAppCredential: "MISSING_APP_CREDENTIAL",
        .invalidAppCredential: "INVALID_APP_CREDENTIAL",
        .appVerificationUserInteractionFailure: "ERROR_APP_VERIFICATION_FAILED",
        .webSignInUserInteractionFailure: "ERROR_WEB_USER_INTERACTION_FAILURE",
        .blockingCloudFunctionError: "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR",
    ]
}

extension String {
    /// The words of a name in camel case, in capitals and joined by underscores.
    fileprivate var inCapitals: String {
        let letters = Array(self)
        var text = ""
        for (place, letter) in letters.enumerated() {
            let isNext = place + 1 < letters.count && letters[place + 1].isLowercase
            if place > 0, letter.isUppercase, letters[place - 1].isLowercase || isNext { text += "_" }
            text += letter.uppercased()
        }
        return text
    }
}
