@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

final class AttemptLimitTests: LimitedTestCase {
    private func limited() -> World {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        return World(policy)
    }

    private func password(_ password: String, _ email: String = "ann@example.com") -> AuthCredential {
        .password(email: email, password: password)
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
        world.clock.advance(by: .seconds(1))
        await assertThrows(.wrongPassword) { try await stranger.signIn(with: password("guess")) }
        world.clock.advance(by: .seconds(1))
        await assertThrows(.tooManyRequests, "the wait has doubled") {
            try await stranger.signIn(with: password("guess"))
        }
        world.clock.advance(by: .seconds(1))
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
            func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
                throw StoreFailure()
            }

            func keep(_ takes: [Store.Take], at now: Timestamp) async throws {}

            func refund(_ takes: [Store.Take], clearing keys: [AttemptKey], at now: Timestamp) async throws {}
        }
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        let world = World(policy) { $0.attempts = Unavailable() }
        let device = world.device()
        _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
        await assertThrows(.storeUnavailable) { try await device.signIn(with: password("guess")) }
    }

    /// An attempt store that refuses canceled callers, as one in a database does, and counts what it does for others.
    private final class HeedfulAttempts: AttemptStore {
        let settled = Mutex((kept: 0, refunded: 0, cleared: [AttemptKey]()))

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer { .taken }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
            try Task.checkCancellation()
            settled.withLock { $0.kept += takes.count }
        }

        func refund(_ takes: [Store.Take], clearing keys: [AttemptKey], at now: Timestamp) async throws {
            try Task.checkCancellation()
            settled.withLock {
                $0.refunded += takes.count
                $0.cleared += keys
            }
        }
    }

    /// Attempts that are in flight for some tries, and when they were tried.
    private final class BusyAttempts: AttemptStore {
        let tries = Mutex<[Timestamp]>([])
        let busy: Int

        init(busy: Int) { self.busy = busy }

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
            tries.withLock { tries in
                tries.append(now)
                return tries.count > busy ? .taken : .inFlight
            }
        }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws {}

        func refund(_ takes: [Store.Take], clearing keys: [AttemptKey], at now: Timestamp) async throws {}
    }

    /// A service on a clock that its pauses move, and the time that has passed.
    private func service(_ attempts: any AttemptStore) -> (AuthService, @Sendable () -> Timestamp) {
        let passed = Mutex(Timestamp(seconds: 1_700_000_000))
        let now = { @Sendable in passed.withLock { $0 } }
        let service = World {
            $0.attempts = attempts
            $0.environment = AuthEnvironment(
                clock: { now().date },
                randomness: SeededGenerator(seed: 1),
                sleep: { duration in passed.withLock { $0 = $0 + duration } }
            )
        }.service
        return (service, now)
    }

    func testAnAttemptWaitsTwoSecondsForOthersAndNoLonger() async throws {
        let attempts = BusyAttempts(busy: .max)
        let (service, now) = service(attempts)
        let begin = now()
        let take = Store.Take(service.key(.guessesOfOrigin, "a"), .consecutive(5, then: nil))
        let answer = try await service.attempt([take])
        XCTAssertEqual(
            answer,
            .failure(.attemptsMustWait(until: nil)),
            "an attempt where others are in flight all the time; when they end is not known"
        )
        XCTAssertEqual(now() - begin, .seconds(2), "how long it waited")
        XCTAssertLessThanOrEqual(attempts.tries.withLock(\.count), 10, "how often the store was asked meanwhile")
    }

    func testAnAttemptThatWaitedForOthersIsTakenAtItsLastTry() async throws {
        let attempts = BusyAttempts(busy: 3)
        let (service, now) = service(attempts)
        let begin = now()
        let taken = try await service.take([Store.Take(service.key(.guessesOfOrigin, "a"), .consecutive(5, then: nil))])
        XCTAssertGreaterThan(now(), begin)
        XCTAssertEqual(attempts.tries.withLock { $0.last }, now(), "when it was tried last")
        XCTAssertEqual(taken.first?.takenAt, now(), "when it was taken")
    }

    /// What stays in flight counts for as long as the key is used.
    func testAnAttemptWhoseCallerIsCanceledMeanwhileDoesNotStayInFlight() async throws {
        let attempts = HeedfulAttempts()
        let service = World { $0.attempts = attempts }.service
        let take = Store.Take(service.key(.guessesOfOrigin, "192.0.2.9"), .consecutive(5, then: nil))
        let known = service.key(.passwordOnDevice, "ann@example.com", "phone")
        for isRight in [true, false] {
            let task = Task {
                try await service.counting([take], clearing: [known]) { () async throws(AuthError) in
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    if !isRight { throw AuthError(.invalidCredential) }
                }
            }
            _ = await task.result
        }
        let (kept, refunded, cleared) = attempts.settled.withLock(\.self)
        XCTAssertEqual(kept, 1, "a failed attempt of a canceled caller stays in flight")
        XCTAssertEqual(refunded, 1, "a successful attempt of a canceled caller stays in flight")
        XCTAssertEqual(cleared, [known], "the keys that a success of a canceled caller clears")
    }

    /// Otherwise what could not be compared would forgive the wrong answers before it.
    func testAnAttemptThatIsFreeIsGivenBackAndClearsNothing() async throws {
        let attempts = HeedfulAttempts()
        let service = World { $0.attempts = attempts }.service
        let take = Store.Take(service.key(.factorDaily, "ann"), .consecutive(5, then: nil))
        let known = service.key(.factorOnDevice, "ann", "phone")
        await assertThrows(.sealedSecretUnreadable, "why nothing was compared") {
            try await service.counting([take], clearing: [known], freeOf: .sealedSecretUnreadable) {
                () async throws(AuthError) in
                throw AuthError(.sealedSecretUnreadable)
            }
        }
        let (kept, refunded, cleared) = attempts.settled.withLock(\.self)
        XCTAssertEqual(kept, 0, "attempts that stay counted")
        XCTAssertEqual(refunded, 1, "attempts that were given back")
        XCTAssertEqual(cleared, [], "keys that were cleared")
    }

    func testAnAttemptWhoseProcessEndedDoesNotCountForeverUnderAKeyThatIsAlwaysUsed() async throws {
        let attempts = InMemoryAttemptStore()
        let world = World { $0.attempts = attempts }
        let take = Store.Take(world.service.key(.guessesOfOrigin, "192.0.2.9"), .number(3, each: .minutes(10)))
        for _ in 0..<2 { _ = try await attempts.take([take], at: world.service.environment.now) }
        for _ in 0..<90 {
            try await world.service.counting([take]) {}
            world.clock.advance(by: .seconds(10))
        }
        var answers: [Store.TakeAnswer] = []
        for _ in 0..<3 { answers.append(try await attempts.take([take], at: world.service.environment.now)) }
        XCTAssertEqual(answers, [.taken, .taken, .taken], "two processes died a quarter of an hour ago")
    }

    func testADeviceThatHasSignedInBeforeHasItsOwnAllowance() async throws {
        let world = limited()
        let owner = world.device("owner")
        _ = try await owner.signUp(email: "ann@example.com", password: "correct horse")
        try await owner.signIn(with: password("correct horse"))
        let stranger = world.device("stranger")
        for _ in 0..<20 { _ = try? await stranger.signIn(with: password("guess")) }
        await assertThrows(.tooManyRequests) { try await stranger.signIn(with: password("guess")) }
        try await owner.signIn(with: password("correct horse"))
        for _ in 0..<10 { await assertThrows(.wrongPassword) { try await owner.signIn(with: password("guess")) } }
        await assertThrows(.tooManyRequests) { try await owner.signIn(with: password("guess")) }
    }

    func testAnOriginThatGuessesManyAddressesWaits() async throws {
        let world = limited()
        let context = RequestContext(origin: .address("192.0.2.1"))
        for index in 0..<50 {
            await assertThrows(.userNotFound) {
                try await world.service.client(context).signIn(with: password("guess", "a\(index)@example.com"))
            }
        }
        await assertThrows(.tooManyRequests) {
            try await world.service.client(context).signIn(with: password("guess", "new@example.com"))
        }
        await assertThrows(.userNotFound, "another origin does not wait") {
            try await world.service.client(RequestContext(origin: .address("192.0.2.2"))).signIn(
                with: password("guess", "new@example.com")
            )
        }
    }

    func testFederatedSignInMailedCodesRefreshAndFactorsNeverWait() async throws {
        let world = limited()
        let owner = world.device("owner")
        let user = try await world.verifiedUser(in: owner)
        try await user.link(with: world.credential(.google))
        let id = try await user.multiFactor.sendPhoneCode(to: "+15555550100")
        try await user.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        let pair = try await user.issueTokens()
        try await owner.sendPasswordReset(to: "ann@example.com")
        let reset = world.newestCode
        let stranger = world.device("stranger")
        for _ in 0..<20 { _ = await outcome { try await stranger.signIn(with: self.password("guess")) } }
        await assertThrows(.tooManyRequests, "the right password on the device of the guesses") {
            try await stranger.signIn(with: World.annsPassword)
        }
        let challenge = await authError { try await stranger.signIn(with: world.credential(.google)) }?.secondFactor
        let waiting = try XCTUnwrap(challenge)
        let code = try await stranger.sendPhoneCode(for: waiting, factor: waiting.hints[0].id)
        let back = try await stranger.resolve(waiting, with: .phone(verificationID: code, code: world.newestCode)).user
        XCTAssertEqual(back.uid, user.uid, "whom the provider and the factor sign in")
        let next = try await world.service.client().refresh(pair.refreshToken)
        let refreshed = try await world.service.client().user(forIDToken: next.idToken.token)
        XCTAssertEqual(refreshed.uid, user.uid, "whose the next tokens are")
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
        world.clock.advance(by: .seconds(86400))
        try await device.sendSignInLink(to: "ann@example.com")
    }

    func testEachKindOfMailHasItsOwnAllowance() async throws {
        let world = limited()
        let device = world.device()
        let ann = try await world.signUpAnn(device)
        for _ in 0..<5 { try await ann.sendEmailVerification() }
        await assertThrows(.tooManyRequests) { try await ann.sendEmailVerification() }
        try await device.sendPasswordReset(to: "ann@example.com")
        try await device.sendSignInLink(to: "ann@example.com")
        let ben = try await device.signUp(email: "ben@example.com", password: World.password).user
        await assertThrows(.emailAlreadyInUse, "a change to the same address, which is no matter of numbers") {
            try await ben.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        }
    }

    func testCountsWearAway() {
        let start = ManualClock().timestamp
        let wear = { AttemptRecord.wear(since: start, $0, halving: .seconds(60)) }
        XCTAssertEqual(wear(start), 1)
        XCTAssertEqual(wear(start + .seconds(60)), 0.5)
        XCTAssertEqual(wear(start + .seconds(600)), 1.0 / 1024)
        XCTAssertLessThan(wear(start + .seconds(1e12)), 1e-15)
        XCTAssertEqual(wear(start - .seconds(60)), 1)
    }

    func testLimitsThatAreNoNumbersStopNobodyForGoodAndNeverTheProgram() async throws {
        for halfLife in [.zero, .seconds(-1), .seconds(Int64.max)] as [Duration] {
            for free in [Int.min, -1, .max] {
                var policy = AuthPolicy.firebase
                var limits = AuthPolicy.AttemptLimits()
                limits.halfLife = halfLife
                limits.passwords = free
                limits.mails = free
                policy.limits = limits
                let world = World(policy)
                _ = try await world.device("owner").signUp(email: "ann@example.com", password: "correct horse")
                let device = world.device("stranger")
                for _ in 0..<3 {
                    let error = await authError { try await device.signIn(with: password("guess")) }
                    XCTAssertTrue(error?.code == .wrongPassword || error?.code == .tooManyRequests)
                    world.clock.advance(by: .seconds(1))
                }
                world.clock.advance(by: .seconds(1000))
                try await device.signIn(with: password("correct horse"))
            }
        }
    }
}
