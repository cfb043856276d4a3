extension Remedy {
    /// The remedies for this refusal under this policy, the most suitable first.
    static func all(for refusal: Refusal, under policy: AuthPolicy) -> [Remedy] {
        guard case .conflict(let conflict) = refusal.detail, refusal.code == .accountExistsWithDifferentCredential
        else {
            return refusal.reason.remedies
        }
        // A number has no mailbox, a mailed link has verified it already, or none is mailed here.
        return conflict.email == nil || conflict.provider == .password || !policy.isEnabled(.emailLink)
            ? [.signInWithExistingMethod, .createSeparateAccount]
            : [.signInWithExistingMethod, .verifyMailbox, .createSeparateAccount]
    }
}
