@testable import AuthCore

extension IdentityEvent {
    /// The number in the event's position: the in-memory store numbers events from 1 without gaps.
    var number: UInt64 { position.number }
}

extension IdentityEvent.Position {
    /// The position of the event with this number in the in-memory store.
    static func number(_ number: UInt64) -> IdentityEvent.Position { IdentityEvent.Position(number: number) }
}
