import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What a verification has read is not read again by the operation after it.
final class ReadCountTests: LimitedTestCase {
    /// A store that counts how often it is read.
    private final class CountingStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()
        private let loads = Atomic(0)

        func load(_ lookups: Lookups) async throws -> Snapshot {
            loads.add(1, ordering: .sequentiallyConsistent)
            return try await whole.load(lookups)
        }

        func reads(of act: () async throws -> some Any) async rethrows -> Int {
            let before = loads.load(ordering: .sequentiallyConsistent)
            _ = try await act()
            return loads.load(ordering: .sequentiallyConsistent) - before
        }
    }

    func testASignInReadsWhatItNeedsOnce() async throws {
        for (name, policy) in [("standard", AuthPolicy.standard), ("firebase", .firebase)] {
            let store = CountingStore()
            let world = World(policy) { $0.store = store }
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.digits(to: world.number))
            try await ann.link(with: world.google())
            let device = world.device()
            let byPassword = try await store.reads { try await device.signIn(with: World.annsPassword) }
            XCTAssertEqual(byPassword, 1, "reads of a sign-in by password under \(name)")
            let digits = try await world.digits(to: world.number, from: device)
            let byPhone = try await store.reads { try await device.signIn(with: digits) }
            XCTAssertEqual(byPhone, 2, "reads of a sign-in by digits under \(name): the code, and the number's account")
            let token = world.google()
            let byGoogle = try await store.reads { try await device.signIn(with: token) }
            XCTAssertEqual(byGoogle, 1, "reads of a sign-in by a known identity under \(name)")
        }
    }

    func testAResetReadsWhatItNeedsOnce() async throws {
        let store = CountingStore()
        let world = World(.standard) { $0.store = store }
        _ = try await world.signUpVerifiedAnn()
        let device = world.device()
        try await device.sendPasswordReset(to: "ann@example.com")
        let code = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .resetPassword)?.code)
        let reads = try await store.reads {
            try await device.confirmPasswordReset(code: code, newPassword: "another horse battery")
        }
        XCTAssertEqual(reads, 1, "reads of a reset: its code with the account, before the password is hashed")
    }
}
