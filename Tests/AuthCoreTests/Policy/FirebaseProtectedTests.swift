import AuthCore
import AuthCoreTesting
import XCTest

/// Firebase with email enumeration protection.
final class FirebaseProtectedTests: LimitedTestCase {
    private let world = World(.firebaseProtected)

    private func signIn(_ email: String, _ password: String) async throws {
        try await world.device("tablet").signIn(with: .password(email: email, password: password))
    }

    func testAnUnknownAddressAndAWrongPasswordAreAlike() async throws {
        try await world.signUpAnn()
        await assertThrows(.invalidCredential) { try await signIn("ann@example.com", "wrong horse") }
        await assertThrows(.invalidCredential) { try await signIn("nobody@example.com", "wrong horse") }
        try await world.device().sendPasswordReset(to: "nobody@example.com")
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [])
    }

    func testADisabledAccountIsDisabledWhateverThePassword() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        await assertThrows(.userDisabled) { try await signIn("ann@example.com", "wrong horse") }
        await assertThrows(.userDisabled) { try await signIn("ann@example.com", World.password) }
    }

    func testReauthenticatingWithAnUnknownAddressIsAWrongCredential() async throws {
        let ann = try await world.signUpAnn()
        await assertThrows(.invalidCredential) {
            try await ann.reauthenticate(with: .password(email: "nobody@example.com", password: "wrong horse"))
        }
        try await world.device("tablet").signUp(email: "ben@example.com", password: "bens own word")
        await assertThrows(.invalidCredential, "a wrong password shows that another has the address") {
            try await ann.reauthenticate(with: .password(email: "ben@example.com", password: "wrong horse"))
        }
        await assertThrows(.userMismatch) {
            try await ann.reauthenticate(with: .password(email: "ben@example.com", password: "bens own word"))
        }
        let plain = World(.firebase)
        let other = try await plain.signUpAnn()
        await assertThrows(.userMismatch) {
            try await other.reauthenticate(with: .password(email: "nobody@example.com", password: "wrong horse"))
        }
    }

    func testATakenAddressStillShowsAndAGuestMayChangeTheirAddress() async throws {
        try await world.signUpAnn()
        await assertThrows(.emailAlreadyInUse) {
            try await world.device("tablet").signUp(email: "ann@example.com", password: "battery staple")
        }
        let guest = try await world.device("tablet").signInAnonymously().user
        try await guest.updateEmail(to: "guest@example.com")
        XCTAssertEqual(guest.email, "guest@example.com")
    }
}
