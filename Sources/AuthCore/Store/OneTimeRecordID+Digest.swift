import AuthCoreCrypto

extension OneTimeRecordID {
    /// The key under which the end of an account is recorded; a store looks there when an account is asked for and
    /// gone.
    public static func tombstone(of account: AccountID) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "tombstone\u{0}" + account.text)
    }

    /// Creates an ID from the first 128 bits of the text's SHA-256.
    package init(digestOf text: String) { self.init(bits: SHA256.leadingBits(of: text)) }
}
