internal import AuthCore
public import Foundation

/// Sends codes to phone numbers, and makes credentials from the codes.
// It holds only the `Auth`, which never changes and keeps its mutable state behind a lock. The compiler cannot know
// that, because FirebaseAuth's `Auth` is not Sendable.
open class PhoneAuthProvider: NSObject, @unchecked Sendable {
    /// The provider's ID.
    public static let id = "phone"

    private let auth: Auth

    private init(auth: Auth) { self.auth = auth }

    /// The provider for the default app.
    open class func provider() -> PhoneAuthProvider { PhoneAuthProvider(auth: Auth.auth()) }

    /// The provider for this `Auth`.
    open class func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth: auth) }

    /// Sends a code to a number, and passes the verification ID to the handler.
    open func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        completion: (@MainActor (String?, (any Error)?) -> Void)?
    ) {
        verifyPhoneNumber(phoneNumber, uiDelegate: uiDelegate, multiFactorSession: nil, completion: completion)
    }

    /// Sends a code to a number that will become a factor or is one, and passes the verification ID to the handler.
    open func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession? = nil,
        completion: (@MainActor (String?, (any Error)?) -> Void)?
    ) {
        let (provider, session) = (self, Handover(multiFactorSession))
        Task.detached {
            do {
                let id = try await provider.send(to: phoneNumber, for: session.value)
                await completion?(id, nil)
            } catch {
                await completion?(nil, error as NSError)
            }
        }
    }

    /// Sends a code to a number, which may become a factor, and returns the verification ID.
    open func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession? = nil
    ) async throws -> String {
        try await send(to: phoneNumber, for: multiFactorSession)
    }

    /// Sends a code to a factor for a sign-in, and passes the verification ID to the handler.
    open func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?,
        completion: ((String?, (any Error)?) -> Void)?
    ) {
        deliver(to: completion) {
            try await self.send(to: multiFactorInfo.phoneNumber, of: multiFactorInfo, for: multiFactorSession)
        }
    }

    /// Sends a code to a factor for a sign-in, and returns the verification ID.
    open func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?
    ) async throws -> String {
        try await send(to: multiFactorInfo.phoneNumber, of: multiFactorInfo, for: multiFactorSession)
    }

    /// The credential of a code that was received.
    open func credential(withVerificationID verificationID: String, verificationCode: String) -> PhoneAuthCredential {
        PhoneAuthCredential(verificationID: verificationID, verificationCode: verificationCode)
    }

    private func send(
        to phoneNumber: String,
        of factor: PhoneMultiFactorInfo? = nil,
        for session: MultiFactorSession?
    ) async throws -> String {
        if let session { return try await session.sendCode(to: phoneNumber, of: factor) }
        return try await auth.asking { client throws(AuthError) in try await client.sendPhoneCode(to: phoneNumber) }
    }
}
