extension AuthService {
    /// Makes a code for a mail; its one-time record is stored under the code's hash.
    func issueMailCode() -> IssuedCode { messageCodes.mailCode(of: environment.newOperationID()) }

    /// Makes a code for a mail with these settings, if they are allowed.
    func issueMailCode(_ settings: Message.Settings?, _ context: RequestContext) throws(AuthError) -> IssuedCode {
        if let refusal = settings?.refusal(continuingTo: continueHosts) {
            throw audit(AuthError(refusal), of: "SendMessage", context)
        }
        return issueMailCode()
    }

    /// Makes six digits for a number; their one-time record is stored under a separate ID, with a keyed hash of the
    /// digits.
    func issueDigits() -> IssuedCode {
        let message = environment.newOperationID()
        let key = OneTimeRecordID(bits: environment.randomBits())
        let digits = messageCodes.digits(of: message)
        let hash = codeKeys.authenticate(Self.message(ofDigits: digits, for: key))
        return IssuedCode(key: key, hash: hash, message: message, text: Secret(digits))
    }

    /// Returns whether the digits are those of the stored hash.
    func isHash(_ hash: [UInt8], ofDigits digits: String, for key: OneTimeRecordID) -> Bool {
        codeKeys.isValid(hash, of: Self.message(ofDigits: digits, for: key))
    }

    private static func message(ofDigits digits: String, for key: OneTimeRecordID) -> [UInt8] {
        Array((key.text + "\u{0}" + digits).utf8)
    }
}
