@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SignUpTests: LimitedTestCase {
    private var world = World(.firebase)

    func testSignUpMakesAnAccountWithAnUnverifiedAddress() async throws {
        let auth = world.device()
        let result = try await auth.signUp(email: "Ann@Example.COM", password: World.password)
        XCTAssertTrue(result.isNewUser)
        XCTAssertEqual(result.provider, .password)
        XCTAssertTrue(auth.currentUser === result.user)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertFalse(result.user.isEmailVerified)
        XCTAssertFalse(result.user.isAnonymous)
        XCTAssertEqual(result.user.providerData.map(\.uid), ["ann@example.com"])
        XCTAssertEqual(result.user.metadata.creationDate, world.clock.now)
        XCTAssertEqual(result.user.metadata.lastSignInDate, world.clock.now)
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds, [.accountCreated, .signedIn])
    }

    func testAnAddressHasOneOwnerWhateverItsCaseAndWhoeverOwnsIt() async throws {
        let ben = try await world.device().signIn(with: world.google(.ben)).user
        try await world.signUpAnn(world.device("tablet"))
        try await world.service.setDisabled(true, account: ben.account.id)
        for email in ["ann@example.com", "ANN@EXAMPLE.COM", "Ben@example.com"] {
            try await world.refusal(.emailAlreadyInUse, .addressIsOwned, email) {
                try await world.device("other").signUp(email: email, password: "battery staple")
            }
        }
    }

    func testWhatIsWrongIsNamedInAFixedOrder() async throws {
        try await world.signUpAnn()
        try await world.refusal(.missingEmail) { try await world.device().signUp(email: "", password: "") }
        try await world.refusal(.invalidEmail) { try await world.device().signUp(email: "ann", password: "") }
        try await world.refusal(.emailAlreadyInUse) {
            try await world.device().signUp(email: "ann@example.com", password: "")
        }
        try await world.refusal(.weakPassword) {
            try await world.device().signUp(email: "ben@example.com", password: "")
        }
    }

    func testThePasswordHasToMeetTheRule() async throws {
        world.policy.passwordRule = AuthPolicy.PasswordRule(minimumLength: 8, maximumBytes: 20, deniesCommon: true)
        let cases: [(String, Reason)] = [
            ("seven77", .passwordIsTooShort), (String(repeating: "a", count: 21), .passwordIsTooLong),
            ("password", .passwordIsDenied),
        ]
        for (password, reason) in cases {
            try await world.refusal(.weakPassword, reason, password) {
                try await world.device().signUp(email: "ann@example.com", password: password)
            }
        }
        // Characters count, not bytes, towards the least.
        try await world.refusal(.weakPassword, .passwordIsTooShort) {
            try await world.device().signUp(email: "ann@example.com", password: "🔑🔑")
        }
        try await world.device().signUp(email: "ann@example.com", password: "eight888")
    }

    func testSignUpReplacesThePersonWhoWasSignedIn() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        let ben = try await auth.signUp(email: "ben@example.com", password: World.password).user
        XCTAssertTrue(auth.currentUser === ben)
        XCTAssertNotEqual(ann.uid, ben.uid)
    }
}
