/// What a password must be.
public struct PasswordRule: Sendable {
    /// How many characters it has at least.
    public var minimumLength: Int
    /// How many bytes it has at most.
    public var maximumBytes: Int
    /// Passwords that are refused although they are long enough; nil for none.
    public var isDenied: (@Sendable (String) -> Bool)?

    /// A rule with these bounds.
    public init(
        minimumLength: Int,
        maximumBytes: Int = 4096,
        isDenied: (@Sendable (String) -> Bool)? = nil
    ) {
        self.minimumLength = minimumLength
        self.maximumBytes = maximumBytes
        self.isDenied = isDenied
    }

    /// What the rule says of a password.
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
