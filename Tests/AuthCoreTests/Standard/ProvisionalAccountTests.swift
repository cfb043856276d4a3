@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S29: a provisional account is nobody's until its address is proved, and tells nobody anything meanwhile.
final class ProvisionalAccountTests: AttackTestCase {
    override func setUp() {
        super.setUp()
        policy.concealsSignUp = true
    }

    private func provisional(_ email: String, in name: String = "eve") async throws -> User {
        try await seat(name).signUp(email: email, password: evesPassword).user
    }

    func testItLearnsNothingByNamingAnotherAddress() async throws {
        try await signUpProvenAnn()
        let eve = try await provisional("eve@example.com")
        for email in ["ann@example.com", "free@example.com"] {
            try await refusal(.emailChangeNeedsVerification, .strangersLearnNothing, email) {
                try await eve.updateEmail(to: email)
            }
            try await eve.sendEmailVerification(beforeUpdatingTo: email)
            XCTAssertNotNil(outbox.last(to: email, .changeEmail), email)
        }
    }

    func testWhoeverOpensItsMoveToAnAddressOfTheirOwnIsTold() async throws {
        let ann = try await signUpProvenAnn()
        let eve = try await provisional("eve@example.com")
        try await eve.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        let change = try code(.changeEmail, to: "ann@example.com")
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await seat("mail").applyActionCode(change) }
        try await ann.reload()
    }

    func testAMoveToAProvenAddressMakesItOrdinary() async throws {
        let eve = try await provisional("eve@example.com")
        try await eve.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await seat("eve").applyActionCode(try code(.changeEmail, to: "new@example.com"))
        try await assertOrdinary(eve, "new@example.com")
        try await refusal(.invalidCredential) {
            try await seat("eve").signIn(with: .password(email: "eve@example.com", password: evesPassword))
        }
    }

    func testAProvidersWordFromInsideMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.link(with: google(.ann, work))
        try await assertOrdinary(user, "ann@example.com")
    }

    func testAMailedLinkFromInsideMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.reauthenticate(with: mailedLink(to: "ann@example.com", from: seat("eve")))
        try await assertOrdinary(user, "ann@example.com")
    }

    func testAMailedLinkFromInsideTakesTheAddressFromNobodyWhoProvedIt() async throws {
        let ann = try await signUpProvenAnn()
        let user = try await provisional("ann@example.com")
        let link = try await mailedLink(to: "ann@example.com", from: seat("eve"))
        try await refusal(.userMismatch) { try await user.reauthenticate(with: link) }
        try await ann.reload()
    }

    func testAMailedLinkInThePlaceOfThePasswordMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.replace(.password, with: mailedLink(to: "ann@example.com", from: seat("eve")))
        let after = try await account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(service.isEmailVerified(after))
    }

    private func assertOrdinary(_ user: User, _ email: String) async throws {
        let after = try await account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(after.reservesEmail)
        XCTAssertEqual(after.email?.text, email)
        XCTAssertTrue(service.isEmailVerified(after))
        let owner = try await service.account(email: email)
        XCTAssertEqual(owner?.id, after.id)
        let elsewhere = try await seat("elsewhere").signIn(with: .password(email: email, password: evesPassword))
        XCTAssertEqual(elsewhere.user.uid, user.uid)
    }
}
