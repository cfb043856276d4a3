/// Names a merge or move, from its first hook to its undoing; hooks use it to do nothing twice.
public struct MergeID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Makes the identifier with these bits.
    public init(words: IdentifierWords) { self.words = words }
}

extension MergeID {
    init(_ intent: OneTimeRecordID) { self.init(words: intent.words) }

    /// Where it is kept how far the merge got.
    var intentKey: OneTimeRecordID { OneTimeRecordID(words: words) }
}
