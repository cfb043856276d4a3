internal import AuthCore
public import Foundation

/// What is known of the person who just arrived.
open class AdditionalUserInfo: NSObject, NSSecureCoding {
    /// The provider; empty for an anonymous account.
    public let providerID: String
    /// Everything the provider said.
    public let profile: [String: Any]?
    /// The person's user name there.
    public let username: String?
    /// Whether the account was made by this.
    public let isNewUser: Bool

    private init(providerID: String, profile: [String: Any]?, username: String?, isNewUser: Bool) {
        self.providerID = providerID
        self.profile = profile
        self.username = username
        self.isNewUser = isNewUser
    }

    /// What a sign-in tells.
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

    /// Whether the account was made by this.
    open func newUser() -> Bool { isNewUser }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes all of it.
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
