import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// A document that is fetched again, or not, for several who have different copies of it.
final class CachedDocumentTests: LimitedTestCase {
    /// A document whose value is the number of the fetch, which does this first.
    private func numberedDocument(
        lifetime: Double? = nil,
        fetching: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) -> CachedDocument<Int> {
        let fetches = Mutex(0)
        return CachedDocument {
            let count = fetches.withLock { count in
                count += 1
                return count
            }
            try await fetching(count)
            return (count, lifetime)
        }
    }

    func testACopyIsKeptForItsLifetimeButBetweenFiveMinutesAndADay() async throws {
        for (lifetime, end) in [(nil, 3600), (7200, 7200), (5, 300), (1e8, 86_400)] as [(Double?, Double)] {
            let document = numberedDocument(lifetime: lifetime)
            for (seconds, fetch) in [(0, 1), (end - 1, 1), (end, 2)] {
                let copy = try await document.copy(at: testTime.addingTimeInterval(seconds), outage: .zero)
                let what = "the fetch of a copy for \(lifetime?.description ?? "no stated") seconds, after \(seconds)"
                XCTAssertEqual(copy.value, fetch, what)
            }
        }
    }

    func testAnOldCopyServesForTheTimeOfAnOutageAndNoLonger() async throws {
        let document = numberedDocument { number in if number > 1 { throw VerificationFailure.unreachable } }
        _ = try await document.copy(at: testTime, outage: .zero)
        let last = testTime.addingTimeInterval(3600 + 7200)
        let copy = try await document.copy(at: last, outage: .seconds(7200))
        XCTAssertEqual(copy.value, 1, "two hours after the end of the copy")
        let failure = await verificationFailure {
            try await document.copy(at: last.addingTimeInterval(1), outage: .seconds(7200))
        }
        XCTAssertEqual(failure?.kind, .unreachable, "a second later")
    }

    func testAProviderThatIsDownIsAskedOnceAMinuteWhileAnOldCopyServes() async throws {
        let fetches = Mutex(0)
        let document = numberedDocument { number in
            fetches.withLock { $0 = number }
            if number > 1 { throw VerificationFailure.unreachable }
        }
        for (seconds, count) in [(0.0, 1), (3600, 2), (3659, 2), (3660, 3)] {
            _ = try await document.copy(at: testTime.addingTimeInterval(seconds), outage: .seconds(7200))
            XCTAssertEqual(fetches.withLock(\.self), count, "how often it was asked after \(seconds) seconds")
        }
    }

    func testAClockThatGoesBackMoreThanAMinuteFetchesAgain() async throws {
        let document = numberedDocument()
        for (seconds, fetch) in [(86_400.0, 1), (86_340, 1), (86_339, 2), (0, 3)] {
            let copy = try await document.copy(at: testTime.addingTimeInterval(seconds), outage: .zero)
            XCTAssertEqual(copy.value, fetch, "the fetch of the copy at \(seconds) seconds")
        }
    }

    func testACopyThatOthersRenewedIsThereWithoutAnotherFetch() async throws {
        let document = numberedDocument()
        let first = try await document.copy(at: testTime, outage: .zero)
        let renewed = try await document.renewed(after: first, at: testTime)
        XCTAssertEqual(renewed?.value, 2)
        let late = try await document.renewed(after: first, at: testTime)
        XCTAssertEqual(late?.value, 2, "what was fetched for another one within the same minute")
        let next = try await document.renewed(after: XCTUnwrap(renewed), at: testTime.addingTimeInterval(60))
        XCTAssertEqual(next?.value, 3, "the number of the next fetch")
    }

    func testARequestThatComesBeforeARenewalHasBegunToFetchWaitsForItToo() async throws {
        let document = numberedDocument()
        let copy = try await document.copy(at: testTime, outage: .zero)
        guard case .begins = try document.renewal(after: copy, at: testTime) else {
            return XCTFail("the first renewal does not begin")
        }
        let second = try await document.renewed(after: copy, at: testTime)
        XCTAssertEqual(second?.value, 2, "a request beside one that is about to fetch has no newer copy")
    }

    func testARenewalThatIsOverLetsNoOtherBeginWithinAMinute() async throws {
        let document = numberedDocument()
        let copy = try await document.copy(at: testTime, outage: .zero)
        let newer = try await document.renewed(after: copy, at: testTime)
        let newest = try await document.renewed(after: XCTUnwrap(newer), at: testTime.addingTimeInterval(59))
        XCTAssertNil(newest, "the document is fetched again within the minute")
    }

    /// A request that began before the last renewal must not end the next one for the others.
    func testARequestWithAnOlderCopyGetsTheNewerOneAndEndsNoRenewal() async throws {
        let document = numberedDocument()
        let oldest = try await document.copy(at: testTime, outage: .zero)
        let newer = try await document.renewed(after: oldest, at: testTime)
        let copy = try XCTUnwrap(newer)
        let later = testTime.addingTimeInterval(120)
        guard case .begins = try document.renewal(after: copy, at: later) else {
            return XCTFail("the second renewal does not begin")
        }
        let late = try await document.renewed(after: oldest, at: later)
        XCTAssertEqual(late?.value, 2, "a request with an older copy does not get the newer one")
        guard case .underWay = try document.renewal(after: copy, at: later) else {
            return XCTFail("a request beside a renewal that is about to fetch is refused")
        }
    }

    /// People who sign in while the keys are renewed would be refused without the new keys.
    func testARequestThatComesDuringARenewalWaitsForIt() async throws {
        try await assertUnderWay(at: testTime) { document, copy in
            try await document.renewed(after: copy, at: testTime)?.value
        }
    }

    func testARequestThatComesWhileAnOldCopyIsReplacedWaitsForThat() async throws {
        let later = testTime.addingTimeInterval(90_000)
        try await assertUnderWay(at: later) { document, _ in try await document.copy(at: later, outage: .zero).value }
    }

    /// Asserts that a request for a newer copy waits while this fetches one.
    private func assertUnderWay(
        at now: Date,
        _ fetch: @escaping @Sendable (CachedDocument<Int>, CachedDocument<Int>.Copy) async throws -> Int?
    ) async throws {
        let gate = Gate()
        let document = numberedDocument { number in if number > 1 { await gate.pass() } }
        let copy = try await document.copy(at: testTime, outage: .zero)
        let first = Task { try await fetch(document, copy) }
        await gate.waitForArrivals()
        let renewal = try document.renewal(after: copy, at: now)
        gate.open()
        let fetched = try await first.value
        XCTAssertEqual(fetched, 2, "the one who fetches has no newer copy")
        guard case .underWay = renewal else { return XCTFail("\(renewal), though a newer copy is being fetched") }
        let waited = try await document.renewed(after: copy, at: now)
        XCTAssertEqual(waited?.value, 2, "a request that came meanwhile has no newer copy")
    }

    /// A document that says when it is let go.
    private final class NumberedPage: Sendable {
        let number: Int
        private let end: AsyncStream<Int>.Continuation

        init(_ number: Int, _ end: AsyncStream<Int>.Continuation) { (self.number, self.end) = (number, end) }

        deinit { end.yield(number) }
    }

    func testAFetchThatAllHaveLeftReplacesNoNewerCopyWhenItEnds() async throws {
        let (ends, end) = AsyncStream<Int>.makeStream()
        let gate = Gate()
        let fetches = Mutex(0)
        let document = CachedDocument {
            let page = NumberedPage(
                fetches.withLock { count in
                    count += 1
                    return count
                },
                end
            )
            if page.number == 1 { await gate.pass() }
            return (page, nil)
        }
        let left = Task { try await document.copy(at: testTime, outage: .zero).value.number }
        await gate.waitForArrivals()
        left.cancel()
        _ = await left.result
        let first = try await document.copy(at: testTime, outage: .zero).value.number
        XCTAssertEqual(first, 2, "the fetch that was left is waited for")
        gate.open()
        try await inTime {
            let replaced = await ends.first { _ in true }
            XCTAssertEqual(replaced, 1, "the fetch that was left replaced the newer copy")
        }
        let last = try await document.copy(at: testTime, outage: .zero).value.number
        XCTAssertEqual(last, 2, "the newer copy is not kept")
    }

    func testAClockThatWasSetBackDoesNotPutOffTheNextFetch() async throws {
        let document = numberedDocument()
        let first = try await document.copy(at: testTime, outage: .zero)
        let later = try await document.renewed(after: first, at: testTime.addingTimeInterval(3600))
        let newest = try await document.renewed(after: XCTUnwrap(later), at: testTime)
        XCTAssertEqual(newest?.value, 3, "what is fetched an hour before the last fetch")
    }

    func testOnlyAProviderThatCannotBeReachedIsReplacedByAnOldCopy() async throws {
        let failure = Mutex<VerificationFailure?>(nil)
        let document = CachedDocument<Int> {
            if let failure = failure.withLock({ $0 }) { throw failure }
            return (1, nil)
        }
        _ = try await document.copy(at: testTime, outage: .seconds(7200))
        let later = testTime.addingTimeInterval(3600)
        failure.withLock { $0 = VerificationFailure(.misconfigured) }
        do {
            let copy = try await document.copy(at: later, outage: .seconds(7200))
            XCTFail("\(copy.value) hides that the app is misconfigured")
        } catch {
            XCTAssertEqual((error as? VerificationFailure)?.kind, .misconfigured, "\(error)")
        }
        failure.withLock { $0 = .unreachable }
        let copy = try await document.copy(at: later, outage: .seconds(7200))
        XCTAssertEqual(copy.value, 1, "a copy that serves through an outage")
    }

    /// Anyone can send ID tokens that are worth nothing, each of which needs the provider's keys.
    func testAProviderThatIsDownAtTheStartIsAskedOnceInFiveSeconds() async throws {
        let fetches = Mutex(0)
        let isDown = Mutex(true)
        let document = CachedDocument<Int> {
            fetches.withLock { $0 += 1 }
            if isDown.withLock({ $0 }) { throw VerificationFailure.unreachable }
            return (1, nil)
        }
        for _ in 0..<100 {
            do {
                let copy = try await document.copy(at: testTime, outage: .zero)
                XCTFail("\(copy.value) while the provider is down")
            } catch {
                XCTAssertEqual((error as? VerificationFailure)?.kind, .unreachable, "\(error)")
            }
        }
        XCTAssertEqual(fetches.withLock(\.self), 1, "how often the provider was asked")
        isDown.withLock { $0 = false }
        let copy = try await document.copy(at: testTime.addingTimeInterval(5), outage: .zero)
        XCTAssertEqual(copy.value, 1, "five seconds later the provider is asked again")
    }
}
