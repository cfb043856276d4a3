/// A side that is proved.
struct ProvedSide: Sendable {
    let account: Account
    /// The method that was shown, if the account has any.
    let method: SignInMethod?
    /// What a session may rest on.
    let basis: SessionBasis
    /// The address or number that was proved.
    let subject: Evidence.Subject?
    let factor: FactorProof?
}

extension ProvedSide {
    /// What a session shows that rests on this side, whose factor was spent before.
    func authentication(on account: Account) -> Authentication {
        var authentication = Authentication(basis, proved: subject)
        if let factor {
            authentication.factor = FactorProof(
                use: factor.use,
                account: account.id,
                sessionGeneration: account.sessionGeneration,
                consumes: []
            )
        }
        return authentication
    }
}

/// Both sides of a merge, as they were proved.
struct ProvedSides: Sendable {
    let source: ProvedSide
    let target: ProvedSide

    /// The addresses and numbers that were proved, for coverage.
    var subjects: [Evidence.Subject] { [target.subject, source.subject].compactMap { $0 } }

    /// What the session on the target shows, where the target's factor was spent before.
    func authentication(on account: Account) -> Authentication {
        var authentication = target.authentication(on: account)
        authentication.proved = subjects.first
        return authentication
    }
}

/// From when a method's age counts, and that of the oldest thing beside it.
struct MethodAge: Sendable, Hashable {
    let since: Timestamp?
    let oldest: Timestamp?
}

/// Which account of a merge a side stands for.
enum MergeRole: Sendable, Hashable, CaseIterable {
    case source
    case target

    var owesFactor: Reason { self == .source ? .sourceOwesFactor : .targetOwesFactor }
}
