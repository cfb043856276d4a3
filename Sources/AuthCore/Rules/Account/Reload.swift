#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads the account of the acting session as it is now.
package struct Reload: ActingOperation {
    package typealias Outcome = SignedIn

    package let handle: ActingHandle

    package init(handle: ActingHandle) { self.handle = handle }

    package func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<SignedIn> {
        var draft = Draft(ruling)
        return draft.granted(
            SignedIn(
                stored: acting.stored,
                session: acting.session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn
            )
        )
    }
}
