internal import AuthCore
public import Foundation
internal import Synchronization

/// What a person presents as a second factor.
open class MultiFactorAssertion: NSObject {
    private let kind: Mutex<String>

    init(factorID: String) { kind = Mutex(factorID) }

    /// The kind of factor: `phone` or `totp`.
    open var factorID: String {
        get { kind.withLock { $0 } }
        set { kind.withLock { $0 = newValue } }
    }
}

/// A code from a text message.
open class PhoneMultiFactorAssertion: MultiFactorAssertion {
    let credential: PhoneAuthCredential

    init(_ credential: PhoneAuthCredential) {
        self.credential = credential
        super.init(factorID: PhoneMultiFactorInfo.PhoneMultiFactorID)
    }
}

/// A code from an authenticator app.
open class TOTPMultiFactorAssertion: MultiFactorAssertion {
    enum Seed {
        /// The seed that will become a factor.
        case new(TOTPSecret)
        /// The factor's ID.
        case enrolled(String)
    }

    let seed: Seed
    let code: String

    init(_ seed: Seed, code: String) {
        self.seed = seed
        self.code = code
        super.init(factorID: PhoneMultiFactorInfo.TOTPMultiFactorID)
    }
}

extension MultiFactorAssertion {
    /// What the engine needs when a sign-in requires a factor; nil for an assertion that is only for enrollment.
    var presented: SecondFactor.Assertion? {
        switch self {
        case let phone as PhoneMultiFactorAssertion:
            let credential = phone.credential
            return .phone(verificationID: credential.verificationID, code: credential.verificationCode)
        case let totp as TOTPMultiFactorAssertion:
            guard case .enrolled(let uid) = totp.seed, let factor = SecondFactor.ID(uid) else { return nil }
            return .totp(totp.code, factor: factor)
        default:
            return nil
        }
    }
}

/// Makes assertions from codes of text messages.
open class PhoneMultiFactorGenerator: NSObject {
    /// The assertion of a phone credential.
    open class func assertion(with phoneAuthCredential: PhoneAuthCredential) -> PhoneMultiFactorAssertion {
        PhoneMultiFactorAssertion(phoneAuthCredential)
    }
}
