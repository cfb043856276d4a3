internal import AuthCore
public import Foundation
internal import Synchronization

/// What a person shows as a second factor.
open class MultiFactorAssertion: NSObject {
    private let kind: Mutex<String>

    init(factorID: String) { kind = Mutex(factorID) }

    /// The kind of factor: `phone` or `totp`.
    open var factorID: String {
        get { kind.withLock { $0 } }
        set { kind.withLock { $0 = newValue } }
    }
}

/// A code that arrived by telephone.
open class PhoneMultiFactorAssertion: MultiFactorAssertion {
    let credential: PhoneAuthCredential

    init(_ credential: PhoneAuthCredential) {
        self.credential = credential
        super.init(factorID: PhoneMultiFactorInfo.PhoneMultiFactorID)
    }
}

/// A code that an authenticator app showed.
open class TOTPMultiFactorAssertion: MultiFactorAssertion {
    enum Seed {
        /// The seed that is to become a factor.
        case new(TOTPSecret)
        /// The factor's id.
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
    /// What the engine is shown when a sign-in asks for a factor; nil for what belongs to an enrolment.
    var shown: SecondFactorAssertion? {
        switch self {
        case let phone as PhoneMultiFactorAssertion:
            let credential = phone.credential
            return .phone(verificationID: credential.verificationID, code: credential.verificationCode)
        case let totp as TOTPMultiFactorAssertion:
            guard case .enrolled(let uid) = totp.seed, let factor = FactorID(uid) else { return nil }
            return .totp(totp.code, factor: factor)
        default:
            return nil
        }
    }
}

/// Makes assertions of codes that arrive by telephone.
open class PhoneMultiFactorGenerator: NSObject {
    /// The assertion of a phone credential.
    open class func assertion(with phoneAuthCredential: PhoneAuthCredential) -> PhoneMultiFactorAssertion {
        PhoneMultiFactorAssertion(phoneAuthCredential)
    }
}
