import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

// What stands between the marks stands in the articles, letter for letter; `ArticleTests` compares them and runs them.

func mail(_ address: String, _ kind: Message.Kind, _ content: String?) async throws {}
func text(_ number: String, _ content: String) async throws {
    if number.hasSuffix("0000") { throw ForgeClient.Failure() }
}

// MailedCodes.md begins
struct Mailer: MessageSender {
    func send(_ message: Message) async throws {
        switch message.recipient {
        case .email(let address): try await mail(address.description, message.kind, content(of: message))
        case .phone(let number): try await text(number.description, "Your code is \(message.code)")
        }
    }

    /// What a template of yours shows for the kind of message; nil where the kind says it all.
    private func content(of message: Message) -> String? {
        if message.kind == .signInMethods {
            let methods = message.signInMethods.map(\.description).joined(separator: ", ")
            return methods.isEmpty ? "There is no account with this address." : methods
        }
        return message.link
    }
}
// MailedCodes.md ends

// Events.md begins
func follow(
    _ service: AuthService,
    after saved: IdentityEvent.Position?,
    handle: (IdentityEvent) async throws -> Void,
    save: (IdentityEvent.Position) async throws -> Void,
    wait: (any Error) async throws -> Void
) async throws {
    for await update in try await service.eventStream(after: saved ?? .start) {
        switch update {
        case .event(let event):
            while true {
                do {
                    try await handle(event)
                    break
                } catch { try await wait(error) }
            }
            try await save(event.position)
        case .missed(let end): print("the log no longer holds the events up to", end)
        }
    }
}
// Events.md ends

struct ForgeClient: Sendable {
    struct Failure: Error {}

    struct Person {
        var id = "42"
        var email = "ann@example.com"
        var hasConfirmedEmail = true
        var name = "Ann"
    }

    func person(_ token: String) async throws -> Person {
        guard token == "good" else { throw Failure() }
        return Person()
    }
}

// WritingAVerifier.md begins
struct ForgeVerifier: CredentialVerifier {
    let provider: ProviderID = "forge.example"
    let client: ForgeClient

    func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        guard let token = credential.accessToken else { throw VerificationFailure.missingToken }
        let person = try await client.person(token.revealed)
        var assertion = ProviderAssertion(provider: provider, subject: person.id)
        assertion.email = person.email
        assertion.isEmailVerified = person.hasConfirmedEmail
        assertion.displayName = person.name
        return assertion
    }
}
// WritingAVerifier.md ends

func device(of client: ForgeClient) -> Auth {
    // WritingAVerifier.md begins
    let auth = Auth(providers: [ForgeVerifier(client: client)])
    // WritingAVerifier.md ends
    return auth
}

// MovingAccounts.md begins
func move(from old: AuthService, to new: AuthService) async throws -> ImportReport {
    var lines: [String] = []
    for try await exported in old.exportAccounts() { lines.append(exported.line) }
    let file = AsyncStream { file in
        for line in lines { file.yield(line) }
        file.finish()
    }
    return try await new.importAccounts(file) { progress in print(progress.lines, "lines are done") }
}
// MovingAccounts.md ends

// MovingAccounts.md begins
func importUsers(_ file: [UInt8], into service: AuthService) async throws -> ImportReport {
    var options = ImportOptions()
    options.issuers["oidc.example"] = "https://login.example.com"
    let report = try await service.importFirebaseExport(
        file,
        options: options,
        onUnverifiablePassword: { password in print("sets a new password by mail:", password.account) }
    )
    for problem in report.problems { print(problem.line, problem.kind) }
    return report
}
// MovingAccounts.md ends

// MovingAccounts.md begins
func renumber(_ people: [(old: String, new: String)], at issuer: String, in service: AuthService) async throws
    -> RemapReport
{
    let moves = people.map { person in
        SubjectMove(
            from: Identity.Key(issuer: issuer, subject: person.old),
            to: Identity.Key(issuer: issuer, subject: person.new)
        )
    }
    return try await service.remapSubjects(moves)
}
// MovingAccounts.md ends

// MergingAccounts.md begins
func merge(_ old: AuthCredential, into new: AuthCredential, on auth: Auth) async throws -> Merge.Result {
    let source = Merge.Side.verified(try await auth.verify(old))
    let target = Merge.Side.verified(try await auth.verify(new))
    do throws(AuthError) {
        print(try await auth.previewMerge(source, into: target))
    } catch {
        // Only the merge itself brings the challenge.
        guard error.code == .secondFactorRequired else { throw error }
    }
    return try await auth.merge(source, into: target)
}
// MergingAccounts.md ends

/// A shop that keeps orders by account.
actor Shop {
    private(set) var orders: [AccountID: Int] = [:]
    private var locks: [Merge.ID: AccountID] = [:]
    private var moved: [Merge.ID: Int] = [:]

    init(_ orders: [AccountID: Int]) { self.orders = orders }

    func lock(_ account: AccountID, for id: Merge.ID) throws { locks[id] = account }

    func unlock(_ account: AccountID, for id: Merge.ID) throws { locks[id] = nil }

    func move(_ source: AccountID, _ target: AccountID, for id: Merge.ID) throws {
        guard moved[id] == nil else { return }
        moved[id] = orders.removeValue(forKey: source) ?? 0
        orders[target, default: 0] += moved[id] ?? 0
    }

    func moveBack(_ source: AccountID, _ target: AccountID, for id: Merge.ID) throws {
        guard let count = moved.removeValue(forKey: id) else { return }
        orders[source, default: 0] += count
        orders[target, default: 0] -= count
    }
}

// MergingAccounts.md begins
struct MovesOrders: Merge.Hook {
    let name = "orders"
    let shop: Shop

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { try await shop.lock(plan.source, for: id) }
    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {
        try await shop.move(plan.source, plan.target, for: id)
    }
    func abort(_ plan: Merge.Plan, id: Merge.ID) async throws { try await shop.unlock(plan.source, for: id) }
    func undo(_ plan: Merge.Plan, id: Merge.ID) async throws {
        try await shop.moveBack(plan.source, plan.target, for: id)
    }
}
// MergingAccounts.md ends
