extension AccountState {
    /// The account in a sentence.
    var words: String {
        var parts: [String]
        switch address {
        case .displayed: parts = ["an account that displays the address, which a provider once confirmed"]
        case .unverified: parts = ["an account that signed up with the address and never verified it"]
        case .verified:
            parts = [
                "an account that verified the address" + (verifiedDaysAgo > 0 ? " \(verifiedDaysAgo) days ago" : "")
            ]
            parts.append(isCovered ? "the verification covers its methods" : "the verification covers no method")
        }
        if hasOtherMethod { parts.append("GitHub is linked too") }
        if hasSecondFactor { parts.append("a second factor is enrolled") }
        if isDisabled { parts.append("it is disabled") }
        switch sameProvider {
        case .nothing: break
        case .anotherIdentity: parts.append("another identity of the provider is linked")
        case .removedIdentity: parts.append("the owner removed an identity of the provider")
        }
        return parts.joined(separator: "; ") + "."
    }

    /// The states that differ in one fact, and what the fact would be.
    var neighbors: [(words: String, state: AccountState)] {
        var found: [(String, AccountState)] = []
        func add(_ words: String, _ change: (inout AccountState) -> Void) {
            var other = self
            change(&other)
            if other != self { found.append(("if " + words, other)) }
        }
        add("the address were never verified") { $0.address = .unverified }
        add("the address were only displayed") { $0.address = .displayed }
        add("the address were verified, in the account's session") {
            $0.address = .verified
            $0.isCovered = true
        }
        if address == .verified {
            add("the verification covered no method") { $0.isCovered = false }
            add("the address had been verified just now") { $0.verifiedDaysAgo = 0 }
            add("the address had been verified 400 days ago") { $0.verifiedDaysAgo = max(400, $0.verifiedDaysAgo) }
            add("a second factor were enrolled") { $0.hasSecondFactor = true }
        }
        add("no second factor were enrolled") { $0.hasSecondFactor = false }
        add("GitHub were linked to it too") { $0.hasOtherMethod = true }
        add("it had no other method") { $0.hasOtherMethod = false }
        add("it were disabled") { $0.isDisabled = true }
        add("it were enabled") { $0.isDisabled = false }
        add("another identity of the provider were linked") { $0.sameProvider = .anotherIdentity }
        add("the owner had removed an identity of the provider") { $0.sameProvider = .removedIdentity }
        add("nothing of the provider had ever been linked") { $0.sameProvider = .nothing }
        return found
    }
}
