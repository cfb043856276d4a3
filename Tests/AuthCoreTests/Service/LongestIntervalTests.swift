@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

final class LongestIntervalTests: LimitedTestCase {
    /// "How long it waits before it looks for events and messages again": any duration, also one that means never.
    ///
    /// `Task.sleep(for:)`, the environment's usual wait, stops the process where the end of the wait has more seconds
    /// since the start of the machine than 64 bits hold.
    func testTheLongestIntervalIsAWaitThatTheSystemCanMake() async throws {
        let waits = Mutex<[Duration]>([])
        var configuration = World().service.configuration
        configuration.environment = AuthEnvironment(sleep: { duration in
            waits.withLock { $0.append(duration) }
            throw CancellationError()
        })
        try await AuthService(configuration).run(every: .seconds(Int64.max))
        let year = Duration.seconds(366 * 86_400)
        XCTAssertEqual(waits.withLock { $0 }.filter { $0 > .seconds(Int64.max) - year }, [], "waits that are too long")
    }
}
