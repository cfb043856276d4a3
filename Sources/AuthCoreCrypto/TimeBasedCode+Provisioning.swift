extension TimeBasedCode {
    /// The URI that gives an authenticator app the secret, in Base32, usually as a QR code.
    ///
    /// A colon separates issuer and account in the label, and apps also split at an escaped one, so colons are removed
    /// from the issuer.
    package func provisioningAddress(secret: String, issuer: String, accountName: String) -> String {
        let issuer = percentEncoded(issuer.filter { $0 != ":" })
        let label = issuer.isEmpty ? percentEncoded(accountName) : issuer + ":" + percentEncoded(accountName)
        var query = ["secret=" + secret]
        if !issuer.isEmpty { query.append("issuer=" + issuer) }
        query.append("algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)")
        return "otpauth://totp/" + label + "?" + query.joined(separator: "&")
    }
}
