@testable import AuthCore
import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

/// The app, as far as signing in needs one.
final class FirebaseAppTests: XCTestCase {
    private func app(_ name: String) throws -> FirebaseApp {
        FirebaseApp.configure(name: name, options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        return try XCTUnwrap(FirebaseApp.app(name: name))
    }

    func testAnAppThatExistsStays() throws {
        let first = try app("stays")
        XCTAssertTrue(try app("stays") === first)
        XCTAssertTrue(FirebaseApp.allApps?["stays"] === first)
        XCTAssertEqual(first.name, "stays")
    }

    func testAnAppKeepsWhatItWasConfiguredWith() throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.clientID = "client"
        FirebaseApp.configure(name: "keeps", options: options)
        options.clientID = "another"
        let app = try XCTUnwrap(FirebaseApp.app(name: "keeps"))
        app.options.clientID = "a third"
        XCTAssertEqual(app.options.clientID, "client")
    }

    func testAForgottenAppHasNoSeat() async throws {
        let first = try app("forgotten")
        let device = AuthCoreFirebase.Auth.auth(app: first)
        let wasThere = await first.delete()
        XCTAssertTrue(wasThere)
        XCTAssertNil(FirebaseApp.app(name: "forgotten"))
        let again = await first.delete()
        XCTAssertFalse(again)
        XCTAssertFalse(AuthCoreFirebase.Auth.auth(app: try app("forgotten")) === device)
    }

    func testTwoAppsMaySeeTheSamePeople() async throws {
        let service = AuthService(AuthConfiguration(policy: .firebase, passwordHasher: CheapPasswordHasher()))
        let (phone, tablet) = (try app("phone"), try app("tablet"))
        phone.useAuth(service)
        tablet.useAuth(service)
        let user = try await AuthCoreFirebase.Auth.auth(app: phone)
            .createUser(withEmail: "ann@example.com", password: "correct horse").user
        let same = try await AuthCoreFirebase.Auth.auth(app: tablet)
            .signIn(withEmail: "ann@example.com", password: "correct horse").user
        XCTAssertEqual(same.uid, user.uid)
        XCTAssertTrue(AuthCoreFirebase.Auth.auth(app: tablet).app === tablet)
    }
}
