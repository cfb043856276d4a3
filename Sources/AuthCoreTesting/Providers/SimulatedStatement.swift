internal import AuthCore
internal import AuthCoreFoundation

/// The content of a simulated provider's token.
///
/// Read it only after the signature was checked.
struct SimulatedStatement {
    let claims: [String: ClaimValue]
    let issuer: ExactText
    let subject: String
    let audiences: [ExactText]
    let issuedAt: Date
    let expiresAt: Date
    let nonce: String?

    /// The claim of an address that was confirmed without a verified flag.
    static let confirmation = "simulated_email_confirmed"
    /// The claim, in place of the times, of a token that is issued when it is verified.
    static let lifetime = "simulated_lifetime"

    /// Reads a payload at this time; nil if a required part is missing or has another form.
    init?(payload: [UInt8], at now: Date) {
        guard let value = ClaimValue(json: payload), let claims = value.objectValue,
            let issuer = value["iss"]?.stringValue,
            let subject = value["sub"]?.stringValue, !subject.isEmpty,
            let audiences = Self.texts(in: value["aud"]),
            let times = Self.times(in: value, at: now)
        else { return nil }
        if let nonce = value["nonce"] {
            guard let text = nonce.stringValue else { return nil }
            self.nonce = text
        } else {
            nonce = nil
        }
        self.claims = claims
        self.issuer = ExactText(issuer)
        self.subject = subject
        self.audiences = audiences.map { ExactText($0) }
        (issuedAt, expiresAt) = times
    }

    private static func times(in value: ClaimValue, at now: Date) -> (issuedAt: Date, expiresAt: Date)? {
        if let lifetime = value[Self.lifetime]?.numberValue, value["iat"] == nil, value["exp"] == nil {
            return (now, now.addingTimeInterval(lifetime))
        }
        guard let issuedAt = value["iat"]?.numberValue, let expiresAt = value["exp"]?.numberValue else { return nil }
        return (Date(timeIntervalSince1970: issuedAt), Date(timeIntervalSince1970: expiresAt))
    }

    /// The text of a claim that only some providers use.
    func text(_ name: String?) -> String? {
        guard let name else { return nil }
        return ClaimValue.object(claims)[name]?.stringValue
    }

    var isEmailVerified: Bool? { ClaimValue.object(claims)["email_verified"]?.boolValue }

    var isEmailConfirmed: Bool? { ClaimValue.object(claims)[Self.confirmation]?.boolValue }

    var authenticatedAt: Date? {
        ClaimValue.object(claims)["auth_time"]?.numberValue.map { Date(timeIntervalSince1970: $0) }
    }

    var authenticationMethods: [String] { Self.texts(in: ClaimValue.object(claims)["amr"]) ?? [] }

    /// One text, or a list that contains only texts.
    private static func texts(in value: ClaimValue?) -> [String]? {
        if let text = value?.stringValue { return [text] }
        guard let values = value?.arrayValue else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}
