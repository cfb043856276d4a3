@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class AttemptLimitTests: XCTestCase {
    private func limited() -> World {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        return World(policy)
    }

    private func password(_ password: String, _ email: String = "ann@example.com") -> AuthCredential {
        .password(email: email, password: password)
    }

    func testACountIsRaisedByOneAndWearsAway() {
        let now = Timestamp(seconds: 1_800_000_000)
        let first = AttemptRecord().raised(at: now, halfLife: .seconds(60))
        XCTAssertEqual(first, AttemptRecord(count: 1, lastAt: now))
        let later = now + .seconds(120)
        XCTAssertEqual(first.raised(at: later, halfLife: .seconds(60)), AttemptRecord(count: 1.25, lastAt: later))
        XCTAssertEqual(AttemptRecord(count: 3).raised(at: later, halfLife: .seconds(60)).count, 4)
    }

    func testWrongPasswordsBeginToWaitAndWaitsGrow() async throws {
        let world = limited()
        _ = try await world.device("owner").signUp(email: "ann@example.com", password: "correct horse")
        let stranger = world.device("stranger")
        for _ in 0..<5 { await assertThrows(.wrongPassword) { try await stranger.signIn(with: password("guess")) } }
        await assertThrows(.tooManyRequests) { try await stranger.signIn(with: password("guess")) }
        await assertThrows(.tooManyRequests, "even the right one") {
            try await stranger.signIn(with: password("correct horse"))
        }
        world.clock.advance(by: 1)
        await assertThrows(.wrongPassword) { try await stranger.signIn(with: password("guess")) }
        world.clock.advance(by: 1)
        await assertThrows(.tooManyRequests, "the wait has doubled") {
            try await stranger.signIn(with: password("guess"))
        }
        world.clock.advance(by: 1)
        try await stranger.signIn(with: password("correct horse"))
    }

    func testAnAddressWithoutAnAccountWaitsAlike() async throws {
        let world = limited()
        let stranger = world.device("stranger")
        for _ in 0..<5 {
            await assertThrows(.userNotFound) {
                try await stranger.signIn(with: password("guess", "nobody@example.com"))
            }
        }
        await assertThrows(.tooManyRequests) {
            try await stranger.signIn(with: password("guess", "nobody@example.com"))
        }
    }

    func testWhereAttemptsCannotBeCountedNoPasswordIsTried() async throws {
        struct Unavailable: AttemptStore {
            let known: Bool

            func records(for keys: [AttemptKey]) async throws -> [AttemptRecord] {
                if !known { throw StoreFailure() }
                return keys.map { _ in AttemptRecord() }
            }

            func count(_ keys: [AttemptKey], at now: Timestamp) async throws { throw StoreFailure() }

            func forget(_ keys: [AttemptKey]) async throws { throw StoreFailure() }
        }
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        for known in [false, true] {
            let world = World(policy) { $0.attempts = Unavailable(known: known) }
            let device = world.device()
            _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
            await assertThrows(.storeUnavailable) { try await device.signIn(with: password("guess")) }
        }
    }

    func testASeatThatHasSignedInBeforeHasItsOwnAllowance() async throws {
        let world = limited()
        let owner = world.device("owner")
        _ = try await owner.signUp(email: "ann@example.com", password: "correct horse")
        try await owner.signIn(with: password("correct horse"))
        let stranger = world.device("stranger")
        for _ in 0..<20 { _ = try? await stranger.signIn(with: password("guess")) }
        await assertThrows(.tooManyRequests) { try await stranger.signIn(with: password("guess")) }
        try await owner.signIn(with: password("correct horse"))
        for _ in 0..<5 { await assertThrows(.wrongPassword) { try await owner.signIn(with: password("guess")) } }
        await assertThrows(.tooManyRequests) { try await owner.signIn(with: password("guess")) }
    }

    func testAnOriginThatGuessesManyAddressesWaits() async throws {
        let world = limited()
        let context = RequestContext(origin: "192.0.2.1")
        for index in 0..<50 {
            await assertThrows(.userNotFound) {
                try await world.service.client(context).signIn(with: password("guess", "a\(index)@example.com"))
            }
        }
        await assertThrows(.tooManyRequests) {
            try await world.service.client(context).signIn(with: password("guess", "new@example.com"))
        }
        await assertThrows(.userNotFound, "another origin does not wait") {
            try await world.service.client(RequestContext(origin: "192.0.2.2")).signIn(
                with: password("guess", "new@example.com")
            )
        }
    }

    func testFederatedSignInMailedCodesRefreshAndFactorsNeverWait() async throws {
        let world = limited()
        let owner = world.device("owner")
        let user = try await world.verifiedUser(in: owner)
        try await user.link(with: world.credential(.google))
        let id = try await user.multiFactor.sendCode(to: "+15555550100")
        try await user.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        let pair = try await user.issueTokens()
        try await owner.sendPasswordReset(to: "ann@example.com")
        let reset = world.newestCode
        let stranger = world.device("stranger")
        for _ in 0..<20 { _ = try? await stranger.signIn(with: password("guess")) }
        let challenge = await authError { try await stranger.signIn(with: world.credential(.google)) }?.secondFactor
        let waiting = try XCTUnwrap(challenge)
        let code = try await stranger.sendPhoneCode(for: waiting, factor: waiting.hints[0].id)
        try await stranger.resolve(waiting, with: .phone(verificationID: code, code: world.newestCode))
        _ = try await world.service.client().refresh(pair.refreshToken)
        try await stranger.confirmPasswordReset(code: reset, newPassword: "battery staple")
    }

    func testACodeIsOverAfterItsShareOfWrongAnswers() async throws {
        let world = limited()
        let device = world.device()
        let id = try await device.sendPhoneCode(to: "+15555550100")
        let right = world.newestCode
        let wrong = right == "000000" ? "000001" : "000000"
        for _ in 0..<5 {
            await assertThrows(.invalidVerificationCode) {
                try await device.signIn(with: .phone(verificationID: id, code: wrong))
            }
        }
        await assertThrows(.tooManyRequests) { try await device.signIn(with: .phone(verificationID: id, code: right)) }
    }

    func testAMailboxGetsOnlySoManyMessages() async throws {
        let world = limited()
        let device = world.device()
        for _ in 0..<5 { try await device.sendSignInLink(to: "ann@example.com") }
        await assertThrows(.tooManyRequests) { try await device.sendSignInLink(to: "ann@example.com") }
        try await device.sendSignInLink(to: "ben@example.com")
        world.clock.advance(by: 86400)
        try await device.sendSignInLink(to: "ann@example.com")
    }

    func testAFloodOfMadeUpAddressesNeedsNoMoreMemoryAndForgetsNobodyBusy() async throws {
        let store = InMemoryAttemptStore(capacity: 64)
        let clock = ManualClock()
        let victim = AttemptKey(purpose: .address, hash: 42)
        for _ in 0..<10 { try await store.count([victim], at: clock.timestamp) }
        for hash in 0..<10_000 as Range<UInt64> {
            try await store.count(
                [AttemptKey(purpose: .address, hash: hash &* 0x9E37_79B9_7F4A_7C15)],
                at: clock.timestamp
            )
        }
        let kept = try await store.records(for: [victim])
        XCTAssertEqual(kept.first?.count, 10, "what is counted often does not give way to what is counted once")
    }

    func testCountsWearAway() {
        let start = ManualClock().timestamp
        XCTAssertEqual(AttemptRecord.wear(since: start, start, halfLife: .seconds(60)), 1)
        XCTAssertEqual(AttemptRecord.wear(since: start, start + .seconds(60), halfLife: .seconds(60)), 0.5)
        XCTAssertEqual(AttemptRecord.wear(since: start, start + .seconds(600), halfLife: .seconds(60)), 1.0 / 1024)
        XCTAssertLessThan(AttemptRecord.wear(since: start, start + .seconds(1e12), halfLife: .seconds(60)), 1e-15)
        XCTAssertEqual(AttemptRecord.wear(since: start, start - .seconds(60), halfLife: .seconds(60)), 1)
    }

    func testLimitsThatAreNoNumbersStopNobodyForGoodAndNeverTheProgram() async throws {
        for halfLife in [.zero, .seconds(-1), .seconds(Int64.max)] as [Duration] {
            for free in [Int.min, -1, .max] {
                var policy = AuthPolicy.firebase
                var limits = AuthPolicy.AttemptLimits()
                limits.halfLife = halfLife
                limits.freePasswords = free
                limits.freeMessages = free
                policy.limits = limits
                let world = World(policy)
                _ = try await world.device("owner").signUp(email: "ann@example.com", password: "correct horse")
                let device = world.device("stranger")
                for _ in 0..<3 {
                    let error = await authError { try await device.signIn(with: password("guess")) }
                    XCTAssertTrue(error?.code == .wrongPassword || error?.code == .tooManyRequests)
                    world.clock.advance(by: 1)
                }
                world.clock.advance(by: 1000)
                try await device.signIn(with: password("correct horse"))
            }
        }
    }
}
