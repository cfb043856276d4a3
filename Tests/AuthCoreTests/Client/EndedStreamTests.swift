import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// A stream of changes whose reader or whose `Auth` is gone.
final class EndedStreamTests: LimitedTestCase {
    /// A user and the `Auth` whose current user it is refer to each other.
    func testAStreamEndsWhenItsAuthIsLetGoThoughItsUserIsKept() async throws {
        var auth: Auth? = Auth(service: World(.standard).service)
        let changes = try XCTUnwrap(auth?.changes())
        let user = try await auth?.signInAnonymously().user
        let kept = { [weak auth] in auth }
        auth = nil
        XCTAssertNil(kept(), "the user keeps the Auth")
        if kept() != nil { return }
        var count = 0
        for await _ in changes { count += 1 }
        XCTAssertEqual(count, 2, "what the stream told before it ended")
        XCTAssertNotNil(user, "the user who is kept")
    }

    func testAStreamWhoseReaderIsCanceledLeavesNoObserver() async throws {
        let (auth, first) = (Auth(), Gate())
        first.open()
        let reader = Task {
            for await _ in auth.changes() { await first.pass() }
        }
        await first.waitForArrivals()
        XCTAssertEqual(auth.observers.withLock(\.count), 1, "while it is read")
        reader.cancel()
        await reader.value
        XCTAssertEqual(auth.observers.withLock(\.count), 0, "observers after it ended")
    }

    func testAReaderThatIsCanceledBesideAChangeHoldsUpNeither() async throws {
        let auth = Auth(service: World(.standard).service)
        let ended = expectation(description: "every round ended")
        Task.detached {
            for round in 0..<2_000 {
                let reader = Task { for await _ in auth.changes() {} }
                for _ in 0..<(round % 7) { await Task.yield() }
                async let change: Void = {
                    _ = try? await auth.signInAnonymously()
                    try? await auth.signOut()
                }()
                for _ in 0..<(round % 23) { await Task.yield() }
                reader.cancel()
                await reader.value
                await change
            }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 45)
    }
}
