import AuthCore
import AuthCoreTesting

/// A hasher whose costs have risen since every hash was made.
struct DearerHasher: PasswordHasher {
    private let hasher = CheapPasswordHasher()

    var placeholder: PasswordHash { hasher.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash { try await hasher.hash(password) }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        let check = try await hasher.check(password, against: hash)
        if case .matches = check { return .matches(needsRehash: true) }
        return check
    }
}
