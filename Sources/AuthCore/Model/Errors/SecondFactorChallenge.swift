public import AuthCoreFoundation

extension SecondFactor {
    /// A second factor that is required before a sign-in or a change is completed.
    ///
    /// It is a plain value: store it, encode it, or pass it to a later request of the same browser or app installation.
    /// It is valid until it expires. Answer it with ``AuthClient/resolve(_:with:)``.
    ///
    /// ```swift
    /// do {
    ///     return try await auth.signIn(with: credential).user
    /// } catch {
    ///     guard let challenge = error.secondFactor, let hint = challenge.hints.first else { throw error }
    ///     if hint.kind == .phone {
    ///         let id = try await auth.sendPhoneCode(for: challenge, factor: hint.id)
    ///         let code = await digits(hint)
    ///         return try await auth.resolve(challenge, with: .phone(verificationID: id, code: code)).user
    ///     }
    ///     return try await auth.resolve(challenge, with: .totp(await digits(hint))).user
    /// }
    /// ```
    public struct Challenge: Sendable, Hashable, Codable {
        /// A factor that can be presented, in a form that a person recognizes.
        public struct Hint: Sendable, Hashable, Codable, Identifiable {
            /// The factor.
            public let id: ID
            /// The kind of factor.
            public let kind: FactorKind
            /// The name that the owner gave it.
            public let displayName: String?
            /// The number with all but its last digits hidden, for a phone factor.
            public let maskedPhoneNumber: String?
            /// When it was enrolled.
            public let enrolledAt: Date
            /// Whether it is suspended: it is not asked for until it is removed and enrolled again.
            public let isSuspended: Bool

            init(_ factor: SecondFactor) {
                id = factor.id
                displayName = factor.displayName
                maskedPhoneNumber = factor.phoneNumber?.masked
                kind = factor.factorKind
                enrolledAt = factor.enrolledAt.date
                isSuspended = factor.suspension != nil
            }
        }

        /// A random ID, under whose hash the service stores the pending operation.
        package let id: OneTimeRecordID
        /// The factors that can be presented.
        public let hints: [Hint]
        /// When it expires at the latest: what it continues, such as a mailed link or a conflict, may be over earlier.
        public let expiresAt: Date
    }
}
