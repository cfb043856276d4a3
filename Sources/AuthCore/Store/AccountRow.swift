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
    var lastSignIn: Date?
    var sessions = Several<SessionID>.none

    init(_ id: AccountID) { self.id = id }
}

/// What the tables know of one address.
struct AddressRow {
    /// Who has the address as the primary one.
    var owner: AccountRow?
    /// Who mentions it.
    var mentioners = Several<AccountRow>.none

    var isEmpty: Bool { owner == nil && mentioners.isEmpty }
}

/// Any number of elements in their order; one of them, which is the usual number, needs no array.
enum Several<Element> {
    case none
    case one(Element)
    case many([Element])

    var isEmpty: Bool {
        switch self {
        case .none: true
        case .one: false
        case .many(let elements): elements.isEmpty
        }
    }

    var all: [Element] {
        switch self {
        case .none: []
        case .one(let element): [element]
        case .many(let elements): elements
        }
    }

    mutating func append(_ new: Element) {
        switch self {
        case .none:
            self = .one(new)
        case .one(let element):
            self = .many([element, new])
        case .many(var elements):
            // The array must not be shared while it grows, or it would be copied.
            self = .none
            elements.append(new)
            self = .many(elements)
        }
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        switch self {
        case .none: break
        case .one(let element):
            if isRemoved(element) { self = .none }
        case .many(let elements):
            let kept = elements.filter { !isRemoved($0) }
            self = kept.count > 1 ? .many(kept) : kept.first.map { .one($0) } ?? .none
        }
    }
}
