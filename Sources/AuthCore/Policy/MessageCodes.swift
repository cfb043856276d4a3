import AuthCoreCrypto

/// Derives the codes of messages from their IDs, so that no code is ever stored.
struct MessageCodes: Sendable {
    private let keys: KeyRing

    init(keys: KeyRing) { self.keys = keys }

    /// The code of a mail: 144 bits in 24 characters.
    private func text(of message: OperationID, _ key: HMACSHA256) -> String {
        Base64URL.encode(key.authenticate("mail " + message.text).prefix(18))
    }

    /// The code of a mail whose one-time record has this ID; nil if none of the keys made it.
    func text(of message: OperationID, in record: OneTimeRecordID) -> String? {
        keys.keys.lazy.map { text(of: message, $0) }.first { .mailCode($0) == record }
    }

    /// The code of a mail, in the form that decisions use.
    func mailCode(of message: OperationID) -> IssuedCode {
        let text = text(of: message, keys.current)
        return IssuedCode(key: .mailCode(text), message: message, text: Secret(text))
    }

    /// The six digits of a text message.
    func digits(of message: OperationID) -> String { digits(of: message, keys.current) }

    /// The six digits of a text message that satisfy the condition, by any of the keys.
    func digits(of message: OperationID, where isIssued: (String) -> Bool) -> String? {
        keys.keys.lazy.map { digits(of: message, $0) }.first(where: isIssued)
    }

    /// Derives the digits; 128 bits make their distribution practically uniform.
    private func digits(of message: OperationID, _ key: HMACSHA256) -> String {
        let number = key.authenticate("digits \(message)").prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

extension OneTimeRecordID {
    /// The key under which the one-time record of a mailed code is kept; what is too long for a code is as good as
    /// none, unread.
    static func mailCode(_ code: String) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "code\u{0}" + (code.utf8.count <= 1024 ? code : ""))
    }
}
