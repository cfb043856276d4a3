#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One account in the in-memory tables, with what changes too often to be part of its value.
///
/// Every table that leads to an account holds the row itself, so that finding the owner of a key is one look-up.
final class AccountRow {
    let id: AccountID
    /// The account; nil for one that is gone, or that a key names and nobody has made.
    var stored: StoredAccount?
    /// Seconds since the reference date, which take half of what an optional date takes; not a number for never.
    private var lastSignInSeconds = Double.nan
    var sessions = Several<SessionID>.none

    init(_ id: AccountID) { self.id = id }

    var lastSignIn: Date? {
        get { lastSignInSeconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: lastSignInSeconds) }
        set { lastSignInSeconds = newValue?.timeIntervalSinceReferenceDate ?? .nan }
    }
}

/// What the tables know of one address.
struct AddressRow {
    /// Who has the address as the primary one.
    var owner: AccountRow?
    /// Who mentions it.
    var mentioners = Several<AccountRow>.none

    var isEmpty: Bool { owner == nil && mentioners.isEmpty }
}
