/// Whether an account owns a key, and whether that account is enabled.
enum OwnerStatus: Sendable, Hashable, CaseIterable {
    case absent
    case open
    case disabled

    init(_ owner: Account?) { self = owner.map { $0.isDisabled ? .disabled : .open } ?? .absent }
}
