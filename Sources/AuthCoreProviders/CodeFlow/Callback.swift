internal import AuthCore

/// What a provider sent a person back with.
struct Callback: Sendable {
    /// Everything before the query.
    let place: String
    let fields: [String: String]

    private static let greatestLength = 32 * 1024
    private static let greatestLengthOfName = 256
    private static let greatestCount = 50

    /// Reads the URL that the browser was sent to; refuses one that says something twice.
    init(_ url: String) throws(VerificationFailure) {
        let malformed = VerificationFailure(
            .malformed,
            "The callback must be the URL that the provider sent the browser to."
        )
        // Splitting other text compares its characters, which can take quadratic time.
        guard url.utf8.count <= Self.greatestLength, url.utf8.allSatisfy({ $0 < 0x80 }) else { throw malformed }
        let main = url.prefix { $0 != "#" }
        place = String(main.prefix { $0 != "?" })
        let query = main.dropFirst(place.count).dropFirst()
        let parts = query.split(separator: "&")
        guard parts.count <= Self.greatestCount else { throw malformed }
        var fields: [String: String] = [:]
        for part in parts {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count == 2 ? sides[1] : ""),
                name.utf8.count <= Self.greatestLengthOfName, fields.updateValue(value, forKey: name) == nil
            else { throw malformed }
        }
        self.fields = fields
    }

    /// Whether a part of the path is the provider's name.
    ///
    /// Providers that share a place can pass on each other's codes: one of them sends a person on to another, whose
    /// answer then comes back to the visit to the first (RFC 9700, 4.4). A query makes no difference to providers that
    /// compare paths alone.
    func names(_ provider: ProviderID) -> Bool {
        let isOfWeb = place.hasPrefix("https://") || place.hasPrefix("http://")
        let path = place.split(separator: "/").dropFirst(isOfWeb ? 2 : 1).joined(separator: "/")
        return "/\(path)/".contains("/\(provider.rawValue)/")
    }

    /// Whether the provider sent the person back to where the visit began.
    func isAt(_ redirectURI: String) -> Bool {
        guard let expected = try? Callback(redirectURI), ExactText(expected.place) == ExactText(place) else {
            return false
        }
        return expected.fields.allSatisfy { fields[$0.key].map { ExactText($0) } == ExactText($0.value) }
    }

    /// Decodes one side of a field of a form; nil if it is not well-formed.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
