@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What somebody who proved nothing learns about accounts.
final class DisclosureTests: FlowTestCase {
    // MARK: Methods of an address

    func testMethodsAreListedInOrderAndNumbersAreNot() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth))
        try await ann.link(with: google())
        try await ann.link(with: facebook())
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        let methods = try await auth.fetchSignInMethods(forEmail: "ANN@example.com")
        XCTAssertEqual(methods, ["emailLink", "facebook.com", "google.com", "password"])
    }

    func testAnAddressThatOnlyAProviderMentionsFindsTheAccount() async throws {
        let ann = try await signUpAnn()
        try await ann.link(with: google(.ben))
        let mentioned = try await seat().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(mentioned, ["google.com", "password"])
        try await seat("tablet").signUp(email: "ben@example.com", password: Self.password)
        let owned = try await seat().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(owned, ["password"])
    }

    func testNobodysAddressHasNoMethodsAndADisabledAccountHasItsOwn() async throws {
        let ann = try await signUpAnn()
        try await service.setDisabled(true, account: ann.account.id)
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["password"])
        let none = try await seat().fetchSignInMethods(forEmail: "nobody@example.com")
        XCTAssertEqual(none, [])
    }

    // MARK: Uniform answers

    func testAnUnknownAddressAndAWrongPasswordLookAlike() async throws {
        policy.disclosure = .uniform
        try await signUpAnn()
        try await seat("tablet").signIn(with: google(.ben))
        var answers: Set<String> = []
        for email in ["ann@example.com", "ben@example.com", "nobody@example.com"] {
            let error = try await refusal(.invalidCredential, .credentialIsWrong, email) {
                try await seat().signIn(with: .password(email: email, password: "wrong"))
            }
            answers.insert("\(error.code) \(error.message) \(error.reasons) \(String(describing: error.detail))")
        }
        XCTAssertEqual(answers.count, 1)
    }

    func testNothingIsListedAndAResetIsPromisedToEverybody() async throws {
        policy.disclosure = .uniform
        try await signUpAnn()
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [])
        try await seat().sendPasswordReset(to: "nobody@example.com")
        XCTAssertTrue(outbox.messages.isEmpty)
        try await seat().sendPasswordReset(to: "ann@example.com")
        XCTAssertEqual(outbox.messages.count, 1)
    }

    func testAConflictNamesNoMethodsOfTheOther() async throws {
        policy.disclosure = .uniform
        try await signUpAnn()
        let error = try await refusal(.accountExistsWithDifferentCredential) {
            try await seat().signIn(with: gitHub())
        }
        XCTAssertEqual(error.conflict?.existingProviders, [])
    }

    func testTheRestOfTheAnswersStays() async throws {
        policy.disclosure = .uniform
        let ann = try await signUpAnn()
        try await refusal(.emailAlreadyInUse) { try await signUpAnn(seat("tablet")) }
        try await refusal(.invalidCredential) {
            try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "wrong"))
        }
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.userDisabled) { try await seat().signIn(with: Self.annsPassword) }
    }
}
