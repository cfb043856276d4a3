/// The plan as text, for the person who must agree to it.
extension Merge.Plan: CustomStringConvertible {
    /// The plan in short sentences, one per line.
    public var description: String {
        var lines: [String] = []
        if identity == nil {
            lines.append("Account \(source) (\(sourceName)) goes into account \(target) (\(targetName)).")
        } else {
            lines.append(
                "One sign-in method moves from account \(source) (\(sourceName)) to \(target) (\(targetName))."
            )
        }
        if !moves.isEmpty { lines.append("Moves: \(list(moves.map(\.plain))).") }
        if let movedAddress { lines.append("The address \(movedAddress) moves along.") }
        for method in replaced {
            let why = method.isSuspended ? "it is suspended" : "the one of the source account was chosen"
            lines.append("The target account loses \(method.name), because \(why).")
        }
        for left in stays { lines.append("Does not move: \(left.thing.name), because \(left.why.plain).") }
        if let releasedAddress { lines.append("The address \(releasedAddress) is released and belongs to no account.") }
        if !factors.isEmpty { lines.append("Second factors that move: \(list(factors.map(\.name))).") }
        for left in stayingFactors {
            lines.append("Second factor that is lost: \(left.thing.name), because \(left.why.plain).")
        }
        if lostRecoveryCodes > 0 { lines.append("Recovery codes that stop working: \(lostRecoveryCodes).") }
        let fields = profile.map { MergeTexts.text(ofField: $0.rawValue) }
        if !fields.isEmpty { lines.append("The target account's profile gets: \(list(fields)).") }
        if !stayingClaims.isEmpty { lines.append("Custom claims do not move: \(list(stayingClaims)).") }
        lines.append("Afterwards these methods sign in to the target account: \(list(opens.map(\.plain))).")
        if identity == nil {
            lines.append(
                "The source account is closed: its sessions end, and what did not move can no longer be used to sign in."
            )
        }
        return lines.joined(separator: "\n")
    }

    private func list(_ things: [String]) -> String { things.isEmpty ? "nothing" : things.joined(separator: ", ") }
}

extension Merge.Plan.Method {
    fileprivate var plain: String { isSuspended ? "\(name), once it is confirmed" : name }
}

extension Merge.Plan.Collision {
    fileprivate var plain: String { MergeTexts.text(ofCollision: rawValue) }
}
