@testable import AuthCore
import XCTest

/// What the stream says next; a stream that ended is a failure.
func unwrap(_ update: IdentityEvent.Update?) throws -> IdentityEvent.Update {
    try XCTUnwrap(update, "the stream ended")
}

/// The numbers of the events, without what was missed.
func places(_ updates: [IdentityEvent.Update]) -> [UInt64] {
    updates.compactMap { update in
        guard case .event(let event) = update else { return nil }
        return event.number
    }
}
