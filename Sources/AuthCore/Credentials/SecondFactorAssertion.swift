extension SecondFactor {
    /// The answer to a ``SecondFactor/Challenge``.
    public struct Assertion: Sendable, Hashable, Concealing {
        enum Content: Sendable, Hashable {
            case phone(verificationID: String, code: Secret)
            case totp(code: Secret, factor: ID?)
            case recoveryCode(Secret)
        }

        let content: Content

        private init(_ content: Content) { self.content = content }

        /// The digits that were sent to a factor's phone number.
        ///
        /// - Parameters:
        ///   - verificationID: The ID that ``AuthClient/sendPhoneCode(for:factor:)`` returned.
        ///   - code: The digits.
        /// - Returns: The answer.
        public static func phone(verificationID: String, code: String) -> Assertion {
            Assertion(.phone(verificationID: verificationID, code: Secret(code)))
        }

        /// The digits that an authenticator app displays.
        ///
        /// - Parameters:
        ///   - code: The digits.
        ///   - factor: The factor that they belong to; any factor by default.
        /// - Returns: The answer.
        public static func totp(_ code: String, factor: ID? = nil) -> Assertion {
            Assertion(.totp(code: Secret(code), factor: factor))
        }

        /// A recovery code, which can be used once.
        ///
        /// - Parameter code: The code, from ``MultiFactor/makeRecoveryCodes(count:)``.
        /// - Returns: The answer.
        public static func recoveryCode(_ code: String) -> Assertion { Assertion(.recoveryCode(Secret(code))) }

        /// The kind of factor, without what was presented.
        public var description: String {
            switch content {
            case .phone: "SecondFactor.Assertion(phone)"
            case .totp: "SecondFactor.Assertion(totp)"
            case .recoveryCode: "SecondFactor.Assertion(recoveryCode)"
            }
        }
    }
}
