/// The key under which a one-time record is kept; for a mailed code it is a hash of the code.
public struct OneTimeRecordID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Creates the ID with these bits.
    public init(words: IdentifierWords) { self.words = words }
}
