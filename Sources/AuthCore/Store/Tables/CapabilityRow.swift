#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A one-time thing in the in-memory tables, in the list of those about its account.
struct CapabilityRow: TableRow {
    // The order leaves no gaps, since every account that ever changed has one.
    let key: CapabilityKey
    /// The row of the account that it is about, if there is one.
    let account: RowNumber
    var next = RowNumber.none
    private var createdAt: Double
    private var content: Content
    /// Of a notice, in hours.
    private var lifetime: UInt16 = 0
    /// The method whose coming a notice can contest, if that is one.
    private var method = CapabilityRow.noMethod

    private enum Content {
        case whole(Boxed<Capability>)
        /// The right to contest the coming of one method, or nothing in particular: what every change leaves for two
        /// weeks. Only the address that was told is here; the rest is beside it.
        case notice(toldTo: EmailAddress)
        /// The same where no address is named that has to stand.
        case quietNotice
    }

    private static let noMethod = UInt32.max

    init(_ capability: Capability, about account: RowNumber) {
        key = capability.key
        self.account = account
        createdAt = capability.createdAt.timeIntervalSinceReferenceDate
        content = .whole(Boxed(capability))
        guard case .notMe(let change) = capability.content, let expiresAt = capability.expiresAt else { return }
        let hours = expiresAt.timeIntervalSince(capability.createdAt) / 3600
        guard let lifetime = UInt16(exactly: hours.rounded()) else { return }
        let whole = content
        content = change.toldTo.map { .notice(toldTo: $0) } ?? .quietNotice
        self.lifetime = lifetime
        method = change.methods.first ?? Self.noMethod
        // The short form is for what it holds completely: a notice that says more than it can is kept as it is.
        if self.capability(about: capability.account) != capability { content = whole }
    }

    func isNamed(_ key: CapabilityKey) -> Bool { self.key == key }

    /// The one-time thing, given the account that it is about.
    func capability(about account: AccountID?) -> Capability {
        let toldTo: EmailAddress?
        switch content {
        case .whole(let boxed): return boxed.value
        case .notice(let address): toldTo = address
        case .quietNotice: toldTo = nil
        }
        var change = ContestedChange(methods: method == Self.noMethod ? [] : [method])
        change.toldTo = toldTo
        let createdAt = Date(timeIntervalSinceReferenceDate: createdAt)
        return Capability(
            key: key,
            account: account,
            createdAt: createdAt,
            expiresAt: createdAt.addingTimeInterval(seconds),
            content: .notMe(change)
        )
    }

    private var seconds: Double { Double(lifetime) * 3600 }

    var purpose: Capability.Purpose {
        if case .whole(let boxed) = content { boxed.value.purpose } else { .notMe }
    }

    func isLive(at now: Date) -> Bool {
        if case .whole(let boxed) = content { return boxed.value.isLive(at: now) }
        return now < Date(timeIntervalSinceReferenceDate: createdAt).addingTimeInterval(seconds)
    }
}
