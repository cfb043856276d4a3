@testable import AuthCore
import AuthCoreTesting

/// Attacks in which an account's address is changed to another mailbox.
class MovedMailboxTestCase: LimitedTestCase {
    var world = World(.standard)
    let day = 86_400.0

    /// Moves the user's account to this address, and opens the link there outside of any session.
    func move(_ user: User, to address: String) async throws {
        try await user.sendEmailVerification(beforeUpdatingTo: address)
        try await world.device("mail of \(address)").applyActionCode(world.code(.changeEmail, to: address))
    }
}
