/// Base64 in the URL-safe alphabet (RFC 4648 section 5), without padding.
package enum Base64URL {
    private static let groups = BitGroups(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        width: 6,
        foldingCase: false
    )

    package static func encode(_ bytes: [UInt8]) -> String { groups.encode(bytes) }

    /// The bytes whose encoding is exactly this text; nil for every other text, including padded ones.
    package static func decode(_ text: String) -> [UInt8]? { groups.decode(Array(text.utf8)) }

    /// The bytes whose encoding is exactly this part of a text, as bytes.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? { groups.decode(text) }
}
