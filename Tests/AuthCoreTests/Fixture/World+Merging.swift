@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Two accounts of one person, and what proves each of them.
extension World {
    var context: RequestContext { RequestContext(device: devices["phone"]) }

    func side(_ credential: AuthCredential) async throws -> Merge.Side {
        .verified(try await service.client(context).verify(credential))
    }

    func side(_ provider: ProviderID, _ person: SimulatedPerson = .ann) async throws -> Merge.Side {
        try await side(credential(provider, person))
    }

    func passwordSide(_ email: String) async throws -> Merge.Side {
        try await side(.password(email: email, password: Self.password))
    }

    /// Merges Ann's account into Ben's, whose Google gives way to hers; the account that stays.
    func mergeAnnIntoBenWithHerGoogle() async throws -> User {
        try await signIn(.google, .ann)
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        let merged = try await service.client(context).merge(
            side(.google, .ann),
            into: passwordSide("ben@example.com"),
            choices: [.google]
        )
        XCTAssertEqual(merged.plan.replaced.map(\.provider), [.google])
        return target
    }

    func storedAccount(_ user: User) async throws -> Account? { try await storedAccount(user.account.id) }

    func storedAccount(_ id: AccountID) async throws -> Account? {
        try await store.whole.load([.account(id)])[id]
    }

    func storedProviders(_ user: User) async throws -> [ProviderID] {
        try await storedAccount(user)?.methods.map(\.kind.provider) ?? []
    }
}
