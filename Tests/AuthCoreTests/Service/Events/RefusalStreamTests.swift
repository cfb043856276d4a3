@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The refusals as a stream: those from now on, in order, with a word about what was lost.
final class RefusalStreamTests: LimitedTestCase {
    func testASubscriberIsToldOnlyOfWhatIsRefusedAfterwards() async throws {
        try await inTime {
            let world = World()
            _ = try? await world.device().checkActionCode("before")
            var iterator = world.service.refusalStream().makeAsyncIterator()
            _ = try? await world.device().checkActionCode("after")
            let update = await iterator.next(isolation: nil)
            guard case .refused(let entry)? = update else { return XCTFail("\(String(describing: update))") }
            XCTAssertEqual(entry.number, 2, "the first refusal that the subscriber is told of")
        }
    }

    func testASubscriberThatWaitsHearsOfTheNextRefusal() async throws {
        try await inTime {
            let world = World()
            let stream = world.service.refusalStream()
            _ = try? await world.device().checkActionCode("nonsense")
            var iterator = stream.makeAsyncIterator()
            let first = await iterator.next(isolation: nil)
            guard case .refused(let entry)? = first else { return XCTFail("what was refused before") }
            XCTAssertEqual(entry.number, 1)
            let refusals = Task {
                for _ in 0..<100 { await Task.yield() }
                _ = try? await world.device().checkActionCode("nonsense")
            }
            let second = await iterator.next(isolation: nil)
            await refusals.value
            guard case .refused(let next)? = second else { return XCTFail("what is refused while it waits") }
            XCTAssertEqual(next.number, 2)
        }
    }

    func testASubscriberIsToldHowManyRefusalsItLost() async throws {
        try await inTime {
            let world = World { $0.keptRefusals = 2 }
            let stream = world.service.refusalStream()
            for _ in 0..<5 { _ = try? await world.device().checkActionCode("nonsense") }
            var numbers: [UInt64] = []
            var lost = 0
            for await update in stream {
                switch update {
                case .refused(let entry): numbers.append(entry.number)
                case .lost(let count): lost += count
                }
                if numbers.count == 2 { break }
            }
            XCTAssertEqual(numbers, [4, 5])
            XCTAssertEqual(lost, 3)
        }
    }

    func testAReaderThatHasNothingLeftToReadWaitsForTheNextRefusal() async throws {
        try await inTime {
            let log = RefusalLog(limit: 10)
            // A reader that waits for news gets some as soon as a refusal was recorded.
            let news = AsyncStream<Void> {
                log.record(Self.entry)
                return ()
            }
            var reader = log.updates(after: 0, news).makeAsyncIterator()
            for number in 1...3 as ClosedRange<UInt64> {
                let update = await reader.next(isolation: nil)
                guard case .refused(let entry)? = update else { return XCTFail("refusal \(number) was not told") }
                XCTAssertEqual(entry.number, number, "the number of what is told")
            }
        }
    }

    private static let entry = AuditEntry(
        at: Timestamp(seconds: 1_767_268_800),
        operation: AuditEntry.Operation(named: "SignIn"),
        code: .invalidCredential,
        reason: nil,
        trail: [],
        account: nil,
        recipient: nil,
        device: nil,
        origin: nil,
        deviceName: nil
    )

    func testAStreamOfRefusalsEndsWithItsReader() async throws {
        try await inTime {
            let service = AuthService(AuthConfiguration())
            let stream = service.refusalStream()
            let reader = Task {
                var count = 0
                for await _ in stream { count += 1 }
                return count
            }
            reader.cancel()
            let count = await reader.value
            XCTAssertEqual(count, 0, "a canceled reader was told something")
            for await _ in stream { XCTFail("the stream goes on after its reader left") }
        }
    }

    func testAReaderThatIsCanceledListensNoLonger() async throws {
        try await inTime {
            let log = RefusalLog(limit: 10)
            let sequence = log.updates(after: 0, log.news.listen())
            XCTAssertTrue(log.news.isHeard, "a reader listens")
            let reader = Task { for await _ in sequence { XCTFail("something was told") } }
            reader.cancel()
            await reader.value
            XCTAssertFalse(log.news.isHeard, "the reader that was canceled still listens")
            // Without the sequence, there would be nothing to listen to.
            withExtendedLifetime(sequence) {}
        }
    }

    func testAStreamOfRefusalsEndsWithTheService() async throws {
        try await inTime {
            var service: AuthService? = AuthService(AuthConfiguration())
            let stream = try XCTUnwrap(service?.refusalStream())
            service = nil
            for await _ in stream { XCTFail("something was told") }
        }
    }
}
