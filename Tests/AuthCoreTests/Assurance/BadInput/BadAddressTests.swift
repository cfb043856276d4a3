@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Addresses and numbers that are none, at every door that takes one.
final class BadAddressTests: LimitedTestCase {
    func testAMalformedAddressIsRefusedAtEveryDoor() async throws {
        let bench = try await BadInputBench()
        let (auth, user, service) = (bench.auth, bench.user, bench.service)
        let doors: [(String, (String) async throws -> Void)] = [
            ("signUp", { try await auth.signUp(email: $0, password: "correct horse") }),
            ("service.signUp", { try await service.client().signUp(email: $0, password: "correct horse") }),
            ("password", { try await auth.signIn(with: .password(email: $0, password: "correct horse")) }),
            ("verify", { _ = try await auth.verify(.password(email: $0, password: "correct horse")) }),
            ("emailLink", { try await auth.signIn(with: .emailLink(email: $0, link: "x")) }),
            ("sendSignInLink", { try await auth.sendSignInLink(to: $0) }),
            ("sendPasswordReset", { try await auth.sendPasswordReset(to: $0) }),
            ("fetchSignInMethods", { _ = try await auth.fetchSignInMethods(forEmail: $0) }),
            ("service.sendSignInLink", { try await service.client().sendSignInLink(to: $0) }),
            ("service.sendPasswordReset", { try await service.client().sendPasswordReset(to: $0) }),
            ("service.fetchSignInMethods", { _ = try await service.client().fetchSignInMethods(forEmail: $0) }),
            ("account(email:)", { _ = try await service.account(email: $0) }),
            ("link password", { try await user.link(with: .password(email: $0, password: "correct horse")) }),
            ("link mail", { try await user.link(with: .emailLink(email: $0, link: "x")) }),
            ("reauthenticate", { try await user.reauthenticate(with: .password(email: $0, password: "x")) }),
            ("updateEmail", { try await user.updateEmail(to: $0) }),
            ("beforeUpdatingTo", { try await user.sendEmailVerification(beforeUpdatingTo: $0) }),
        ]
        for (door, act) in doors {
            for email in BadText.emails {
                try await bench.refuses("\(door) \(BadText.name(email))", .invalidEmail) { try await act(email) }
            }
        }
        for (door, act) in doors {
            let code: AuthErrorCode = door.hasSuffix("signUp") ? .missingEmail : .invalidEmail
            try await bench.refuses("\(door) without an address", code) { try await act("") }
        }
    }

    func testAMalformedNumberIsRefusedAtEveryDoor() async throws {
        let bench = try await BadInputBench()
        let (auth, user, service) = (bench.auth, bench.user, bench.service)
        let doors: [(String, (String) async throws -> Void)] = [
            ("sendPhoneCode", { _ = try await auth.sendPhoneCode(to: $0) }),
            ("service.sendPhoneCode", { _ = try await service.client().sendPhoneCode(to: $0) }),
            ("account(phoneNumber:)", { _ = try await service.account(phoneNumber: $0) }),
            ("multiFactor.sendPhoneCode", { _ = try await user.multiFactor.sendPhoneCode(to: $0) }),
        ]
        for (door, act) in doors {
            for number in BadText.numbers {
                try await bench.refuses("\(door) \(BadText.name(number))", .invalidPhoneNumber) {
                    try await act(number)
                }
            }
            try await bench.refuses("\(door) without a number", .missingPhoneNumber) { try await act("") }
        }
    }

    func testAnIdentityThatNobodyHasFindsNobody() async throws {
        let bench = try await BadInputBench()
        for text in ["", "\u{0}", BadText.huge] {
            let found = try await bench.service.account(identity: Identity.Key(issuer: text, subject: text))
            XCTAssertNil(found)
        }
    }

    func testAnAccountIDIsShortVisibleText() async throws {
        for text in ["", " ", "ann\u{0}", "änn", String(repeating: "a", count: 129), BadText.huge] {
            XCTAssertNil(AccountID(text), BadText.name(text))
        }
        let bench = try await BadInputBench()
        let nobody = try XCTUnwrap(AccountID("nobody"))
        let doors: [(String, () async throws -> Void)] = [
            ("account", { _ = try await bench.service.account(nobody) }),
            ("setDisabled", { try await bench.service.setDisabled(true, account: nobody) }),
            ("deleteAccount", { try await bench.service.deleteAccount(nobody) }),
            ("revokeSessions", { try await bench.service.revokeSessions(of: nobody) }),
        ]
        for (door, act) in doors { try await bench.refuses(door, .userNotFound, act) }
    }

    func testPagesOfAnySizeAndPlaceAreGiven() async throws {
        let bench = try await BadInputBench()
        for limit in [Int.min, -1, 0] {
            let accounts = try await bench.service.accounts(limit: limit)
            let events = try await bench.service.events(limit: limit).events
            XCTAssertTrue(accounts.isEmpty && events.isEmpty, "\(limit)")
            let sent = try await bench.service.deliverPendingMessages(limit: limit)
            XCTAssertEqual(sent, 0)
            _ = try await bench.service.sweep(limit: limit)
        }
        for number in [1_000_000, UInt64.max - 1, .max] {
            let events = try await bench.service.events(after: .number(number), limit: .max).events
            XCTAssertTrue(events.isEmpty, "\(number)")
        }
    }
}
