@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-37: a domain that Google hosts is registered anew, and the new owner's users get its addresses.
final class HostedDomainAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let address = "ann@startup.example"
    private let domain = "startup.example"

    /// An identity of the domain at Google, which has confirmed its address.
    private func google(_ subject: String) -> AuthCredential {
        let token = SimulatedToken(
            subject: subject,
            email: .text(address),
            address: .verified,
            hostedDomain: domain
        )
        return world.credential(.google, .ann, saying: token)
    }

    func testAT37_AnAddressOfADomainThatIsNotPinnedJoinsNothing() async throws {
        let ann = try await world.signUp(address)
        let conflict = try await world.conflict { try await world.device("new owner").signIn(with: google("new")) }
        XCTAssertEqual(conflict.existingProviders, [], "a confirmed address lists no methods")
        try await world.refusal(.unverifiedEmail) {
            try await world.device("new owner").createSeparateAccount(from: conflict)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.kind.provider), [.password])
        XCTAssertEqual(after.email?.text, address)
    }

    func testAT37_TheDomainsNewOwnerDoesNotGetTheAccountOfTheOldSubject() async throws {
        let ann = try await world.device().signIn(with: google("old")).user
        XCTAssertFalse(ann.isEmailVerified, "a confirmed address is displayed and not verified")
        _ = try await world.conflict { try await world.device("new owner").signIn(with: google("new")) }
        let back = try await world.device("tablet").signIn(with: google("old")).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testAT37_AnAttackersAccountIsNotAdoptedByAConfirmedAddress() async throws {
        try await world.squat(address)
        _ = try await world.conflict { try await world.device().signIn(with: google("old")) }
    }

    func testS1_APinnedDomainJoins() async throws {
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(.wellKnown.pinning([domain], of: "https://accounts.google.com"))
        let world = World(policy)
        let ann = try await world.signUp(address)
        let joined = try await world.device("tablet").signIn(with: google("ann")).user
        XCTAssertEqual(joined.uid, ann.uid)
        XCTAssertEqual(joined.account.methods.map(\.kind.provider), [.password, .google])
    }

    /// A verifier that was set up for an organization pins its domain.
    func testADomainThatItsVerifierPinsJoins() async throws {
        struct Organization: CredentialVerifier {
            let google = SimulatedProvider.google
            let domain: String
            var provider: ProviderID { google.provider }
            var issuers: Set<String> { google.issuers }
            var pinnedDomains: [String: Set<String>] { ["https://accounts.google.com": [domain]] }

            func verify(
                _ credential: AuthCredential.Federated,
                in context: VerificationContext
            ) async throws -> ProviderAssertion {
                try await google.verify(credential, in: context)
            }
        }
        let service = AuthService(
            AuthConfiguration(
                providers: [Organization(domain: domain)],
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(world.clock)
            )
        )
        let ann = try await service.client().signUp(email: address, password: World.password).user
        let joined = try await service.client().signIn(with: google("ann")).user
        XCTAssertEqual(joined.uid, ann.uid, "the account that the pinned domain's identity joins")
        XCTAssertTrue(service.isEmailVerified(joined.account), "whether an operator sees the address as verified")
    }

    func testS1_ADomainThatIsNoLongerPinnedVerifiesNothing() async throws {
        var world = World(.standard)
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(.wellKnown.pinning([domain], of: "https://accounts.google.com"))
        world.policy = policy
        let ann = try await world.device().signIn(with: google("ann")).user
        XCTAssertTrue(ann.isEmailVerified)
        world.policy = .standard
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after))
    }
}
