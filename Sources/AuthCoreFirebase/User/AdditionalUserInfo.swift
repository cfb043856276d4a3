internal import AuthCore
public import Foundation

/// What the provider says about the user who signed in.
open class AdditionalUserInfo: NSObject, NSSecureCoding {
    /// The provider; empty for an anonymous account.
    public let providerID: String
    /// Everything that the provider said.
    public let profile: [String: Any]?
    /// The person's user name at the provider.
    public let username: String?
    /// Whether this operation made the account.
    public let isNewUser: Bool

    private init(providerID: String, profile: [String: Any]?, username: String?, isNewUser: Bool) {
        self.providerID = providerID
        self.profile = profile
        self.username = username
        self.isNewUser = isNewUser
    }

    /// The additional information of a sign-in.
    convenience init(_ result: AuthResult) {
        let info = result.additionalUserInfo
        let isNamed = result.provider != .anonymous && result.provider != .custom
        self.init(
            providerID: isNamed ? result.provider.rawValue : "",
            profile: info?.profile.mapValues(\.anyValue),
            username: info?.username,
            isNewUser: result.isNewUser
        )
    }

    /// Whether this operation made the account.
    open func newUser() -> Bool { isNewUser }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes all properties.
    public func encode(with coder: NSCoder) {
        coder.encode(providerID as NSString, forKey: "providerID")
        coder.encode(username as NSString?, forKey: "username")
        coder.encode(isNewUser, forKey: "isNewUser")
        if let members = profile?.compactMapValues({ ClaimValue(any: $0) }) {
            let text = String(decoding: ClaimValue.object(members).json(), as: UTF8.self)
            coder.encode(text as NSString, forKey: "profile")
        }
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard let providerID = coder.text(forKey: "providerID") else { return nil }
        let profile = coder.text(forKey: "profile").flatMap { ClaimValue(json: Array($0.utf8))?.objectValue }
        self.init(
            providerID: providerID,
            profile: profile?.mapValues(\.anyValue),
            username: coder.text(forKey: "username"),
            isNewUser: coder.decodeBool(forKey: "isNewUser")
        )
    }
}
