internal import AuthCore
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The encoding of forms and of queries (application/x-www-form-urlencoded).
enum Form {
    /// Returns the fields, percent-encoded and joined.
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// Percent-encodes everything but the unreserved characters (RFC 3986).
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
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

    /// Adds the client's name and secret (RFC 6749 section 2.3.1; RFC 7617).
    mutating func authorize(clientID: String, secret: Secret, encoded: Bool) {
        let name = encoded ? Form.encode(clientID) : clientID
        let word = encoded ? Form.encode(secret.revealed) : secret.revealed
        headers["authorization"] = "Basic " + Data("\(name):\(word)".utf8).base64EncodedString()
    }
}
