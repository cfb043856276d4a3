/// Text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// `String` considers two spellings of one letter equal and a database does not; a key on which both must agree, such
/// as a provider's subject identifier, is therefore stored in this type.
public struct ExactText: Sendable, Hashable, Comparable, CodableText {
    /// The text, with its bytes unchanged.
    package let text: String

    /// Stores the text without normalizing anything.
    public init(_ text: String) {
        var text = text
        // Bridged strings are transcoded once here instead of at every comparison.
        text.makeContiguousUTF8()
        self.text = text
    }

    /// The text itself.
    public var description: String { text }

    /// Whether both hold the same bytes.
    public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Whether the left bytes come first; for valid UTF-8 that is also the order of the code points.
    public static func < (left: ExactText, right: ExactText) -> Bool { left.text.bytesPrecede(right.text) }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// `String`'s own `==` may consider different bytes equal; this never does.
    func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count, self == other else { return false }
        // Equal texts of ASCII, which has one byte for each unit of UTF-16, differ in no byte.
        return count == utf16.count || utf8.elementsEqual(other.utf8)
    }

    func bytesPrecede(_ other: String) -> Bool {
        unsafe withBytes { left in
            unsafe other.withBytes { right in unsafe left.lexicographicallyPrecedes(right) }
        }
    }

    func hashBytes(into hasher: inout Hasher) {
        unsafe withBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        // No UTF-8 text contains this byte, so it separates two texts that are hashed one after the other.
        hasher.combine(UInt8.max)
    }

    /// `utf8Span` would do this without pointers, but needs newer systems than the package supports.
    private func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        let answer = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe body(UnsafeRawBufferPointer(bytes))
        }
        if let answer { return answer }
        return unsafe Array(utf8).withUnsafeBytes { bytes in unsafe body(bytes) }
    }
}
