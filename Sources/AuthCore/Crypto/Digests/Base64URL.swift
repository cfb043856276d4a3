/// Base64 in the alphabet that is safe in addresses (RFC 4648 section 5), without padding.
package enum Base64URL {
    private static let groups = BitGroups(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        width: 6,
        foldingCase: false
    )

    package static func encode(_ bytes: [UInt8]) -> String { groups.encode(bytes) }

    /// The only bytes whose encoding is this text; nothing for every other text, padded ones included.
    package static func decode(_ text: String) -> [UInt8]? { groups.decode(text) }
}
