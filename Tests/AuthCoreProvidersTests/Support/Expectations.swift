import AuthCore
import XCTest

@testable import AuthCoreProviders

/// The time in most tests: 2027-01-15 08:00:10 UTC.
let testTime = Date(timeIntervalSince1970: 1_800_000_010)

extension CredentialVerifier {
    /// Verifies at the tests' time.
    func verify(_ credential: AuthCredential, after seconds: Double = 0) async throws -> ProviderAssertion {
        guard case .federated(let federated) = credential.content else { throw VerificationFailure.missingToken }
        return try await verify(federated, in: VerificationContext(now: testTime.addingTimeInterval(seconds)))
    }

    /// Why the credential is refused; nil if it is not.
    func refusal(of credential: AuthCredential, after seconds: Double = 0) async -> VerificationFailure? {
        await verificationFailure { try await verify(credential, after: seconds) }
    }
}

extension OIDCCore {
    /// Why the credential is refused; nil if it is not.
    func refusal(of credential: AuthCredential.Federated, after seconds: Double = 0) async -> VerificationFailure? {
        await verificationFailure { try await verify(credential, at: testTime.addingTimeInterval(seconds)) }
    }
}

/// Why the work fails; nil if it does not.
func verificationFailure(of work: () async throws -> some Any) async -> VerificationFailure? {
    do {
        _ = try await work()
        return nil
    } catch let failure as VerificationFailure {
        return failure
    } catch {
        XCTFail("\(error) is no failure of a verification")
        return nil
    }
}
