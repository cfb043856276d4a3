#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A one-time thing in the in-memory tables, in the list of those about its account.
struct CapabilityRow: TableRow {
    let key: CapabilityKey
    /// The row of the account that it is about, if there is one.
    let account: RowNumber
    var next = RowNumber.none
    private var content: Content

    private enum Content {
        case whole(Boxed<Capability>)
        /// The right to contest the coming of one method, or nothing in particular: what every change leaves for two weeks.
        case notice(Notice)
    }

    /// A notice of the usual kind, as it is kept; the order leaves no gaps.
    fileprivate struct Notice {
        let createdAt: Double
        let expiresAt: Double
        let toldTo: EmailAddress?
        let method: UInt32
        let hasMethod: Bool
    }

    init(_ capability: Capability, about account: RowNumber) {
        key = capability.key
        self.account = account
        content = .whole(Boxed(capability))
        guard let notice = Notice(capability) else { return }
        content = .notice(notice)
        // The short form is for what it holds completely: a notice that says more than it can is kept as it is.
        if self.capability(about: capability.account) != capability { content = .whole(Boxed(capability)) }
    }

    func isNamed(_ key: CapabilityKey) -> Bool { self.key == key }

    /// The one-time thing, given the account that it is about.
    func capability(about account: AccountID?) -> Capability {
        switch content {
        case .whole(let boxed): boxed.value
        case .notice(let notice): notice.capability(key, about: account)
        }
    }

    var purpose: Capability.Purpose {
        switch content {
        case .whole(let boxed): boxed.value.purpose
        case .notice: .notMe
        }
    }

    func isLive(at now: Date) -> Bool {
        switch content {
        case .whole(let boxed): boxed.value.isLive(at: now)
        case .notice(let notice): now.timeIntervalSinceReferenceDate < notice.expiresAt
        }
    }
}

extension CapabilityRow.Notice {
    /// What the short form holds of a right to contest; nil for anything that cannot be one of the usual kind.
    fileprivate init?(_ capability: Capability) {
        guard case .notMe(let change) = capability.content, let expiresAt = capability.expiresAt else { return nil }
        createdAt = capability.createdAt.timeIntervalSinceReferenceDate
        self.expiresAt = expiresAt.timeIntervalSinceReferenceDate
        toldTo = change.toldTo
        method = change.methods.first ?? 0
        hasMethod = !change.methods.isEmpty
    }

    fileprivate func capability(_ key: CapabilityKey, about account: AccountID?) -> Capability {
        var change = ContestedChange(methods: hasMethod ? [method] : [])
        change.toldTo = toldTo
        return Capability(
            key: key,
            account: account,
            createdAt: Date(timeIntervalSinceReferenceDate: createdAt),
            expiresAt: Date(timeIntervalSinceReferenceDate: expiresAt),
            content: .notMe(change)
        )
    }
}
