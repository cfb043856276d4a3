internal import AuthCore
public import Foundation

/// Completes a sign-in that requires a second factor.
open class MultiFactorResolver: NSObject {
    /// The session of the sign-in, for sending codes.
    public let session: MultiFactorSession
    /// The factors that can be used.
    public let hints: [MultiFactorInfo]
    /// The `Auth` of the sign-in.
    public let auth: Auth

    private let challenge: SecondFactor.Challenge
    private let credential: AuthCredential?

    init(_ challenge: SecondFactor.Challenge, presenting credential: AuthCredential?, in auth: Auth) {
        self.challenge = challenge
        self.credential = credential
        self.auth = auth
        session = MultiFactorSession(.challenge(challenge, auth))
        hints = challenge.hints.map { .hint($0) }
    }

    /// Presents a factor, and passes the result of the sign-in to the handler.
    open func resolveSignIn(
        with assertion: MultiFactorAssertion,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.resolution(assertion) }
    }

    /// Presents a factor and completes the sign-in.
    open func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
        try await resolution(assertion)
    }

    private func resolution(_ assertion: MultiFactorAssertion) async throws -> AuthDataResult {
        guard let presented = assertion.presented else { throw NSError(.missingMultiFactorInfo) }
        do throws(AuthError) {
            return AuthDataResult(user: try await auth.resolve(challenge, with: presented))
        } catch {
            throw NSError(error, presenting: credential, in: auth)
        }
    }
}
