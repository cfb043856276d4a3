extension AuthPolicy {
    /// The requirements for a password.
    ///
    /// An app's own list of denied passwords is in ``AuthConfiguration/passwordBlocklist``.
    public struct PasswordRule: Sendable, Hashable {
        /// The minimum number of Unicode code points, as NIST SP 800-63B counts characters.
        public var minimumLength: Int
        /// The minimum number of code points where the account has no second factor; nil for the same as with one.
        public var minimumLengthAlone: Int?
        /// The maximum number of bytes.
        public var maximumBytes: Int
        /// Whether the passwords that attackers try first are denied.
        public var deniesCommon: Bool

        /// Creates a rule with these limits; common passwords are denied only if `deniesCommon` is true.
        ///
        /// To change one limit of a preset, set its property instead.
        ///
        /// - Parameters:
        ///   - minimumLength: The minimum number of code points.
        ///   - minimumLengthAlone: The minimum number of code points where the account has no second factor; nil for
        ///     the same as with one.
        ///   - maximumBytes: The maximum number of bytes.
        ///   - deniesCommon: Whether the passwords that attackers try first are denied.
        public init(
            minimumLength: Int,
            minimumLengthAlone: Int? = nil,
            maximumBytes: Int = 4096,
            deniesCommon: Bool = false
        ) {
            self.minimumLength = minimumLength
            self.minimumLengthAlone = minimumLengthAlone
            self.maximumBytes = maximumBytes
            self.deniesCommon = deniesCommon
        }

        /// The most bytes that a password can have: the limit may have been the usual one when it was set.
        var greatestBytes: Int { max(maximumBytes, AuthPolicy.PasswordRule().maximumBytes) }

        /// Returns why the rule refuses a password, which is the account's only factor or not; nil if it accepts it.
        func refusal(of password: Secret, isAlone: Bool = true) -> Refusal? {
            if password.utf8Count > maximumBytes { return Refusal(.weakPassword, .passwordIsTooLong) }
            let text = password.revealed
            let minimum = isAlone ? max(minimumLength, minimumLengthAlone ?? 0) : minimumLength
            if text.unicodeScalars.count < minimum { return Refusal(.weakPassword, .passwordIsTooShort) }
            return deniesCommon && CommonPasswords.contains(text) ? .passwordDenied : nil
        }
    }
}
