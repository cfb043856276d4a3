@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordSignInTests: FlowTestCase {
    func testTheRightPasswordSignsInAndProvesNothingElse() async throws {
        let ann = try await signUpAnn()
        clock.advance(by: 60)
        let result = try await seat("tablet").signIn(with: .password(email: "ANN@example.com", password: Self.password))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertFalse(result.isNewUser)
        XCTAssertFalse(result.user.isEmailVerified)
        XCTAssertEqual(result.user.metadata.lastSignInDate, clock.now)
        XCTAssertEqual(result.user.account, ann.account)
    }

    func testAnyOtherPasswordIsWrong() async throws {
        try await signUpAnn()
        for password in ["Correct horse", "correct horse ", "correct", ""] {
            try await refusal(.wrongPassword, .passwordDiffers, password) {
                try await seat().signIn(with: .password(email: "ann@example.com", password: password))
            }
        }
    }

    func testAnAccountWithoutAPasswordIsNotEnteredByOne() async throws {
        try await seat().signIn(with: google())
        try await seat().signIn(with: mailedLink(to: "ben@example.com", from: seat()))
        for email in ["ann@example.com", "ben@example.com"] {
            try await refusal(.wrongPassword, .accountHasNoPassword) {
                try await seat().signIn(with: .password(email: email, password: Self.password))
            }
        }
    }

    func testAnUnknownAddressIsSaidToBeUnknown() async throws {
        try await refusal(.userNotFound, .addressIsUnknown) { try await seat().signIn(with: Self.annsPassword) }
    }

    func testADisabledAccountIsSaidToBeDisabledBeforeThePasswordCounts() async throws {
        let ann = try await signUpAnn()
        try await service.setDisabled(true, account: ann.account.id)
        for password in [Self.password, "another"] {
            try await refusal(.userDisabled, .accountIsDisabled) {
                try await seat().signIn(with: .password(email: "ann@example.com", password: password))
            }
        }
    }

    func testOnlyThePrimaryAddressGoesWithThePassword() async throws {
        let ann = try await signUpAnn()
        try await ann.link(with: google(.ben))
        try await refusal(.userNotFound) {
            try await seat().signIn(with: .password(email: "ben@example.com", password: Self.password))
        }
    }

    func testARefusedSignInLeavesTheSeatAsItWas() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await refusal(.wrongPassword) {
            try await auth.signIn(with: .password(email: "ann@example.com", password: "another"))
        }
        XCTAssertTrue(auth.currentUser === ann)
        try await ann.reload()
    }

    func testAVerifiedPasswordSignsInLaterUnlessItWasReplaced() async throws {
        let ann = try await signUpAnn()
        let auth = seat("tablet")
        let verified = try await auth.verify(Self.annsPassword)
        try await auth.signIn(with: verified)
        try await ann.updatePassword(to: "battery staple")
        try await refusal(.wrongPassword, .passwordWasReplaced) { try await auth.signIn(with: verified) }
    }
}
