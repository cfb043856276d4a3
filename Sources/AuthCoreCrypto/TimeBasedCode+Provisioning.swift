extension TimeBasedCode {
    /// The URI that gives an authenticator app the secret, usually as a QR code.
    ///
    /// A colon separates issuer and account in the label, and apps also split at an escaped one, so colons are removed
    /// from the issuer.
    package func provisioningAddress(secret: [UInt8], issuer: String, accountName: String) -> String {
        let issuer = percentEncoded(issuer.filter { $0 != ":" })
        let label = issuer.isEmpty ? percentEncoded(accountName) : issuer + ":" + percentEncoded(accountName)
        var query = ["secret=" + Base32.encode(secret)]
        if !issuer.isEmpty { query.append("issuer=" + issuer) }
        query.append("algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)")
        return "otpauth://totp/" + label + "?" + query.joined(separator: "&")
    }
}

/// The text with everything but the unreserved characters of RFC 3986 escaped, valid in a path and in a query.
private func percentEncoded(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.append(byte)
        default:
            encoded += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 0x0f)]]
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}
