@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a person who verified nothing learns about accounts.
final class DisclosureTests: LimitedTestCase {
    private var world = World(.firebase)

    // MARK: Methods of an address

    func testMethodsAreListedInOrderAndNumbersAreNot() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        try await ann.link(with: world.google())
        try await ann.link(with: world.facebook())
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        let methods = try await auth.fetchSignInMethods(forEmail: "ANN@example.com")
        XCTAssertEqual(methods, ["emailLink", "facebook.com", "google.com", "password"])
    }

    func testAnAddressThatOnlyAProviderMentionsFindsTheAccount() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ben))
        let mentioned = try await world.device().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(mentioned, ["google.com", "password"])
        try await world.device("tablet").signUp(email: "ben@example.com", password: World.password)
        let owned = try await world.device().fetchSignInMethods(forEmail: "ben@example.com")
        XCTAssertEqual(owned, ["password"])
    }

    func testNobodysAddressHasNoMethodsAndADisabledAccountHasItsOwn() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["password"])
        let none = try await world.device().fetchSignInMethods(forEmail: "nobody@example.com")
        XCTAssertEqual(none, [])
    }

    // MARK: Uniform answers

    func testAnUnknownAddressAndAWrongPasswordLookAlike() async throws {
        world.policy.disclosure = .uniform
        try await world.signUpAnn()
        try await world.device("tablet").signIn(with: world.google(.ben))
        var answers: Set<String> = []
        for email in ["ann@example.com", "ben@example.com", "nobody@example.com"] {
            let error = try await world.refusal(.invalidCredential, .credentialIsWrong, email) {
                try await world.device().signIn(with: .password(email: email, password: "wrong"))
            }
            answers.insert("\(error.code) \(error.message) \(error.reasons) \(String(describing: error.detail))")
        }
        XCTAssertEqual(answers.count, 1)
    }

    func testNothingIsListedAndAResetIsPromisedToEverybody() async throws {
        world.policy.disclosure = .uniform
        try await world.signUpAnn()
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [])
        try await world.device().sendPasswordReset(to: "nobody@example.com")
        XCTAssertTrue(world.outbox.messages.isEmpty)
        try await world.device().sendPasswordReset(to: "ann@example.com")
        XCTAssertEqual(world.outbox.messages.count, 1)
    }

    func testAConflictNamesNoMethodsOfTheOther() async throws {
        world.policy.disclosure = .uniform
        try await world.signUpAnn()
        let error = try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device().signIn(with: world.gitHub())
        }
        XCTAssertEqual(error.conflict?.existingProviders, [])
    }

    func testTheRestOfTheAnswersStays() async throws {
        world.policy.disclosure = .uniform
        let ann = try await world.signUpAnn()
        try await world.refusal(.emailAlreadyInUse) { try await world.signUpAnn(world.device("tablet")) }
        try await world.refusal(.invalidCredential) {
            try await ann.reauthenticate(with: .password(email: "ann@example.com", password: "wrong"))
        }
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await world.device().signIn(with: World.annsPassword) }
    }
}
