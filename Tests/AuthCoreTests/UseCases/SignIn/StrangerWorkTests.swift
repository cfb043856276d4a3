@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// S29: a stranger's request does the same work whether the address has an account or not.
final class StrangerWorkTests: LimitedTestCase {
    /// Counts what is asked of the attempts, and passes it on.
    private final class CountingAttempts: AttemptStore {
        private let inner = InMemoryAttemptStore()
        private let asked = Mutex<[String]>([])

        func take() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
        }

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
            asked.withLock { $0.append("take \(takes.map(\.key.purpose))") }
            return try await inner.take(takes, at: now)
        }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
            asked.withLock { $0.append("keep \(takes.map(\.key.purpose))") }
            try await inner.keep(takes, at: now)
        }

        func refund(_ takes: [Store.Take], clearing keys: [AttemptKey], at now: Timestamp) async throws {
            asked.withLock { $0.append("refund \(takes.map(\.key.purpose)), clear \(keys.map(\.purpose))") }
            try await inner.refund(takes, clearing: keys, at: now)
        }
    }

    func testAWrongPasswordAsksAsOftenWhetherThereIsAnAccountOrNot() async throws {
        let attempts = CountingAttempts()
        let world = World(.standard) { $0.attempts = attempts }
        _ = try await world.verifiedUser(in: world.device())
        var work: [[String]] = []
        for email in ["ann@example.com", "nobody@example.com"] {
            _ = attempts.take()
            await assertThrows(.invalidCredential) {
                try await world.device("stranger").signIn(with: .password(email: email, password: "a guess at it"))
            }
            work.append(attempts.take())
        }
        XCTAssertEqual(work[0], work[1])
        XCTAssertFalse(work[0].isEmpty)
    }

    func testWhatProvesNothingLooksAsOftenWhetherThereIsAnAccountOrNot() async throws {
        let store = FaultyStore()
        let world = World(.standard) { $0.store = store }
        _ = try await world.verifiedUser(in: world.device())
        var work: [[Int]] = []
        for email in ["ann@example.com", "nobody@example.com"] {
            let device = world.device("stranger at \(email)")
            let claim = SimulatedToken(subject: email, email: .text(email), address: .unverified)
            try await device.sendSignInLink(to: email)
            let link = AuthCredential.emailLink(email: email, link: try XCTUnwrap(world.outbox.messages.last?.link))
            world.clock.advance(by: .seconds(601))
            var calls: [Int] = []
            let acts: [() async throws -> Void] = [
                { try await device.signIn(with: world.credential(.gitHub, .eve, saying: claim)) },
                {
                    await assertThrows(.expiredActionCode) {
                        try await world.service.client().recoverFromLostFactors(with: link.mailed)
                    }
                },
            ]
            for act in acts {
                let before = store.calls(of: .load)
                try await act()
                calls.append(store.calls(of: .load) - before)
            }
            work.append(calls)
        }
        XCTAssertEqual(work[0], work[1])
    }
}
