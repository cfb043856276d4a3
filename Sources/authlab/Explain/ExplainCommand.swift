internal import AuthCore

/// The command that explains the names in errors and events: `authlab explain NAME…`.
struct ExplainCommand: Sendable {
    let names: [String]

    /// Reads the words after `explain`.
    init(arguments: [String]) throws(UsageError) {
        if let option = arguments.first(where: { $0.hasPrefix("-") }) {
            throw UsageError("explain has no option \(option)")
        }
        names = arguments
    }

    /// Explains each name, or every name if none is given.
    func run(print: (String) -> Void) throws(UsageError) {
        if names.isEmpty {
            for code in AuthErrorCode.all { print(Self.text(of: code)) }
            for reason in Reason.all { print(Self.text(of: reason)) }
            return
        }
        for name in names {
            let codes = AuthErrorCode.all.filter { code in
                [code.name, code.firebaseName, String(code.rawValue)].contains { $0 == name }
            }
            let reasons = Reason.all.filter { $0.rawValue == name }
            if codes.isEmpty && reasons.isEmpty { throw UsageError("\(name) is neither an error code nor a reason") }
            for code in codes { print(Self.text(of: code)) }
            for reason in reasons { print(Self.text(of: reason)) }
        }
    }

    private static func text(of code: AuthErrorCode) -> String {
        "error \(code.name) (\(code.rawValue), \(code.firebaseName))\n  \(AuthError(code).message)"
    }

    private static func text(of reason: Reason) -> String { "reason \(reason)\n  \(reason.explanation)" }
}
