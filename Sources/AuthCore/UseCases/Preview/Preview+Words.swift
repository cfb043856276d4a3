extension Preview: CustomStringConvertible {
    /// The preview in plain English, one item per line.
    public var description: String {
        var lines: [String] = []
        switch answer {
        case .succeeds:
            lines.append(account.map { "Goes through, to account \($0)." } ?? "Goes through, to a new account.")
        case .refused(let code): lines.append("Is refused (\(code)): \(code.explanation)")
        }
        lines.append(contentsOf: effects.map { "- \($0)" })
        if !existingProviders.isEmpty {
            lines.append(
                "The account is signed in to with \(existingProviders.map(\.rawValue).joined(separator: ", "))."
            )
        }
        lines.append(contentsOf: reasons.map { "Why: \($0.explanation)" })
        lines.append(contentsOf: remedies.map { "To change that: \($0.explanation)" })
        return lines.joined(separator: "\n")
    }
}

extension Preview.Effect: CustomStringConvertible {
    /// The effect in plain English.
    public var description: String {
        switch self {
        case .newAccount: "makes a new account"
        case .deletesAccount: "deletes the account"
        case .adds(.emailLink): "adds mailed links as a sign-in method"
        case .adds(let provider): "adds \(provider) as a sign-in method"
        case .removes(.emailLink): "removes mailed links as a sign-in method"
        case .removes(let provider): "removes \(provider) as a sign-in method"
        case .suspends(let provider): "suspends \(provider) until its owner confirms it"
        case .confirms(let provider): "enables \(provider) again"
        case .changesAddress(let address?): "sets the address \(address)"
        case .changesAddress(nil): "leaves the account without an address"
        case .verifiesAddress(let address): "verifies \(address)"
        case .leavesUnverified(let address): "leaves \(address) unverified"
        case .changesProfile: "changes the name or picture"
        case .endsOtherSessions: "ends every other session of the account"
        case .endsThisSession: "ends this session"
        case .cancelsDeletion: "cancels the deletion of the account"
        case .takesFromAnotherAccount: "takes the address or number from the account that has it"
        }
    }
}
