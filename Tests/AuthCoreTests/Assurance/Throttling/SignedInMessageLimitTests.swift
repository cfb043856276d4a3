import AuthCore
import AuthCoreTesting
import XCTest

/// S31: what a signed-in person requests counts like what strangers request.
final class SignedInMessageLimitTests: LimitedTestCase {
    private let world = World(.standard)

    func testMailsOfASignedInPersonAreCountedByTheirRecipient() async throws {
        let ann = try await world.signUpAnn()
        var counts = await outcomes(of: 8) { _ in try await ann.sendEmailVerification() }
        XCTAssertEqual(counts[.tooManyRequests], 3, "mails that verify the address: \(counts)")
        counts = await outcomes(of: 8) { _ in
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        }
        XCTAssertEqual(counts[.tooManyRequests], 3, "mails that change the address: \(counts)")
        world.clock.advance(by: .seconds(3600))
        try await ann.sendEmailVerification()
    }

    func testTextsToNumbersThatAreEnrolledAreCounted() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let counts = await outcomes(of: 8) { _ in try await ann.multiFactor.sendPhoneCode(to: "+15550001234") }
        XCTAssertEqual(counts[.tooManyRequests], 3, "texts to one number: \(counts)")
        world.clock.advance(by: .seconds(3600))
        try await ann.reauthenticate(with: World.annsPassword)
        _ = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
    }

    func testTextsForAnEnrollmentCountForTheirOrigin() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let device = try await world.annsDevice()
        let client = world.service.client(for: device.device, origin: .address("192.0.2.77"))
        let user = try await client.signIn(with: World.annsPassword).user
        XCTAssertEqual(user.uid, ann.uid)
        let counts = await outcomes(of: 30) { try await user.multiFactor.sendPhoneCode(to: "+155500012\(10 + $0)") }
        XCTAssertEqual(counts[.tooManyRequests], 10, "texts from one origin: \(counts)")
    }

    func testMailsAreCountedByTheAddressThatTheAccountHasNow() async throws {
        let guest = try await world.device().signInAnonymously().user
        let other = try await world.service.client(world.context).user(forIDToken: guest.idToken())
        try await other.link(with: .password(email: "ann@example.com", password: World.password))
        XCTAssertNil(guest.email, "the view is out of date")
        let counts = await outcomes(of: 8) { _ in try await guest.sendEmailVerification() }
        XCTAssertEqual(counts[.tooManyRequests], 3, "mails that verify the address: \(counts)")
    }
}
