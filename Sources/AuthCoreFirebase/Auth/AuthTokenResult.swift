internal import AuthCore
public import Foundation

/// An ID token and its content.
open class AuthTokenResult: NSObject, NSSecureCoding {
    /// The token.
    open var token: String
    /// When it expires.
    open var expirationDate: Date
    /// When the user last authenticated.
    open var authDate: Date
    /// When it was issued.
    open var issuedAtDate: Date
    /// The provider that the session rests on.
    open var signInProvider: String
    /// The kind of second factor that was used; empty if none was.
    open var signInSecondFactor: String
    /// All claims.
    open var claims: [String: Any]

    init(_ result: IDTokenResult) {
        token = result.token
        expirationDate = result.expirationDate
        authDate = result.authDate
        issuedAtDate = result.issuedAtDate
        signInProvider = result.signInProvider
        signInSecondFactor = result.signInSecondFactor ?? ""
        claims = result.claims.mapValues(\.anyValue)
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the token, which is secret until it expires, and its content.
    public func encode(with coder: NSCoder) {
        coder.encode(token as NSString, forKey: "token")
        coder.encode(expirationDate, forKey: "expirationDate")
        coder.encode(authDate, forKey: "authDate")
        coder.encode(issuedAtDate, forKey: "issuedAtDate")
        coder.encode(signInProvider as NSString, forKey: "signInProvider")
        coder.encode(signInSecondFactor as NSString, forKey: "signInSecondFactor")
        let members = claims.compactMapValues { ClaimValue(any: $0) }
        coder.encode(String(decoding: ClaimValue.object(members).json(), as: UTF8.self) as NSString, forKey: "claims")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let token = coder.text(forKey: "token"), let expirationDate = coder.date(forKey: "expirationDate"),
            let authDate = coder.date(forKey: "authDate"), let issuedAtDate = coder.date(forKey: "issuedAtDate"),
            let claims = coder.text(forKey: "claims").flatMap({ ClaimValue(json: Array($0.utf8))?.objectValue })
        else { return nil }
        self.token = token
        self.expirationDate = expirationDate
        self.authDate = authDate
        self.issuedAtDate = issuedAtDate
        self.claims = claims.mapValues(\.anyValue)
        signInProvider = coder.text(forKey: "signInProvider") ?? ""
        signInSecondFactor = coder.text(forKey: "signInSecondFactor") ?? ""
    }
}
