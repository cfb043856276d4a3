import AuthCoreTesting
import XCTest

@testable import AuthCore

/// What an operation must read can change between its reads.
final class RepeatedReadTests: LimitedTestCase {
    func testAPasswordIsForTheAddressThatIsDisplayedAtTheLastRead() async throws {
        let store = InterveningStore()
        let world = World(.standard) { $0.store = store }
        let ann = try await world.device().signIn(with: world.facebook()).user
        XCTAssertFalse(ann.account.reservesEmail, "the address is only displayed")
        var moved = ann.account
        let address = try XCTUnwrap(EmailAddress("moved@example.com"))
        moved.email = address
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        changes.accounts = [.update(moved, expected: ann.account.version)]
        store.afterLoad(1) { [changes] in
            let outcome = try await store.whole.commit(changes)
            XCTAssertTrue(outcome.isWritten, "the change between the reads")
        }
        let change = ChangePassword(handle: ann.acting, password: .success(PasswordHash(tagged: "$cheap$AAAA$BBBB")))
        let changed = try await world.service.perform(change, RequestContext(device: ann.client.device))
        XCTAssertEqual(changed.account.email, address, "the address of the last read")
        XCTAssertTrue(changed.account.reservesEmail, "it is the account's own now")
    }
}
