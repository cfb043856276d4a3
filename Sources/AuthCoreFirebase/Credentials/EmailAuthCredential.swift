internal import AuthCore
internal import Foundation

/// An address with its password, or with the link that was mailed to it.
// It is immutable, like its base class.
final class EmailAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
    /// The password or the link.
    enum Kind: Sendable {
        case password(String)
        case link(String)
    }

    let email: String
    let kind: Kind

    init(email: String, kind: Kind) {
        self.email = email
        self.kind = kind
        let credential: AuthCore.AuthCredential =
            switch kind {
            case .password(let password): .password(email: email, password: password)
            case .link(let link): .emailLink(email: email, link: link)
            }
        super.init(provider: ProviderID.password.rawValue, presented: [credential])
    }

    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(email as NSString, forKey: "email")
        switch kind {
        case .password(let password): coder.encode(password as NSString, forKey: "password")
        case .link(let link): coder.encode(link as NSString, forKey: "link")
        }
    }

    convenience init?(coder: NSCoder) {
        guard let email = coder.text(forKey: "email") else { return nil }
        if let password = coder.text(forKey: "password") {
            self.init(email: email, kind: .password(password))
        } else if let link = coder.text(forKey: "link") {
            self.init(email: email, kind: .link(link))
        } else {
            return nil
        }
    }
}
