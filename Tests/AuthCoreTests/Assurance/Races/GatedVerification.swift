@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Where a verifier and a hasher find the gate that they have to pass, once there is one.
final class VerificationStop: Sendable {
    private let stop = Mutex<(gate: Gate, observesCancellation: Bool)?>(nil)

    func set(_ gate: Gate, observesCancellation: Bool) {
        stop.withLock { $0 = (gate, observesCancellation) }
    }

    func pass() async throws {
        guard let (gate, observesCancellation) = stop.withLock({ $0 }) else { return }
        await gate.pass()
        if observesCancellation { try Task.checkCancellation() }
    }
}

/// Google, asked over a slow network.
struct SlowVerifier: CredentialVerifier {
    let stop: VerificationStop
    private let verifier = SimulatedProvider.google

    init(stop: VerificationStop) { self.stop = stop }

    var provider: ProviderID { verifier.provider }
    var issuers: Set<String> { verifier.issuers }

    func verify(_ credential: AuthCredential.Federated, in context: VerificationContext) async throws
        -> ProviderAssertion
    {
        try await stop.pass()
        return try await verifier.verify(credential, in: context)
    }
}

/// A hasher that takes its time.
struct SlowHasher: PasswordHasher {
    let stop: VerificationStop
    private let hasher = CheapPasswordHasher()

    init(stop: VerificationStop) { self.stop = stop }

    var placeholder: PasswordHash { hasher.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash {
        try await stop.pass()
        return try await hasher.hash(password)
    }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        try await stop.pass()
        return try await hasher.check(password, against: hash)
    }
}
