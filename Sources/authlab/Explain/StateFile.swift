internal import AuthCore

/// What arrives, and the account that it meets, as a file describes them.
struct StateFile: Sendable {
    static let form = """
        The file, with the values that hold if a member is missing:
          { "arrives": "\(Incoming.allCases.map(\.rawValue).joined(separator: "|"))",
            "account": null, or { "address": "verified|unverified|displayed", "covered": true,
                "verifiedDaysAgo": 0, "otherMethod": false, "secondFactor": false, "disabled": false,
                "sameProvider": "nothing|anotherIdentity|removedIdentity" } }
        """

    let incoming: Incoming
    let state: AccountState?

    init(text: String, file: String) throws(UsageError) {
        guard let value = ClaimValue(json: Array(text.utf8)) else { throw UsageError("\(file) is no JSON") }
        var members = try StateMembers(value, of: file)
        guard let incoming: Incoming = try members.word("arrives") else {
            throw UsageError(
                "\(file): arrives is missing",
                hint: Incoming.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        self.incoming = incoming
        state = try members.object("account").map { (object) throws(UsageError) in
            var members = try StateMembers(object, of: "\(file), account")
            var state = AccountState()
            state.address = try members.word("address") ?? state.address
            state.isCovered = try members.flag("covered") ?? state.isCovered
            state.verifiedDaysAgo = try members.days("verifiedDaysAgo") ?? state.verifiedDaysAgo
            state.hasOtherMethod = try members.flag("otherMethod") ?? state.hasOtherMethod
            state.hasSecondFactor = try members.flag("secondFactor") ?? state.hasSecondFactor
            state.isDisabled = try members.flag("disabled") ?? state.isDisabled
            state.sameProvider = try members.word("sameProvider") ?? state.sameProvider
            try members.requireEnd()
            return state
        }
        try members.requireEnd()
        if let reason = Encounter(incoming: incoming, state: state, policy: .standard).impossibility {
            throw UsageError("\(file): this cannot happen", hint: reason)
        }
    }

    /// What would happen, why, and what would change it.
    func explained(under named: NamedPolicy) async throws -> [String] {
        let cell = try await Encounter(incoming: incoming, state: state, policy: named.policy).play()
        var lines = ["Arrives: \(incoming.about)", "Meets: \(state?.words ?? "no account that has the address.")", ""]
        lines.append("Under \(named.title): \(cell.summary).")
        lines += cell.sentences
        var changes: [String] = []
        for (words, incoming, state) in neighbors
        where Encounter(incoming: incoming, state: state, policy: named.policy).isPossible {
            let other = try await Encounter(incoming: incoming, state: state, policy: named.policy).play()
            if other.outcome != cell.outcome { changes.append("- \(words): \(other.summary)\(other.because).") }
        }
        for other in NamedPolicy.presets {
            let answer = try await Encounter(incoming: incoming, state: state, policy: other.policy).play()
            if answer.outcome != cell.outcome {
                changes.append("- under \(other.title): \(answer.summary)\(answer.because).")
            }
        }
        if !changes.isEmpty { lines += ["", "It would be different"] + changes }
        return lines
    }

    /// The situations that differ in one fact.
    private var neighbors: [(words: String, incoming: Incoming, state: AccountState?)] {
        var found = Incoming.allCases.filter { $0 != incoming }.map { other in
            ("if what arrives were “\(other.title)”", other, state)
        }
        guard let state else { return found }
        found.append(("if no account had the address", incoming, nil))
        found += state.neighbors.map { ($0.words, incoming, $0.state) }
        return found
    }
}

extension MapCell {
    fileprivate var summary: String { outcome.word + ": " + outcome.about }

    /// The reason, in brackets.
    fileprivate var because: String { reason.map { " (\($0))" } ?? "" }
}
