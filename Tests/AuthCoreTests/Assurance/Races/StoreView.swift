@testable import AuthCore

/// Everything that a store shows of its people, read through its own calls.
///
/// Two views are equal if nothing was changed between them; one-time records are left out, since refusals may make
/// some.
struct StoreView: Equatable {
    var accounts: [Account] = []
    var sessions: [Session] = []
    var events: [IdentityEvent] = []
    /// The position up to which the store has removed events.
    var removedEvents = IdentityEvent.Position.start

    /// A view of what is given.
    init(accounts: [Account], sessions: [Session], events: [IdentityEvent]) {
        (self.accounts, self.sessions, self.events) = (accounts, sessions, events)
    }

    init(of store: any IdentityStore) async throws {
        var last: AccountID?
        while true {
            // Small pages, so that paging is a part of what is looked at.
            let page = try await store.accounts(after: last, limit: 7)
            guard let end = page.last else { break }
            accounts += page
            last = end.id
        }
        for account in accounts {
            let reference = Lookup.Reference.account(account.id)
            sessions += try await store.load([.sessions(of: reference)]).sessions(of: reference).sorted {
                $0.id < $1.id
            }
        }
        let log = try await store.events(after: .start, limit: .max)
        events = log.events
        removedEvents = log.removed
    }

    func account(_ id: AccountID) -> Account? { accounts.first { $0.id == id } }

    func sessions(of id: AccountID) -> [Session] { sessions.filter { $0.account == id } }

    /// How many events of this kind there are, of this account or of any.
    func count(of kind: IdentityEvent.Kind, _ account: AccountID? = nil) -> Int {
        events.count { $0.kind == kind && (account == nil || $0.account == account) }
    }

    /// Whether the account lost its last methods to the person who verified the address that it never verified.
    func gaveWay(_ account: AccountID) -> Bool {
        let last = events.last { $0.account == account && $0.kind == .methodsChanged }
        return last?.reasons.contains(.unverifiedOwnerYields) ?? false
    }
}
