/// A side that is proved.
struct ProvedSide: Sendable {
    let account: Account
    /// The method that was shown, if the account has any.
    let method: Method?
    /// What a session may rest on.
    let basis: SessionBasis
    /// The address or number that was proved.
    let subject: Evidence.Subject?
    let factor: FactorProof?
}

extension ProvedSide {
    /// What a session shows that rests on this side, whose factor was spent before.
    func showing(on account: Account) -> Showing {
        var showing = Showing(basis, proved: subject)
        if let factor {
            showing.factor = FactorProof(use: factor.use, account: account.id, epoch: account.epoch, consumes: [])
        }
        return showing
    }
}

/// Both sides of a merge, as they were proved.
struct ProvedSides: Sendable {
    let source: ProvedSide
    let target: ProvedSide

    /// The addresses and numbers that were proved, for coverage.
    var subjects: [Evidence.Subject] { [target.subject, source.subject].compactMap { $0 } }

    /// What the session on the target shows, where the target's factor was spent before.
    func showing(on account: Account) -> Showing {
        var showing = target.showing(on: account)
        showing.proved = subjects.first
        return showing
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
