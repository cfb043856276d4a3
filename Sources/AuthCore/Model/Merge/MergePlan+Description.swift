/// The plan as text, for the person who must agree to it.
extension MergePlan: CustomStringConvertible {
    /// The plan in short sentences, one per line.
    public var description: String {
        var lines: [String] = []
        if identity == nil {
            lines.append("Account \(source) (\(sourceName)) goes into account \(target) (\(targetName)).")
        } else {
            lines.append("One way in moves from account \(source) (\(sourceName)) to \(target) (\(targetName)).")
        }
        if !moves.isEmpty { lines.append("Moves: \(list(moves.map(\.plain))).") }
        if let movedAddress { lines.append("The address \(movedAddress) moves along.") }
        for way in yieldsEmail {
            let why = way.isSuspended ? "it is suspended" : "the other one was chosen"
            lines.append("Makes room on the receiving account: \(way.name), because \(why).")
        }
        for left in stays { lines.append("Does not move: \(left.thing.name), because \(left.why.plain).") }
        if let releasedAddress { lines.append("The address \(releasedAddress) is given up and belongs to nobody.") }
        if !factors.isEmpty { lines.append("Second factors that move: \(list(factors.map(\.name))).") }
        for left in stayingFactors {
            lines.append("Second factor that is lost: \(left.thing.name), because \(left.why.plain).")
        }
        if lostRecoveryCodes > 0 {
            lines.append("Recovery codes that stop working: \(lostRecoveryCodes).")
        }
        if !profile.isEmpty { lines.append("The receiving profile is filled with: \(list(profile.map(\.plain))).") }
        if !stayingClaims.isEmpty { lines.append("Custom claims do not move: \(list(stayingClaims)).") }
        lines.append("Afterwards the receiving account is opened by: \(list(opens.map(\.plain))).")
        if identity == nil {
            lines.append(
                "The giving account is closed: its sessions end, and what did not move opens nothing any more."
            )
        }
        return lines.joined(separator: "\n")
    }

    private func list(_ things: [String]) -> String {
        things.isEmpty ? "nothing" : things.joined(separator: ", ")
    }
}

extension MergePlan.Way {
    fileprivate var plain: String { isSuspended ? "\(name), once it is confirmed" : name }
}

extension MergePlan.ProfileField {
    fileprivate var plain: String {
        switch self {
        case .displayName: "the name"
        case .photoURL: "the picture"
        }
    }
}

extension MergePlan.Collision {
    fileprivate var plain: String {
        switch self {
        case .targetHasProvider: "the receiving account keeps its own of this kind"
        case .targetHasNumber: "the receiving account keeps its own number"
        case .targetHasAddress: "the receiving account keeps its own address"
        case .numberIsFactor: "the number is a second factor of the receiving account"
        case .numberSignsIn: "the number signs in to the receiving account"
        case .targetHasFactor: "the receiving account has the same one"
        case .factorLimit: "the receiving account may not have more of them"
        }
    }
}
