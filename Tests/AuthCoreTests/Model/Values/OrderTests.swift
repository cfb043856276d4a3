import XCTest

@testable import AuthCore

/// Every order is strict: of two values one is before the other, and no value is before itself.
final class OrderTests: LimitedTestCase {
    private func assertOrdered<Value: Comparable>(_ values: [Value], line: UInt = #line) {
        for (place, left) in values.enumerated() {
            for (other, right) in values.enumerated() {
                XCTAssertEqual(left < right, place < other, "\(left) before \(right)", line: line)
            }
        }
    }

    func testValuesOfEveryKindAreInTheirOrder() throws {
        let emails = ["a@example.com", "b@example.com", "b@example.org"]
        assertOrdered(try emails.map { try XCTUnwrap(EmailAddress($0)) })
        assertOrdered(try ["+15550001234", "+15550001235", "+491701234567"].map { try XCTUnwrap(PhoneNumber($0)) })
        assertOrdered(["apple.com", "github.com", "google.com"] as [ProviderID])
        assertOrdered(["ann", "ann2", "ben"] as [AccountID])
        assertOrdered(["", "A", "a", "a\u{0}", "é"].map { ExactText($0) })
        assertOrdered([.distantPast, Timestamp(milliseconds: -1), Timestamp(milliseconds: 0), .distantFuture])
        assertOrdered([0, 1, 1 << 63, 1 << 64, 1 << 64 | 1, .max].map { SessionID(bits: $0) })
        assertOrdered([EmailAssurance.claimed, .confirmed, .authoritative])
        let number = IdentityEvent.Position.number
        assertOrdered([.start, number(1), number(2), number(256)])
    }
}
