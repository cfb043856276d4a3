#if SQLite
import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Processes that are killed in the middle of their commits: what was answered is there, and nothing is half written.
final class KillTests: LimitedTestCase {
    /// A dozen kills; five hundred in the long form.
    private let rounds = ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == nil ? 12 : 500

    func testAKilledProcessLosesNothingThatItAnswered() async throws {
        let database = try TestDatabase()
        var generator = SeededGenerator(seed: 16)
        for round in 0..<rounds {
            // Every third time a second process works on the same file, and is killed a little later.
            let other = round % 3 == 2 ? try KilledProcess(on: database.path, called: "o\(round)") : nil
            let process = try KilledProcess(on: database.path, called: "p\(round)")
            var answered = try process.kill(afterSteps: Int.random(in: 1...60, using: &generator))
            if let other { try answered.merge(other.kill(afterSteps: 5)) { $1 } }
            let store = try await database.open()
            for (person, step) in answered {
                let wrong = try await store.contradiction(to: step, of: person)
                XCTAssertNil(wrong, "round \(round), \(person) after step \(step)")
            }
            let broken = try await store.inconsistencies()
            XCTAssertEqual(broken, [], "round \(round)")
            if !broken.isEmpty { return }
            try await database.close()
        }
        let store = try await database.open()
        let damage = try await store.findDamage()
        XCTAssertEqual(damage, [], "the file is damaged")
    }
}

extension SQLiteStore {
    /// What contradicts that this step of a person was answered, and at most the next one written.
    fileprivate func contradiction(to step: Int, of person: String) async throws -> String? {
        let email = try XCTUnwrap(EmailAddress("\(person)@gmail.com"))
        guard let account = try await load([.owner(.primaryEmail(email))]).owner(of: .primaryEmail(email)) else {
            return "there is no account"
        }
        let isLinked = account.methods.contains { $0.kind.provider == .gitHub }
        let sql = "SELECT count(*) FROM readable_events WHERE kind = 'methodsChanged' AND account = '\(account.id)'"
        let changes = Int(try await column(sql)[0]) ?? -1
        guard changes == step - 1 || changes == step else { return "\(changes) changes of methods are in the log" }
        return isLinked == (changes % 2 == 1) ? nil : "the methods are not those of the log"
    }

    /// What does not fit together in the tables.
    fileprivate func inconsistencies() async throws -> [String] {
        let none = [
            "keys without an account":
                "SELECT count(*) FROM unique_keys WHERE account NOT IN (SELECT id FROM accounts)",
            "sessions without an account":
                "SELECT count(*) FROM sessions WHERE account NOT IN (SELECT id FROM accounts)",
            "methods without an account":
                "SELECT count(*) FROM sign_in_methods WHERE account NOT IN (SELECT id FROM accounts)",
            "identities without a key, or keys without an identity": """
            SELECT (SELECT count(*) FROM sign_in_methods WHERE kind = 'federated')
                - (SELECT count(*) FROM unique_keys WHERE substr(key, 1, 1) = x'01')
            """,
            "accounts that no event tells of, or events of accounts that are not there":
                "SELECT (SELECT count(*) FROM accounts) - (SELECT count(*) FROM events WHERE kind = 'accountCreated')",
            "changes of methods that the log does not know": """
            SELECT count(*) FROM accounts
            LEFT JOIN (SELECT account, count(*) AS changes FROM events WHERE kind = 'methodsChanged' GROUP BY account) e
                ON e.account = id
            LEFT JOIN (SELECT account, count(*) AS linked FROM sign_in_methods WHERE provider = 'github.com'
                GROUP BY account) m ON m.account = id
            WHERE coalesce(changes, 0) % 2 <> coalesce(linked, 0)
            """,
        ]
        var found: [String] = []
        for (what, sql) in none where try await column(sql) != ["0"] { found.append(what) }
        return found.sorted()
    }
}
#endif
