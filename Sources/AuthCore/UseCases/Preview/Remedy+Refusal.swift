extension Remedy {
    /// The remedies for this refusal under this policy, the most suitable first; each is decided on its own when it is
    /// tried.
    static func all(for refusal: Refusal, under policy: AuthPolicy) -> [Remedy] {
        guard case .conflict(let conflict) = refusal.detail, refusal.code == .accountExistsWithDifferentCredential
        else { return refusal.reason.remedies }
        var remedies: [Remedy] = []
        // Beside an active identity of the provider, only a mailed link has this one take its place.
        if refusal.reason != .otherSubjectIsLinked { remedies.append(.signInWithExistingMethod) }
        // A number has no mailbox, a mailed link has verified it already, or none is mailed here.
        let mailsLinks = policy.isEnabled(.emailLink)
        if conflict.email != nil, conflict.provider != .password, mailsLinks { remedies.append(.verifyMailbox) }
        // What does not verify the address itself needs a link that does.
        if mailsLinks || refusal.reason != .providerIsNotAuthoritative { remedies.append(.createSeparateAccount) }
        return remedies
    }
}
