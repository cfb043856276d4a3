/// Whether somebody owns a key, and whether their account is open.
enum OwnerStatus: Sendable, Hashable, CaseIterable {
    case none
    case open
    case disabled

    init(_ owner: Account?) {
        self = owner.map { $0.isDisabled ? .disabled : .open } ?? .none
    }
}
