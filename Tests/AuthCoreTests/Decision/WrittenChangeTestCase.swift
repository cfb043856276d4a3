@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A test of what a decision writes for a person on one device.
class WrittenChangeTestCase: LimitedTestCase {
    var world = World(.standard)

    let address = "ann@example.com"
    var phone: RequestContext { world.context }

    /// What would be written for a proof that a device presents.
    func signIn(_ credential: AuthCredential) async throws -> Decision<SignedIn> {
        let proof = try await world.device().verify(credential).proof
        let decision = try await world.service.decision(of: SignIn(proof: proof), context: phone)
        XCTAssertNil(decision.refusal)
        return decision
    }

    func updated(_ changes: ChangeSet) throws -> Account {
        for case .update(let account, _) in changes.accounts { return account }
        throw Missing()
    }

    private struct Missing: Error {}
}
