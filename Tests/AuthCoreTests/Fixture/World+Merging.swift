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

    /// Starts over with Ann, who has GitHub, Ben, and the hooks of orders and photos.
    mutating func stageMerge() async throws -> (source: User, target: User) {
        startOver()
        addHooks("orders", "photos")
        return (try await signIn(.gitHub), try await signUp("ben@example.com"))
    }

    /// Merges the account of Ann, who has GitHub, into Ben's.
    func mergeAnnIntoBen() async throws -> Merge.Result {
        try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
    }

    /// Whether the merge happened, wholly; half a merge is a failure.
    func isMerged(
        _ source: User,
        _ target: User,
        _ what: String,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws -> Bool {
        let (gone, left) = try await (storedAccount(source), storedAccount(target))
        let owner = try await service.client().signIn(with: credential(.gitHub)).user.uid
        let successor = try await service.successor(of: source.account.id)
        if gone == nil {
            XCTAssertEqual(owner, target.uid, what, file: file, line: line)
            XCTAssertEqual(successor, target.account.id, what, file: file, line: line)
            XCTAssertEqual(left?.methods.map(\.kind.provider), [.password, .gitHub], what, file: file, line: line)
        } else {
            XCTAssertEqual(owner, source.uid, what, file: file, line: line)
            XCTAssertNil(successor, what, file: file, line: line)
            XCTAssertEqual(left?.methods.map(\.kind.provider), [.password], what, file: file, line: line)
        }
        return gone == nil
    }

    func storedAccount(_ user: User) async throws -> Account? { try await storedAccount(user.account.id) }

    func storedAccount(_ id: AccountID) async throws -> Account? {
        try await store.whole.load([.account(id)])[id]
    }

    func storedProviders(_ user: User) async throws -> [ProviderID] {
        try await storedAccount(user)?.methods.map(\.kind.provider) ?? []
    }
}
