public import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation
internal import Synchronization

/// A person's authenticator app: the codes that it displays for one account.
///
/// A service accepts every code once. So each call of ``nextCode()`` returns a code that was not returned before:
///
/// ```swift
/// let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
/// let app = try AuthenticatorApp(enrollment, clock: clock)
/// try await user.multiFactor.enroll(enrollment, code: app.nextCode())
/// ```
public final class AuthenticatorApp: Sendable {
    private let secret: [UInt8]
    private let clock: ManualClock?
    private let lastStep = Mutex<UInt64?>(nil)

    /// Why an app cannot be made.
    public enum Failure: Error, Sendable, Hashable {
        /// The shared secret is not Base32.
        case malformedSecret
    }

    /// Creates an app that has scanned the picture of an enrollment.
    ///
    /// - Parameters:
    ///   - enrollment: The enrollment that `MultiFactor.startTOTP(issuer:accountName:)` began.
    ///   - clock: The clock of the service; nil for the system's.
    /// - Throws: ``Failure``.
    public convenience init(
        _ enrollment: MultiFactor.TOTPEnrollment,
        clock: ManualClock? = nil
    ) throws(Failure) {
        try self.init(sharedSecret: enrollment.sharedSecret, clock: clock)
    }

    /// Creates an app in which a person has typed a shared secret.
    ///
    /// - Parameters:
    ///   - sharedSecret: The secret, in Base32.
    ///   - clock: The clock of the service; nil for the system's.
    /// - Throws: ``Failure``.
    public init(sharedSecret: String, clock: ManualClock? = nil) throws(Failure) {
        guard let secret = Base32.decode(sharedSecret), !secret.isEmpty else { throw .malformedSecret }
        self.secret = secret
        self.clock = clock
    }

    /// Returns a code that is valid now and was not returned before.
    ///
    /// A service accepts the codes of the last, the current and the next half minute. So three calls in one moment
    /// return codes that are accepted; before a fourth, the clock must move by thirty seconds.
    ///
    /// - Returns: Six digits.
    public func nextCode() -> String {
        let code = TimeBasedCode()
        let now = code.step(at: Timestamp(clock?.now ?? Date()).seconds)
        let step = lastStep.withLock { last in
            let next = max(last.map { $0 + 1 } ?? 0, now - min(now, 1))
            last = next
            return next
        }
        return code.code(forStep: step, secret: secret)
    }
}
