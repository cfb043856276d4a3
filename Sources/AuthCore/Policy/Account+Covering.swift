/// What a verification of an address covers under today's policy.
extension Account {
    /// Whether every method that is not suspended is covered by a verification of this address.
    ///
    /// Disabled methods are ignored for a mailed link that signs in: it suspends those that are not covered, so that
    /// they cannot come back.
    func isCovered(by email: EmailAddress, under policy: AuthPolicy, ignoringDisabled: Bool = false) -> Bool {
        let counted = methods.lazy.filter { $0.isActive && !(ignoringDisabled && policy.disables($0)) }
        return !isOnlyOfServer && counted.allSatisfy { covers($0, by: email, under: policy) }
    }

    /// Whether a verification of the address covers the method, by evidence that has counted ever since.
    func covers(_ method: SignInMethod, by email: EmailAddress, under policy: AuthPolicy) -> Bool {
        let subject = Evidence.Subject.email(email)
        return method.coverage.contains { verification in
            verification.subject.isSame(as: subject)
                && evidence.contains {
                    $0.subject.isSame(as: subject) && $0.firstAt <= verification.at && $0.counts(under: policy)
                }
        }
    }
}
