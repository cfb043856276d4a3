@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SignUpTests: FlowTestCase {
    func testSignUpMakesAnAccountWhoseAddressNobodyProved() async throws {
        let auth = seat()
        let result = try await auth.signUp(email: "Ann@Example.COM", password: Self.password)
        XCTAssertTrue(result.isNewUser)
        XCTAssertEqual(result.provider, .password)
        XCTAssertTrue(auth.currentUser === result.user)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertFalse(result.user.isEmailVerified)
        XCTAssertFalse(result.user.isAnonymous)
        XCTAssertEqual(result.user.providerData.map(\.uid), ["ann@example.com"])
        XCTAssertEqual(result.user.metadata.creationDate, clock.now)
        XCTAssertEqual(result.user.metadata.lastSignInDate, clock.now)
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds, [.accountCreated, .signedIn])
    }

    func testAnAddressHasOneOwnerWhateverItsCaseAndWhoeverOwnsIt() async throws {
        let ben = try await seat().signIn(with: google(.ben)).user
        try await signUpAnn(seat("tablet"))
        try await service.setDisabled(true, account: ben.account.id)
        for email in ["ann@example.com", "ANN@EXAMPLE.COM", "Ben@example.com"] {
            try await refusal(.emailAlreadyInUse, .addressIsOwned, email) {
                try await seat("other").signUp(email: email, password: "battery staple")
            }
        }
    }

    func testWhatIsWrongIsNamedInAFixedOrder() async throws {
        try await signUpAnn()
        try await refusal(.missingEmail) { try await seat().signUp(email: "", password: "") }
        try await refusal(.invalidEmail) { try await seat().signUp(email: "ann", password: "") }
        try await refusal(.emailAlreadyInUse) { try await seat().signUp(email: "ann@example.com", password: "") }
        try await refusal(.weakPassword) { try await seat().signUp(email: "ben@example.com", password: "") }
    }

    func testThePasswordHasToMeetTheRule() async throws {
        policy.passwordRule = PasswordRule(minimumLength: 8, maximumBytes: 20) { $0 == "password" }
        let cases: [(String, Reason)] = [
            ("seven77", .passwordIsTooShort), (String(repeating: "a", count: 21), .passwordIsTooLong),
            ("password", .passwordIsDenied),
        ]
        for (password, reason) in cases {
            try await refusal(.weakPassword, reason, password) {
                try await seat().signUp(email: "ann@example.com", password: password)
            }
        }
        // Characters count, not bytes, towards the least.
        try await refusal(.weakPassword, .passwordIsTooShort) {
            try await seat().signUp(email: "ann@example.com", password: "🔑🔑")
        }
        try await seat().signUp(email: "ann@example.com", password: "eight888")
    }

    func testARefusedSignUpLeavesTheSeatAsItWas() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await refusal(.emailAlreadyInUse) {
            try await auth.signUp(email: "ann@example.com", password: "battery staple")
        }
        XCTAssertTrue(auth.currentUser === ann)
    }

    func testSignUpPutsTheNewPersonInTheSeatOfTheOld() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        let ben = try await auth.signUp(email: "ben@example.com", password: Self.password).user
        XCTAssertTrue(auth.currentUser === ben)
        XCTAssertNotEqual(ann.uid, ben.uid)
    }
}
