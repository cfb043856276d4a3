internal import AuthCore
internal import AuthCoreFoundation

/// The claims of an ID token; to be read only after its signature was verified.
struct IDTokenClaims: Sendable {
    let fields: ClaimValue

    /// Lists in a token are short.
    private static let longestList = 100

    init(fields: ClaimValue) { self.fields = fields }

    init(payload: [UInt8]) throws(VerificationFailure) {
        guard let fields = ClaimValue(json: payload), fields.objectValue != nil else {
            throw VerificationFailure(.malformed, "The payload of the ID token must be one JSON object.")
        }
        self.fields = fields
    }

    /// A text, or nil if the claim is missing or no text.
    func text(_ name: String) -> String? { fields[name]?.stringValue }

    /// A text that says something; nil if it is empty or missing.
    func filledText(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// A text that must be there.
    func requiredText(_ name: String, _ kind: VerificationFailure.Kind) throws(VerificationFailure) -> String {
        guard let text = filledText(name) else {
            throw VerificationFailure(kind, "The claim \(name) must be a text.")
        }
        return text
    }

    /// A moment; nil if the claim is missing.
    func date(_ name: String) throws(VerificationFailure) -> Date? {
        guard let value = fields[name], !value.isNull else { return nil }
        guard let seconds = value.numberValue, abs(seconds) < 1e11 else {
            throw VerificationFailure(.malformed, "The claim \(name) must be a number of seconds since 1970.")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// A moment that must be there.
    func requiredDate(_ name: String) throws(VerificationFailure) -> Date {
        guard let date = try date(name) else {
            throw VerificationFailure(.malformed, "The ID token must have the claim \(name).")
        }
        return date
    }

    /// One text, or a list of nothing but texts.
    func texts(_ name: String) throws(VerificationFailure) -> [String] {
        guard let value = fields[name], !value.isNull else { return [] }
        if let text = value.stringValue { return [text] }
        guard let values = value.arrayValue, values.count <= Self.longestList else {
            throw VerificationFailure(.malformed, "The claim \(name) must be a text or a list of texts.")
        }
        let texts = values.compactMap(\.stringValue)
        guard texts.count == values.count else {
            throw VerificationFailure(.malformed, "The claim \(name) must be a text or a list of texts.")
        }
        return texts
    }

    /// A Boolean, which some providers write as text.
    func flag(_ name: String) -> Bool? { fields[name]?.flag }
}

extension ClaimValue {
    /// The Boolean, also where a provider writes it as text or as 1.
    var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"), .string("1"), .integer(1): true
        case .string("false"), .string("0"), .integer(0): false
        default: nil
        }
    }
}
