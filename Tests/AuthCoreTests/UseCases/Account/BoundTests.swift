@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is bound to a device, a time or a length.
final class BoundTests: LimitedTestCase {
    private let world = World(.firebase)

    func testEnrollmentDigitsWorkOnlyOnTheDeviceThatAskedForThem() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            try await other.multiFactor.enroll(phoneVerificationID: id, code: code)
        }
    }

    func testASeedIsEnrolledOnlyOnTheDeviceThatAskedForIt() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await world.refusal(.deviceMismatch) {
            try await other.multiFactor.enroll(enrollment, code: try world.totp(enrollment))
        }
    }

    func testEnrollmentDigitsThatExpiredAreSaidToHaveExpired() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.sessionExpired, .codeIsExpired) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: code)
        }
    }

    func testTextsOfAProfileHaveABound() async throws {
        let ann = try await world.signUpAnn()
        for text in [String(repeating: "a", count: 10_000_000), "a\u{0}b"] {
            try await world.refusal(.textTooLong, .textIsTooLong) {
                try await ann.updateProfile(displayName: .set(text))
            }
            try await world.refusal(.textTooLong, .textIsTooLong) { try await ann.updateProfile(photoURL: .set(text)) }
        }
    }

    func testEveryTextThatIsKeptHasABound() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let code = try world.totp(enrollment)
        for text in [String(repeating: "a", count: 10_000_000), "a\u{0}b"] {
            try await world.refusal(.textTooLong, .textIsTooLong, "factor") {
                try await ann.multiFactor.enroll(enrollment, code: code, displayName: text)
            }
            for context in [
                RequestContext(origin: .address(text)), RequestContext(deviceName: text),
            ] {
                try await world.refusal(.textTooLong, .textIsTooLong, "context") {
                    try await world.service.client(context).signIn(with: World.annsPassword)
                }
            }
            try await world.refusal(.textTooLong, nil, "language") {
                try await world.service.client().sendPasswordReset(
                    to: "ann@example.com",
                    settings: Message.Settings(language: text)
                )
            }
        }
        try await ann.multiFactor.enroll(enrollment, code: code, displayName: "app")
        let factor = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        let name = String(repeating: "a", count: 2049)
        try await world.refusal(.textTooLong, .textIsTooLong) { try await ann.multiFactor.rename(factor, to: name) }
    }

    func testANameOfAProviderIsKeptUpToItsBound() async throws {
        for (length, isKept) in [(2048, true), (2049, false)] {
            let world = World(.standard)
            var person = SimulatedPerson.ann
            person.name = String(repeating: "a", count: length)
            let ann = try await world.device().signIn(with: world.google(person)).user
            let name = ann.displayName ?? "none"
            XCTAssertEqual(name == person.name, isKept, "whether a name of \(length) bytes is kept: \(name.utf8.count)")
        }
    }
}
