#if PostgreSQL
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// When the server is asked to stop, and when its connection is given up.
final class PostgresDelayTests: LimitedTestCase {
    func testAnAnswerThatIsNotLateIsWaitedFor() throws {
        var (delay, asked) = (Delay(.now + .seconds(3600)), 0)
        for _ in 0..<3 { try delay.check { asked += 1 } }
        XCTAssertEqual(asked, 0, "the server was asked to stop before the deadline")
    }

    func testALateServerIsAskedToStopOnceAndHasTwoSecondsForIt() throws {
        // The two seconds begin at the deadline, so that they are over here.
        var (delay, asked) = (Delay(.now - .seconds(2)), 0)
        XCTAssertNoThrow(try delay.check { asked += 1 }, "the connection was given up before the server was asked")
        XCTAssertEqual(asked, 1, "how often the server was asked to stop")
        XCTAssertThrowsError(try delay.check { asked += 1 }, "two seconds after the deadline") { error in
            XCTAssertEqual((error as? PostgresError)?.kind, .connectionLost, "\(error)")
            XCTAssertEqual((error as? PostgresError)?.message, "The server did not answer in time.")
        }
        XCTAssertEqual(asked, 1, "the server was asked again")
        // Of the two seconds there is one left.
        var late = Delay(.now - .seconds(1))
        for _ in 0..<2 { XCTAssertNoThrow(try late.check {}, "the connection was given up after one second") }
    }
}
#endif
