/// Merges of two accounts into one, and moves of one identity between them.
public enum Merge {
    /// The ID of a merge or move, from its first hook to its undoing; hooks use it to avoid repeating work.
    public struct ID: RandomIdentifier {
        /// The bits of the ID.
        public let words: IdentifierWords

        /// Creates the ID with these bits.
        public init(words: IdentifierWords) { self.words = words }
    }
}

extension Merge.ID {
    init(_ intent: OneTimeRecordID) { self.init(words: intent.words) }

    /// The ID of the merge intent.
    var intentKey: OneTimeRecordID { OneTimeRecordID(words: words) }
}
