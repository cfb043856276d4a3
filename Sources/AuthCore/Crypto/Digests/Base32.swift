/// Base32 (RFC 4648 section 6) without padding, as authenticator apps read secrets.
package enum Base32 {
    private static let groups = BitGroups(alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", width: 5, foldingCase: true)

    static func encode(_ bytes: [UInt8]) -> String { groups.encode(bytes) }

    /// Also reads lower case, since people type these; refuses padding, spaces and everything else.
    package static func decode(_ text: String) -> [UInt8]? { groups.decode(Array(text.utf8)) }
}
