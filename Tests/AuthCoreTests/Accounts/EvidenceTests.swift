@testable import AuthCore
import Foundation
import XCTest

final class EvidenceTests: XCTestCase {
    func testPiecesThatSayTheSameAreOneInASet() throws {
        let now = Timestamp(seconds: 1_700_000_000)
        let address = try XCTUnwrap(EmailAddress("ann@example.com"))
        func piece(staleSince: Timestamp?) -> Evidence {
            var piece = Evidence(.email(address), .mailboxCode, at: now)
            piece.staleSince = staleSince
            return piece
        }
        let fresh = Set([piece(staleSince: nil), piece(staleSince: nil)])
        XCTAssertEqual(fresh.count, 1)
        let stale = Set([piece(staleSince: now), piece(staleSince: now)])
        XCTAssertEqual(stale.count, 1)
        XCTAssertEqual(fresh.union(stale).count, 2)
    }
}
