internal import AuthCore
public import Foundation

/// A code that was sent to a number, and the verification ID that sending it returned.
// It is immutable, like its base class.
open class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
    let verificationID: String
    let verificationCode: String

    init(verificationID: String, verificationCode: String) {
        self.verificationID = verificationID
        self.verificationCode = verificationCode
        super.init(
            provider: ProviderID.phone.rawValue,
            presented: [.phone(verificationID: verificationID, code: verificationCode)]
        )
    }

    /// The proof of a number that belongs to another account; it can sign in there.
    init(ownership: AuthCore.AuthCredential) {
        verificationID = ""
        verificationCode = ""
        super.init(provider: ProviderID.phone.rawValue, presented: [ownership])
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID and the code, or the reference to a kept proof of a number.
    public func encode(with coder: NSCoder) {
        coder.encode(verificationID as NSString, forKey: "verificationID")
        coder.encode(verificationCode as NSString, forKey: "verificationCode")
        coder.encode(pendingOf: presented)
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        if let ownership = coder.pending {
            self.init(ownership: ownership)
            return
        }
        guard let verificationID = coder.text(forKey: "verificationID"),
            let verificationCode = coder.text(forKey: "verificationCode")
        else { return nil }
        self.init(verificationID: verificationID, verificationCode: verificationCode)
    }
}
