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
        case notice(createdAt: Double, expiresAt: Double, method: UInt32, hasMethod: Bool, toldTo: EmailAddress?)
    }

    init(_ capability: Capability, about account: RowNumber) {
        key = capability.key
        self.account = account
        content = Self.notice(capability) ?? .whole(Boxed(capability))
    }

    func isNamed(_ key: CapabilityKey) -> Bool { self.key == key }

    /// The one-time thing, given the account that it is about.
    func capability(about account: AccountID?) -> Capability {
        switch content {
        case .whole(let boxed): boxed.value
        case .notice(let createdAt, let expiresAt, let method, let hasMethod, let toldTo):
            Capability(
                key: key,
                account: account,
                createdAt: Date(timeIntervalSinceReferenceDate: createdAt),
                expiresAt: Date(timeIntervalSinceReferenceDate: expiresAt),
                content: .notMe(ContestedChange(methods: hasMethod ? [method] : [], toldTo: toldTo))
            )
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
        case .notice(_, let expiresAt, _, _, _): now.timeIntervalSinceReferenceDate < expiresAt
        }
    }

    /// The short form of what is no more than a notice of the usual kind.
    private static func notice(_ capability: Capability) -> Content? {
        guard case .notMe(let change) = capability.content, change.methods.count <= 1, change.factors.isEmpty,
            change.email == nil, change.recoveryCodes == nil, change.deletedUntil == nil, capability.account != nil,
            capability.seat == nil, capability.epoch == nil,
            let expiresAt = capability.expiresAt
        else { return nil }
        return .notice(
            createdAt: capability.createdAt.timeIntervalSinceReferenceDate,
            expiresAt: expiresAt.timeIntervalSinceReferenceDate,
            method: change.methods.first ?? 0,
            hasMethod: !change.methods.isEmpty,
            toldTo: change.toldTo
        )
    }
}
