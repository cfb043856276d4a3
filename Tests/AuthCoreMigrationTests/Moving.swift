@testable import AuthCore
@testable import AuthCoreMigration
import Foundation
import Synchronization
import XCTest

extension World {
    /// The lines of everything in the service.
    func exportedLines(after account: AccountID? = nil, pageSize: Int = 500) async throws -> [String] {
        var lines: [String] = []
        for try await exported in service.exportAccounts(after: account, pageSize: pageSize) {
            lines.append(exported.line)
        }
        return lines
    }

    func bring(_ lines: [String], options: ImportOptions = ImportOptions()) async throws -> ImportReport {
        try await service.importAccounts(Stream.of(lines), options: options)
    }

    /// Imports a file of Firebase's tool that has these users.
    func bring(users: [String], options: ImportOptions = ImportOptions()) async throws -> ImportReport {
        try await service.importFirebaseExport(FirebaseSample.file(users), options: options)
    }

    func accounts() async throws -> [Account] { try await service.accounts(limit: 10_000) }
}

enum Stream {
    static func of<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
        AsyncStream { stream in
            for element in elements { stream.yield(element) }
            stream.finish()
        }
    }
}

/// Keeps what a callback is given.
final class Notebook<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { notes.withLock { $0 } }

    func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}

enum Samples {
    /// An account with an address and nothing else.
    static func account(_ id: String, email: String? = nil) throws -> Account {
        var account = Account(
            id: try XCTUnwrap(AccountID(id)),
            createdAt: Timestamp(seconds: 1_700_000_000)
        )
        account.email = try email.map { try XCTUnwrap(EmailAddress($0)) }
        account.reservesEmail = email != nil
        return account
    }

    /// An account with something of everything, in the middle of a merge.
    static func fullAccount() throws -> Account {
        let noon = Timestamp(seconds: 1_700_000_000)
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        var account = try account("ann", email: "ann@example.com")
        account.version = 41
        account.displayName = "Ann \"A\" Archer\n/🔑"
        account.photoURL = "https://example.com/ann.jpg"
        account.customClaims = ["level": 3]
        account.wasEverVerified = true
        account.note(.email(mail), .imported(trusted: false), at: noon)
        _ = account.add(.password(PasswordHash(tagged: "$cheap$AAAA$BBBB")), at: noon)
        let key = Identity.Key(issuer: "github.com", subject: "1")
        _ = account.add(
            .federated(Identity(key: key, provider: .gitHub)),
            at: noon,
            coverage: [Evidence.Verification(.email(mail), at: noon)]
        )
        _ = account.addFactor(.phone(try XCTUnwrap(PhoneNumber("+15550100002"))), named: "work", id: 7, at: noon)
        account.recoveryCodes = [SecondFactor.RecoveryCode(hash: [1, 2, 3])]
        account.blockedIssuers = [ExactText("issuer")]
        account.reservations = [
            Account.Reservation(email: try XCTUnwrap(EmailAddress("former@example.com")), until: noon)
        ]
        account.mergeLock = Account.MergeLock(intent: OneTimeRecordID(bits: 9), until: noon)
        return account
    }

    static func line(_ account: Account) throws -> String {
        String(decoding: try Store.RecordCoder().encode(account), as: UTF8.self)
    }

    /// Plain accounts with ids in order.
    static func lines(_ count: Int) throws -> [String] {
        try (0..<count).map { index in
            let name = "person-\(10_000 + index)"
            return try line(account(name, email: "\(name)@example.com"))
        }
    }
}
