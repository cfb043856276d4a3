@testable import AuthCore
import AuthCoreTesting
import Foundation

/// The first moment of the manual clock, so that no test depends on the day it runs.
let simulatedNow = ManualClock().now

extension SimulatedProvider {
    /// What the provider makes of a credential: an assertion, or the ground of its refusal.
    func outcome(
        of credential: AuthCredential,
        at now: Date = simulatedNow
    ) -> Result<ProviderAssertion, VerificationFailure> {
        guard case .federated(let federated) = credential.content else { return .failure(.missingToken) }
        return Result { () throws(VerificationFailure) in try assertion(from: federated, at: now) }
    }

    func refusal(of credential: AuthCredential, at now: Date = simulatedNow) -> VerificationFailure? {
        if case .failure(let failure) = outcome(of: credential, at: now) { failure } else { nil }
    }

    /// A credential of this provider with this text where its tokens belong.
    func credential(carrying token: String, nonce: String? = nil) -> AuthCredential {
        switch form {
        case .idToken: .oauth(provider, idToken: token, nonce: nonce)
        case .accessToken: .oauth(provider, accessToken: token, nonce: nonce)
        }
    }
}
