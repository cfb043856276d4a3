import AuthCore
import Foundation

// What stands between the marks stands in the article, letter for letter; `ArticleTests` of AuthCore compares them, and
// `OwnTableTests` runs them.

// MovingAccounts.md begins
/// A row of the old table.
struct OldPerson {
    var id: String
    var email: String
    var isEmailVerified: Bool
    var passwordHash: String
    var createdAt: Date
}

func line(of person: OldPerson) throws -> String? {
    guard let id = AccountID(person.id), let email = EmailAddress(person.email) else { return nil }
    let createdAt = Timestamp(person.createdAt)
    var account = Account(id: id, createdAt: createdAt)
    account.email = email
    let hash = PasswordHash(tagged: OldHasher.mark + person.passwordHash)
    account.methods = [SignInMethod(.password(hash), addedAt: createdAt, generation: 0)]
    account.nextGeneration = 1
    if person.isEmailVerified {
        account.evidence = [Evidence(.email(email), .imported(trusted: false), at: createdAt)]
        account.wasEverVerified = true
    }
    return String(decoding: try Store.RecordCoder().encode(account), as: UTF8.self)
}

/// Checks the hashes of the old table too; after a right password the service has a new hash made.
struct OldHasher: PasswordHasher {
    static let mark = "old$"
    /// Makes the new hashes, such as `StandardPasswordHasher()`.
    let next: any PasswordHasher
    /// Compares a password with a hash of the old table, for example by bcrypt.
    let matchesOld: @Sendable (_ password: String, _ hash: String) -> Bool

    var placeholder: PasswordHash { next.placeholder }

    func hash(_ password: Secret) async throws -> PasswordHash { try await next.hash(password) }

    func canCheck(_ hash: PasswordHash) -> Bool { hash.tagged.hasPrefix(Self.mark) || next.canCheck(hash) }

    func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
        guard hash.tagged.hasPrefix(Self.mark) else { return try await next.check(password, against: hash) }
        let old = String(hash.tagged.dropFirst(Self.mark.count))
        return matchesOld(password.revealed, old) ? .matches(needsRehash: true) : .differs
    }
}
// MovingAccounts.md ends
