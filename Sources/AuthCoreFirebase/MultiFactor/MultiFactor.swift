internal import AuthCore
public import Foundation
internal import Synchronization

/// A user's second factors.
open class MultiFactor: NSObject, NSSecureCoding {
    private weak var user: User?
    private let shown: Mutex<[MultiFactorInfo]?>

    init(user: User) {
        self.user = user
        shown = Mutex(nil)
    }

    /// The factors; a value written here is replaced when the account is loaded again.
    open var enrolledFactors: [MultiFactorInfo] {
        get {
            if let shown = shown.withLock({ $0 }) { return shown }
            return user?.core.account.factors.map { .enrolled($0) } ?? []
        }
        set { shown.change { $0 = newValue } }
    }

    /// Discards what was written over the account's values.
    func forgetChanges() { shown.change { $0 = nil } }

    /// Begins to enroll a factor, and passes the session to the handler.
    open func getSessionWithCompletion(_ completion: ((MultiFactorSession?, (any Error)?) -> Void)?) {
        deliver(to: completion) { try await self.session() }
    }

    /// Begins to enroll a factor.
    open func session() async throws -> MultiFactorSession { MultiFactorSession(.enrollment(try signedIn)) }

    /// Enrolls the factor of the assertion.
    open func enroll(
        with assertion: MultiFactorAssertion,
        displayName: String?,
        completion: (((any Error)?) -> Void)?
    ) {
        deliver(to: completion) { try await self.enrollment(of: assertion, displayName) }
    }

    /// Enrolls the factor of the assertion.
    open func enroll(with assertion: MultiFactorAssertion, displayName: String?) async throws {
        try await enrollment(of: assertion, displayName)
    }

    /// Removes a factor.
    open func unenroll(with factorInfo: MultiFactorInfo, completion: (((any Error)?) -> Void)?) {
        unenroll(withFactorUID: factorInfo.uid, completion: completion)
    }

    /// Removes a factor.
    open func unenroll(with factorInfo: MultiFactorInfo) async throws {
        try await unenroll(withFactorUID: factorInfo.uid)
    }

    /// Removes the factor with this ID.
    open func unenroll(withFactorUID factorUID: String, completion: (((any Error)?) -> Void)?) {
        deliver(to: completion) { try await self.removal(of: factorUID) }
    }

    /// Removes the factor with this ID.
    open func unenroll(withFactorUID factorUID: String) async throws { try await removal(of: factorUID) }

    private var signedIn: User {
        get throws {
            guard let user else { throw NSError(.nullUser) }
            return user
        }
    }

    private func enrollment(of assertion: MultiFactorAssertion, _ displayName: String?) async throws {
        let user = try signedIn
        switch assertion {
        case let phone as PhoneMultiFactorAssertion:
            let credential = phone.credential
            try await user.acting { user throws(AuthError) in
                try await user.multiFactor.enroll(
                    phoneVerificationID: credential.verificationID,
                    code: credential.verificationCode,
                    displayName: displayName
                )
            }
        case let totp as TOTPMultiFactorAssertion:
            guard case .new(let secret) = totp.seed else { throw NSError(.missingMultiFactorSession) }
            let (enrollment, code) = (secret.enrollment, totp.code)
            try await user.acting { user throws(AuthError) in
                try await user.multiFactor.enroll(enrollment, code: code, displayName: displayName)
            }
        default:
            throw NSError(.missingMultiFactorInfo)
        }
    }

    private func removal(of factorUID: String) async throws {
        let factor = SecondFactor.ID(factorUID)
        try await signedIn.acting { user throws(AuthError) in
            guard let factor else {
                // No factor has such an ID, but the session is checked first.
                try await user.reload()
                throw AuthError(.multiFactorInfoNotFound)
            }
            try await user.multiFactor.unenroll(factor)
        }
    }

    /// True: it can be archived securely.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the factors.
    public func encode(with coder: NSCoder) {
        coder.encode(enrolledFactors as NSArray, forKey: "enrolledFactors")
    }

    /// Reads the factors that `encode(with:)` wrote; they are not connected with a user any more.
    public required init?(coder: NSCoder) {
        user = nil
        let kinds = [MultiFactorInfo.self, PhoneMultiFactorInfo.self, TOTPMultiFactorInfo.self, NSArray.self]
        let factors = coder.decodeObject(of: kinds, forKey: "enrolledFactors") as? [MultiFactorInfo]
        shown = Mutex(factors ?? [])
    }
}
