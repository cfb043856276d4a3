/// The facts that decide whether one side of a merge is sufficiently verified.
struct MergeSideFacts: Sendable, Hashable {
    enum Credential: Sendable, Hashable, CaseIterable {
        /// It can sign in to the account now.
        case opens
        /// It is the session of an account that has no method.
        case session
        case refused
    }

    var credential: Credential
    var isDisabled: Bool
    var isRecent: Bool
    var factor: FactorStatus
    var isSenior: Bool

    enum Finding: Sendable, Hashable {
        case accept
        case challenge
        case refuseCredential
    }

    /// A caller who still needs a factor learns nothing else.
    static func rule(_ facts: MergeSideFacts) throws(Refusal) -> Finding {
        if facts.credential == .refused { return .refuseCredential }
        if facts.credential == .opens {
            if !facts.isRecent { throw .loginNotRecent }
            if facts.factor == .owed { return .challenge }
        }
        if facts.isDisabled { throw .accountDisabled }
        if facts.credential == .opens, !facts.isSenior { throw .loginNotSenior }
        return .accept
    }
}
