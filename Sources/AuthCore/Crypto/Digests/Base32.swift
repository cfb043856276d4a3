/// Base32 (RFC 4648 section 6) without padding, as authenticator apps take their secrets.
package enum Base32 {
    private static let groups = BitGroups(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        width: 5,
        foldingCase: true
    )

    static func encode(_ bytes: [UInt8]) -> String { groups.encode(bytes) }

    /// Lower case is read too, since people type these; padding, spaces and all else are refused.
    package static func decode(_ text: String) -> [UInt8]? { groups.decode(text) }
}
