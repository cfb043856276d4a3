/// A one-time thing in the in-memory tables, in the list of those about its account.
struct CapabilityRow: TableRow {
    // The order leaves no gaps, since every account that ever changed has one.
    let key: CapabilityKey
    /// The row of the account that it is about, if there is one.
    let account: RowNumber
    var next = RowNumber.none
    private var createdAt: Timestamp
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
        createdAt = capability.createdAt
        content = .quietNotice
        if case .notMe(let change) = capability.content, shorten(change, until: capability.expiresAt),
            // The short form is for what it holds completely: a notice that says more than it can is kept as it is.
            change == contested, capability.seat == nil, capability.epoch == nil, capability.expiresAt == expiresAt
        {
            return
        }
        content = .whole(Boxed(capability))
    }

    /// Takes on what the short form can hold of a notice; false if it is too much.
    private mutating func shorten(_ change: ContestedChange, until end: Timestamp?) -> Bool {
        guard let end else { return false }
        let hours = (end - createdAt) / .hours(1)
        guard let lifetime = UInt16(exactly: hours.rounded()) else { return false }
        self.lifetime = lifetime
        if let first = change.firstMethod { method = first }
        if let address = change.toldTo { content = .notice(toldTo: address) }
        return true
    }

    func isNamed(_ key: CapabilityKey) -> Bool { self.key == key }

    /// The one-time thing, given the account that it is about.
    func capability(about account: AccountID?) -> Capability {
        if case .whole(let boxed) = content { return boxed.value }
        return capability(account, of: .notMe(contested))
    }

    /// What the short form holds, with this content.
    private func capability(_ account: AccountID?, of content: Capability.Content) -> Capability {
        Capability(
            key: key,
            account: account,
            createdAt: createdAt,
            expiresAt: expiresAt,
            content: content
        )
    }

    /// When a notice stops working.
    private var expiresAt: Timestamp { createdAt + .hours(Int(lifetime)) }

    /// What the short form holds of a change.
    private var contested: ContestedChange {
        let added = method == Self.noMethod ? Several.none : .one(method)
        guard case .notice(let address) = content else { return ContestedChange(added: added) }
        return ContestedChange(added: added, toldTo: address)
    }

    var purpose: Capability.Purpose {
        if case .whole(let boxed) = content { boxed.value.purpose } else { .notMe }
    }

    func isLive(at now: Timestamp) -> Bool {
        if case .whole(let boxed) = content { return boxed.value.isLive(at: now) }
        return now < expiresAt
    }
}
