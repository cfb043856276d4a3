internal import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// The encoding of forms and of queries (application/x-www-form-urlencoded).
enum Form {
    /// Returns the fields, percent-encoded and joined.
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }.joined(separator: "&")
    }
}

extension URL {
    /// The URL with these fields added to its query.
    func adding(_ fields: [(name: String, value: String)]) -> URL? {
        let text = absoluteString
        guard !text.contains("#") else { return nil }
        return URL(string: text + (text.contains("?") ? "&" : "?") + Form.encode(fields))
    }
}

extension ProviderRequest {
    /// Creates a request that sends a form and asks for JSON.
    init(form fields: [(name: String, value: String)], to url: URL) {
        self.init(
            .post,
            url,
            headers: ["content-type": "application/x-www-form-urlencoded", "accept": "application/json"],
            body: Array(Form.encode(fields).utf8)
        )
    }

    /// Adds a token for the provider's API (RFC 6750 section 2.1).
    mutating func authorize(bearer token: Secret) throws(VerificationFailure) {
        try token.requirePresentable()
        headers["authorization"] = "Bearer " + token.revealed
    }

    /// Adds the client's name and secret (RFC 6749 section 2.3.1; RFC 7617).
    mutating func authorize(clientID: String, secret: Secret, encoded: Bool) {
        let name = encoded ? percentEncoded(clientID) : clientID
        let word = encoded ? percentEncoded(secret.revealed) : secret.revealed
        headers["authorization"] = "Basic " + Data("\(name):\(word)".utf8).base64EncodedString()
    }
}

extension Secret {
    /// The length above which a token or a code is refused before it is sent anywhere.
    private static var greatestLength: Int { 16 * 1024 }

    /// Throws unless this can be a token or a code: a line break would add a header of the presenter's own.
    func requirePresentable() throws(VerificationFailure) {
        let bytes = revealed.utf8
        guard (1...Self.greatestLength).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw VerificationFailure(.malformed, "A token or code must be visible ASCII of at most 16 kilobytes.")
        }
    }
}
