import AuthCoreFoundation

extension Message.Settings {
    /// The code of the error in the settings; nil if they are valid and continue to one of these hosts.
    func refusal(continuingTo hosts: Set<String>) -> AuthErrorCode? {
        if let language, !language.isBounded { return .textTooLong }
        guard let continueURL else { return nil }
        if continueURL.isEmpty { return .missingContinueURI }
        guard continueURL.utf8.count <= 2048, !continueURL.utf8.contains(where: \.isReadDifferently),
            let parts = URLComponents(string: continueURL), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", parts.user == nil, parts.password == nil,
            let host = parts.encodedHost, !host.isEmpty
        else { return .invalidContinueURI }
        return hosts.contains(host.lowercased()) ? nil : .unauthorizedDomain
    }
}

extension UTF8.CodeUnit {
    /// Whether browsers ignore the character in an address or take it for another one, and so may read another host.
    fileprivate var isReadDifferently: Bool { self <= 0x20 || self == 0x7f || self == UInt8(ascii: "\\") }
}
