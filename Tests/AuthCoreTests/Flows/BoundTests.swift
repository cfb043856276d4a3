@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is bound to a seat, a time or a length.
final class BoundTests: SecondFactorTestCase {
    func testEnrolmentDigitsWorkOnlyInTheSeatThatAskedForThem() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        let id = try await ann.multiFactor.sendCode(to: number)
        let code = try newestCode(to: number)
        try await refusal(.seatMismatch, .codeIsOfAnotherSeat) {
            try await other.multiFactor.enroll(phoneVerificationID: id, code: code)
        }
    }

    func testASeedIsEnrolledOnlyInTheSeatThatAskedForIt() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        try await refusal(.seatMismatch) { try await other.multiFactor.enroll(enrollment, code: try totp(enrollment)) }
    }

    func testEnrolmentDigitsThatExpiredAreSaidToHaveExpired() async throws {
        let ann = try await signUpProvenAnn()
        let id = try await ann.multiFactor.sendCode(to: number)
        let code = try newestCode(to: number)
        clock.advance(by: 600)
        try await refusal(.sessionExpired, .codeIsExpired) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: code)
        }
    }

    func testTextsOfAProfileHaveABound() async throws {
        let ann = try await signUpAnn()
        for text in [String(repeating: "a", count: 10_000_000), "a\u{0}b"] {
            try await refusal(.textTooLong, .textIsTooLong) { try await ann.updateProfile(displayName: .set(text)) }
            try await refusal(.textTooLong, .textIsTooLong) { try await ann.updateProfile(photoURL: .set(text)) }
        }
    }

    func testEveryTextThatIsKeptHasABound() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let code = try totp(enrollment)
        for text in [String(repeating: "a", count: 10_000_000), "a\u{0}b"] {
            try await refusal(.textTooLong, .textIsTooLong, "factor") {
                try await ann.multiFactor.enroll(enrollment, code: code, displayName: text)
            }
            for context in [
                RequestContext(seat: SeatID(text)), RequestContext(origin: text), RequestContext(device: text),
            ] {
                try await refusal(.textTooLong, .textIsTooLong, "context") {
                    try await service.client(context).signIn(with: Self.annsPassword)
                }
            }
            try await refusal(.textTooLong, nil, "language") {
                try await service.client().sendPasswordReset(
                    to: "ann@example.com",
                    settings: MessageSettings(language: text)
                )
            }
        }
        try await ann.multiFactor.enroll(enrollment, code: code, displayName: "app")
        let factor = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        let name = String(repeating: "a", count: 2049)
        try await refusal(.textTooLong, .textIsTooLong) { try await ann.multiFactor.rename(factor, to: name) }
    }
}
