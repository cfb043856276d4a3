internal import AuthCore
public import Foundation
internal import Synchronization

/// A second factor, as its owner sees it.
// It is immutable, and no other module can make an instance. The compiler cannot know that of a class that is not
// final.
open class MultiFactorInfo: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The factor's ID.
    public let uid: String
    /// The name that its owner gave it.
    public let displayName: String?
    /// When it was enrolled.
    public let enrollmentDate: Date
    /// Its kind: `phone` or `totp`.
    public let factorID: String

    init(uid: String, displayName: String?, enrollmentDate: Date, factorID: String) {
        self.uid = uid
        self.displayName = displayName
        self.enrollmentDate = enrollmentDate
        self.factorID = factorID
    }

    /// True: it can be archived securely.
    public class var supportsSecureCoding: Bool { true }

    /// Writes everything that is known about the factor.
    public func encode(with coder: NSCoder) {
        coder.encode(uid as NSString, forKey: "uid")
        coder.encode(displayName as NSString?, forKey: "displayName")
        coder.encode(enrollmentDate, forKey: "enrollmentDate")
        coder.encode(factorID as NSString, forKey: "factorID")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let uid = coder.text(forKey: "uid"), let factorID = coder.text(forKey: "factorID"),
            let enrollmentDate = coder.date(forKey: "enrollmentDate")
        else { return nil }
        self.uid = uid
        self.factorID = factorID
        self.enrollmentDate = enrollmentDate
        displayName = coder.text(forKey: "displayName")
    }
}

/// A factor that gets a code by text message.
// The only mutable value is behind a lock.
open class PhoneMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The kind of phone factors.
    public static let PhoneMultiFactorID = "phone"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The kind of authenticator-app factors.
    public static let TOTPMultiFactorID = "totp"

    private let number: Mutex<String>

    init(uid: String, displayName: String?, enrollmentDate: Date, phoneNumber: String) {
        number = Mutex(phoneNumber)
        super.init(
            uid: uid,
            displayName: displayName,
            enrollmentDate: enrollmentDate,
            factorID: Self.PhoneMultiFactorID
        )
    }

    /// The phone number; most of its digits are hidden until the person has signed in.
    open var phoneNumber: String {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }

    // On Apple's platforms each class that has the initializer of an archive has to say this itself.
    /// True: it can be archived securely.
    public override class var supportsSecureCoding: Bool { true }

    /// Writes everything that is known about the factor.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(phoneNumber as NSString, forKey: "phoneNumber")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let phoneNumber = coder.text(forKey: "phoneNumber") else { return nil }
        number = Mutex(phoneNumber)
        super.init(coder: coder)
    }
}

/// A factor that is an authenticator app.
final class TOTPMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
    override class var supportsSecureCoding: Bool { true }
}

extension MultiFactorInfo {
    /// A factor as a sign-in shows it, with most digits of its number hidden.
    static func hint(_ hint: SecondFactor.Challenge.Hint) -> MultiFactorInfo {
        info(hint.id, hint.displayName, hint.enrolledAt, hint.kind.rawValue, number: hint.maskedPhoneNumber)
    }

    /// A factor as its owner sees it.
    static func enrolled(_ factor: SecondFactor) -> MultiFactorInfo {
        info(
            factor.id,
            factor.displayName,
            factor.enrolledAt.date,
            factor.factorKind.rawValue,
            number: factor.phoneNumber?.text
        )
    }

    private static func info(
        _ id: SecondFactor.ID,
        _ displayName: String?,
        _ enrolledAt: Date,
        _ kind: String,
        number: String?
    ) -> MultiFactorInfo {
        if let number {
            return PhoneMultiFactorInfo(
                uid: id.text,
                displayName: displayName,
                enrollmentDate: enrolledAt,
                phoneNumber: number
            )
        }
        return TOTPMultiFactorInfo(
            uid: id.text,
            displayName: displayName,
            enrollmentDate: enrolledAt,
            factorID: kind
        )
    }
}
