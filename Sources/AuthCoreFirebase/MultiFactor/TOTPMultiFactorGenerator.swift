internal import AuthCore
internal import AuthCoreCrypto
public import Foundation

/// Makes assertions from codes of an authenticator app.
open class TOTPMultiFactorGenerator: NSObject {
    /// Makes a seed for an authenticator app, and passes it to the handler.
    open class func generateSecret(
        with session: MultiFactorSession,
        completion: @escaping (TOTPSecret?, (any Error)?) -> Void
    ) {
        deliver(to: completion) { try await secret(for: session) }
    }

    /// Makes a seed for an authenticator app.
    open class func generateSecret(with session: MultiFactorSession) async throws -> TOTPSecret {
        try await secret(for: session)
    }

    /// The assertion that enrolls a seed as a factor.
    open class func assertionForEnrollment(
        with secret: TOTPSecret,
        oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
        TOTPMultiFactorAssertion(.new(secret), code: oneTimePassword)
    }

    /// The assertion that completes a sign-in.
    open class func assertionForSignIn(
        withEnrollmentID enrollmentID: String,
        oneTimePassword: String
    ) -> TOTPMultiFactorAssertion {
        TOTPMultiFactorAssertion(.enrolled(enrollmentID), code: oneTimePassword)
    }

    private static func secret(for session: MultiFactorSession) async throws -> TOTPSecret {
        guard case .enrollment(let user) = session.purpose else { throw NSError(.internalError) }
        return TOTPSecret(
            try await user.acting(loadsAccount: false) { user throws(AuthError) in
                try await user.multiFactor.startTOTP(issuer: "")
            }
        )
    }
}

/// A seed that is being added to an authenticator app.
open class TOTPSecret: NSObject {
    let enrollment: AuthCore.MultiFactor.TOTPEnrollment

    init(_ enrollment: AuthCore.MultiFactor.TOTPEnrollment) { self.enrollment = enrollment }

    /// The seed for typing by hand; show it only to its owner.
    open func sharedSecretKey() -> String { enrollment.sharedSecret }

    /// The URL that an authenticator app reads from a QR code; it contains the seed.
    open func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String {
        TimeBasedCode().provisioningAddress(secret: sharedSecretKey(), issuer: issuer, accountName: accountName)
    }

    /// Does nothing: there is no authenticator app to open.
    @MainActor
    open func openInOTPApp(withQRCodeURL qrCodeURL: String) {}
}
