/// Names a merge or move, from its first hook to its undoing; hooks use it to do nothing twice.
public struct MergeID: RandomIdentifier {
    /// The bits themselves.
    public let words: IdentifierWords

    /// Makes the identifier with these bits.
    public init(words: IdentifierWords) { self.words = words }
}
