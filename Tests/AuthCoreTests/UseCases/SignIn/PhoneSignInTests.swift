@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PhoneSignInTests: LimitedTestCase {
    private let world = World(.firebase)

    private let number = "+15550001234"

    func testANumberMakesAnAccountAndIsKnownAfterwards() async throws {
        let auth = world.device()
        let first = try await auth.signIn(with: world.digits(to: number, from: auth))
        XCTAssertTrue(first.isNewUser)
        XCTAssertEqual(first.user.phoneNumber, number)
        XCTAssertNil(first.user.email)
        XCTAssertEqual(first.user.providerData.map(\.provider), [.phone])
        world.clock.advance(by: .seconds(5))
        let second = try await auth.signIn(with: world.digits(to: number, from: auth))
        XCTAssertFalse(second.isNewUser)
        XCTAssertEqual(second.user.uid, first.user.uid)
        XCTAssertEqual(second.user.metadata.lastSignInDate, world.clock.now)
    }

    func testWrongDigitsDoNotUseTheCodeUpAndRightOnesDo() async throws {
        let auth = world.device()
        let id = try await auth.sendPhoneCode(to: number)
        let code = try world.newestCode(to: number)
        let wrong = code == "111111" ? "222222" : "111111"
        for _ in 0..<3 {
            try await world.refusal(.invalidVerificationCode, .codeIsWrong) {
                try await auth.signIn(with: .phone(verificationID: id, code: wrong))
            }
        }
        try await auth.signIn(with: .phone(verificationID: id, code: code))
        try await world.refusal(.invalidVerificationID, .codeIsUnknown) {
            try await auth.signIn(with: .phone(verificationID: id, code: code))
        }
    }

    func testDigitsLastTenMinutes() async throws {
        let auth = world.device()
        let good = try await world.digits(to: number, from: auth)
        let late = try await world.digits(to: number, from: auth)
        world.clock.advance(by: .seconds(599))
        try await auth.signIn(with: good)
        world.clock.advance(by: .seconds(1))
        try await world.refusal(.sessionExpired, .codeIsExpired) { try await auth.signIn(with: late) }
    }

    func testDigitsWorkOnlyOnTheDeviceThatAskedForThem() async throws {
        let credential = try await world.digits(to: number, from: world.device())
        try await world.refusal(.deviceMismatch, .codeIsOfAnotherDevice) {
            try await world.device("tablet").signIn(with: credential)
        }
        try await world.device().signIn(with: credential)
    }

    func testDigitsOfOneRequestDoNotAnswerAnother() async throws {
        let auth = world.device()
        let first = try await auth.sendPhoneCode(to: number)
        let firstCode = try world.newestCode(to: number)
        let second = try await auth.sendPhoneCode(to: "+15550005678")
        let secondCode = try world.newestCode(to: "+15550005678")
        XCTAssertNotEqual(firstCode, secondCode)
        try await world.refusal(.invalidVerificationCode) {
            try await auth.signIn(with: .phone(verificationID: first, code: secondCode))
        }
        let user = try await auth.signIn(with: .phone(verificationID: second, code: secondCode)).user
        XCTAssertEqual(user.phoneNumber, "+15550005678")
    }

    func testTheOwnerOfADisabledAccountGetsDigitsAndNoSession() async throws {
        let auth = world.device()
        let user = try await auth.signIn(with: world.digits(to: number, from: auth)).user
        try await world.service.setDisabled(true, account: user.account.id)
        let credential = try await world.digits(to: number, from: auth)
        try await world.refusal(.userDisabled) { try await auth.signIn(with: credential) }
    }

    func testANumberThatIsOnlyAFactorIsFree() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let id = try await ann.multiFactor.sendPhoneCode(to: number)
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: try world.newestCode(to: number))
        let auth = world.device("tablet")
        let result = try await auth.signIn(with: world.digits(to: number, from: auth))
        XCTAssertTrue(result.isNewUser)
        XCTAssertNotEqual(result.user.uid, ann.uid)
    }

    func testDigitsForAFactorSignNobodyIn() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let id = try await ann.multiFactor.sendPhoneCode(to: number)
        let code = try world.newestCode(to: number)
        try await world.refusal(.invalidVerificationID) {
            try await auth.signIn(with: .phone(verificationID: id, code: code))
        }
    }

    func testTheMessageGoesToTheNumberWithSixDigits() async throws {
        _ = try await world.device().sendPhoneCode(to: number)
        let message = try XCTUnwrap(world.outbox.last(to: number))
        XCTAssertEqual(message.kind, .phoneCode)
        XCTAssertNil(message.link)
        XCTAssertEqual(message.code.count, 6)
        XCTAssertTrue(message.code.allSatisfy(\.isNumber))
    }

    func testDigitsThatCouldNotBeSentAreKeptNowhere() async throws {
        struct Broken: MessageSender {
            struct Failure: Error {}
            func send(_ message: Message) async throws { throw Failure() }
        }
        let service = AuthService(AuthConfiguration(messageSender: Broken(), environment: .manual(world.clock)))
        do {
            _ = try await service.client().sendPhoneCode(to: number)
            XCTFail("what was not sent counts as sent")
        } catch {
            XCTAssertEqual(error.code, .messageNotSent)
        }
        world.clock.advance(by: .seconds(86400))
        let report = try await service.sweep()
        XCTAssertEqual(report.records, 0)
    }

    func testS16_AnOldNumberOpensItsAccountWhereNothingElseCan() async throws {
        var world = World(.standard)
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.evesNumber, from: phone)).user
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(91 * 86400))
        world.policy.disabledProviders = [.gitHub]
        let again = world.device("phone")
        let back = try await again.signIn(with: world.digits(to: world.evesNumber, from: again)).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testS22_TheNextHolderOfANumberIsNotKeptOutByFactorsOfTheFormerOne() async throws {
        var world = World(.standard)
        world.policy.phoneWithFactors = .refused
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(91 * 86400))
        let next = world.device("next")
        let error = try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
            try await next.signIn(with: world.digits(to: world.evesNumber, from: next))
        }
        try await next.createSeparateAccount(from: XCTUnwrap(error.conflict))
    }
}
