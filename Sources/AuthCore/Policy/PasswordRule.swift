extension AuthPolicy {
    /// The requirements for a password.
    public struct PasswordRule: Sendable {
        /// The minimum number of characters.
        public var minimumLength: Int
        /// The maximum number of bytes.
        public var maximumBytes: Int
        /// Returns whether a password is on a list of denied passwords; nil for no list.
        public var isDenied: (@Sendable (String) -> Bool)?

        /// Creates a rule with these limits.
        public init(minimumLength: Int, maximumBytes: Int = 4096, isDenied: (@Sendable (String) -> Bool)? = nil) {
            self.minimumLength = minimumLength
            self.maximumBytes = maximumBytes
            self.isDenied = isDenied
        }

        /// The result of checking a password.
        enum Finding: Sendable, Hashable, CaseIterable {
            case accepted
            case tooShort
            case tooLong
            case denied
        }

        func finding(for password: Secret) -> Finding {
            if password.utf8Count > maximumBytes { return .tooLong }
            let text = password.revealed
            if text.unicodeScalars.count < minimumLength { return .tooShort }
            if let isDenied, isDenied(text) { return .denied }
            return .accepted
        }
    }
}
