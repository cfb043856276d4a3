/// Derives the codes of messages from their IDs, so that no code is ever stored.
package struct MessageCodes: Sendable {
    private let key: HMACSHA256

    init(key: HMACSHA256) { self.key = key }

    /// The code of a mail: 144 bits in 24 characters.
    func text(of message: OperationID) -> String {
        Base64URL.encode(Array(key.authenticate("mail " + message.text).prefix(18)))
    }

    /// The code of a mail, in the form that decisions use.
    package func mailCode(of message: OperationID) -> IssuedCode {
        let text = text(of: message)
        return IssuedCode(key: .mailCode(text), message: message, text: Secret(text))
    }

    /// The six digits of a text message; 128 bits make their distribution practically uniform.
    func digits(of message: OperationID) -> String {
        let number = key.authenticate("digits \(message)").prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

extension OneTimeRecordID {
    /// The key under which the one-time record of a mailed code is kept; what is too long for a code is as good as none, unread.
    static func mailCode(_ code: String) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "code\u{0}" + (code.utf8.count <= 1024 ? code : ""))
    }
}
