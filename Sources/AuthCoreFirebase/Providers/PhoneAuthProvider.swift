internal import AuthCore
public import Foundation

/// Sends codes to numbers, and makes credentials of what arrives there.
// The seat is all it holds, it never changes, and an Auth keeps what changes behind its lock; the compiler cannot know
// that, as FirebaseAuth's Auth is not Sendable.
open class PhoneAuthProvider: NSObject, @unchecked Sendable {
    /// The provider's id.
    public static let id = "phone"

    private let auth: Auth

    private init(auth: Auth) { self.auth = auth }

    /// The provider for the default app.
    open class func provider() -> PhoneAuthProvider { PhoneAuthProvider(auth: Auth.auth()) }

    /// The provider for this seat.
    open class func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth: auth) }

    /// Sends a code to a number, and gives the id of the sending to the handler.
    open func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        completion: (@MainActor (String?, (any Error)?) -> Void)?
    ) {
        verifyPhoneNumber(phoneNumber, uiDelegate: uiDelegate, multiFactorSession: nil, completion: completion)
    }

    /// Sends a code to a number that is to become a factor, or is one, and gives the id of the sending to the handler.
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

    /// Sends a code to a number, which may be to become a factor, and gives the id of the sending.
    open func verifyPhoneNumber(
        _ phoneNumber: String,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession? = nil
    ) async throws -> String {
        try await send(to: phoneNumber, for: multiFactorSession)
    }

    /// Sends a code to a factor that a sign-in asks for, and gives the id of the sending to the handler.
    open func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?,
        completion: ((String?, (any Error)?) -> Void)?
    ) {
        multiFactorSession?.choose(multiFactorInfo)
        deliver(to: completion) { try await self.send(to: multiFactorInfo.phoneNumber, for: multiFactorSession) }
    }

    /// Sends a code to a factor that a sign-in asks for, and gives the id of the sending.
    open func verifyPhoneNumber(
        with multiFactorInfo: PhoneMultiFactorInfo,
        uiDelegate: (any AuthUIDelegate)? = nil,
        multiFactorSession: MultiFactorSession?
    ) async throws -> String {
        multiFactorSession?.choose(multiFactorInfo)
        return try await send(to: multiFactorInfo.phoneNumber, for: multiFactorSession)
    }

    /// The credential of a code that arrived.
    open func credential(withVerificationID verificationID: String, verificationCode: String) -> PhoneAuthCredential {
        PhoneAuthCredential(verificationID: verificationID, verificationCode: verificationCode)
    }

    private func send(to phoneNumber: String, for session: MultiFactorSession?) async throws -> String {
        if let session { return try await session.sendCode(to: phoneNumber) }
        do throws(AuthError) {
            return try await auth.client.sendPhoneCode(to: phoneNumber)
        } catch {
            throw NSError(error, in: auth)
        }
    }
}
