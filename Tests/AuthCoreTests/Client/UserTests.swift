@testable import AuthCore
import AuthCoreTesting
import XCTest

final class UserTests: LimitedTestCase {
    func testALinkThatIsOpenedInTheSessionVerifiesTheAddress() async throws {
        let world = World(.standard)
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        try await ann.applyActionCode(try world.newestCode(to: "ann@example.com"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified, "the address of the session that opened the link")
        XCTAssertEqual(ann.accountID.text, ann.uid)
    }

    func testALinkThatRecoversNothingIsReportedToOperators() async throws {
        let world = World(.standard)
        let client = world.service.client()
        let link = AuthCredential.EmailLink(email: "ann@example.com", link: "no such link")
        let error = await authError { try await client.recoverFromLostFactors(with: link) }
        XCTAssertEqual(error?.code, .invalidActionCode)
        let refusals = world.service.refusals()
        XCTAssertEqual(refusals.map(\.operation), [AuditEntry.Operation(rawValue: "verify")])
        XCTAssertNotNil(refusals.first?.recipient, "the address of the link")
    }

    func testARemedyIsNamedByItsCode() {
        XCTAssertEqual("\(Remedy.signInAgain)", "signInAgain")
    }
}
