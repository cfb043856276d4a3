internal import AuthCore
public import Foundation

/// Completes a sign-in that asks for a second factor.
open class MultiFactorResolver: NSObject {
    /// The sign-in, for sending codes.
    public let session: MultiFactorSession
    /// The factors that may be shown.
    public let hints: [MultiFactorInfo]
    /// The seat where somebody signs in.
    public let auth: Auth

    private let challenge: SecondFactorChallenge
    private let credential: AuthCredential?

    init(_ challenge: SecondFactorChallenge, presenting credential: AuthCredential?, in auth: Auth) {
        self.challenge = challenge
        self.credential = credential
        self.auth = auth
        session = MultiFactorSession(.challenge(challenge, auth))
        hints = challenge.hints.map { .hint($0) }
    }

    /// Shows a factor, and gives the result of the sign-in to the handler.
    open func resolveSignIn(
        with assertion: MultiFactorAssertion,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.resolution(assertion) }
    }

    /// Shows a factor, and so completes the sign-in.
    open func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
        try await resolution(assertion)
    }

    private func resolution(_ assertion: MultiFactorAssertion) async throws -> AuthDataResult {
        guard let shown = assertion.shown else { throw NSError(.missingMultiFactorInfo) }
        do throws(AuthError) {
            return AuthDataResult(user: try await auth.resolve(challenge, with: shown))
        } catch {
            throw NSError(error, presenting: credential, in: auth)
        }
    }
}
