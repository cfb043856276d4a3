import AuthCoreCrypto

/// The compact form of a signed token (RFC 7515): header, payload and signature, joined by dots.
///
/// It handles the form and the signature; the claims in the payload are checked elsewhere.
package enum CompactToken {
    /// The header's statement about the signature; it must not be trusted before the signature is verified.
    package struct Header: Sendable, Hashable {
        package let algorithm: String
        package let keyID: String?
    }

    /// The registered name of HMAC-SHA-256.
    package static let algorithm = "HS256"

    /// The length above which a token is refused before anything in it is read; a token of the longest profile is
    /// shorter.
    static let greatestLength = 64 * 1024

    /// Returns the part of a token that its signature covers.
    package static func signingInput(of payload: [UInt8], algorithm: String, keyID: String) -> [UInt8] {
        var input = encodedHeader(algorithm: algorithm, keyID: keyID)
        // Room for the whole token with a signature of 64 bytes, the usual greatest length.
        input.reserveCapacity(input.count + 2 + payload.count * 4 / 3 + 88)
        input.append(dot)
        Base64URL.append(payload, to: &input)
        return input
    }

    /// Returns the first part of a token that is signed with this key.
    private static func encodedHeader(algorithm: String, keyID: String) -> [UInt8] {
        var header = JSONObject()
        header.add("alg", .string(algorithm))
        header.add("kid", .string(keyID))
        header.add("typ", "JWT")
        var text: [UInt8] = []
        Base64URL.append(header.end(), to: &text)
        return text
    }

    private static let dot = UInt8(ascii: ".")

    /// Returns the token of a signed part and its signature.
    package static func text(of input: consuming [UInt8], signature: [UInt8]) -> String {
        input.append(dot)
        Base64URL.append(signature, to: &input)
        return String(decoding: input, as: UTF8.self)
    }

    /// Parses a token; returns nil if it is not strictly well-formed.
    ///
    /// The caller chooses the key, checks the algorithm, verifies the signature, and only then reads the payload. The
    /// header of a token that was signed with the expected key is recognized without being read.
    package static func parse(
        _ token: String,
        expecting key: (algorithm: String, keyID: String)? = nil
    ) -> (header: Header, signingInput: [UInt8], payload: [UInt8], signature: [UInt8])? {
        guard token.utf8.count <= greatestLength else { return nil }
        let bytes = Array(token.utf8)
        // A dot between these two is refused with the payload, since it is not in the alphabet.
        guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first < last,
            let header = Header(bytes[..<first], expecting: key),
            let payload = Base64URL.decode(bytes[(first + 1)..<last]),
            let signature = Base64URL.decode(bytes[(last + 1)...]),
            !payload.isEmpty,
            !signature.isEmpty
        else { return nil }
        return (header, Array(bytes[..<last]), payload, signature)
    }

    fileprivate static func isHeader(_ text: ArraySlice<UInt8>, of key: (algorithm: String, keyID: String)) -> Bool {
        text == encodedHeader(algorithm: key.algorithm, keyID: key.keyID)[...]
    }
}

extension CompactToken.Header {
    fileprivate init?(_ text: ArraySlice<UInt8>, expecting key: (algorithm: String, keyID: String)?) {
        if let key, CompactToken.isHeader(text, of: key) {
            self.init(algorithm: key.algorithm, keyID: key.keyID)
        } else if let json = Base64URL.decode(text) {
            self.init(json: json)
        } else {
            return nil
        }
    }

    /// Reads the header; nil if it is malformed, or names critical extensions (`crit`), none of which are supported.
    fileprivate init?(json: [UInt8]) {
        guard let fields = ClaimValue(json: json), fields["crit"] == nil,
            let algorithm = fields["alg"]?.stringValue,
            Self.isTextOrNothing(fields["kid"]), Self.isTextOrNothing(fields["typ"])
        else { return nil }
        self.init(algorithm: algorithm, keyID: fields["kid"]?.stringValue)
    }

    private static func isTextOrNothing(_ value: ClaimValue?) -> Bool {
        guard let value else { return true }
        return value.isNull || value.stringValue != nil
    }
}
