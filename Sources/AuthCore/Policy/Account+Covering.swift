/// What a verification of an address covers under today's policy.
extension Account {
    /// Whether every method that is not suspended is covered by a verification of this address.
    func isCovered(by email: EmailAddress, under policy: AuthPolicy) -> Bool {
        !isOnlyOfServer && methods.allSatisfy { !$0.isActive || covers($0, by: email, under: policy) }
    }

    /// Whether every method that is neither suspended nor disabled is covered by a verification of this address.
    ///
    /// A mailed link that signs in suspends disabled methods that are not covered, so that they cannot come back.
    func isCoveredIgnoringDisabled(by email: EmailAddress, under policy: AuthPolicy) -> Bool {
        !isOnlyOfServer
            && methods.allSatisfy { !$0.isActive || policy.disables($0) || covers($0, by: email, under: policy) }
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
