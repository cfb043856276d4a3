@testable import AuthCore
import AuthCoreFirebase
@testable import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

/// The app, as far as signing in needs one.
final class FirebaseAppTests: LimitedTestCase {
    func testAnAppThatExistsStays() throws {
        let first = try FirebaseApp.named("stays")
        XCTAssertTrue(try FirebaseApp.named("stays") === first)
        XCTAssertTrue(FirebaseApp.allApps?["stays"] === first)
        XCTAssertEqual(first.name, "stays")
    }

    func testWithoutAnAppThereIsNoList() async {
        for app in (FirebaseApp.allApps ?? [:]).values { await app.delete() }
        XCTAssertNil(FirebaseApp.allApps, "the list of no apps")
    }

    func testAnAppKeepsWhatItWasConfiguredWith() throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.clientID = "client"
        FirebaseApp.configure(name: "keeps", options: options)
        options.clientID = "another"
        let app = try XCTUnwrap(FirebaseApp.app(name: "keeps"))
        app.options.clientID = "a third"
        app.options.bundleID = "another.app"
        XCTAssertEqual(app.options.clientID, "client")
        XCTAssertNotEqual(app.options.bundleID, "another.app", "the bundle ID of an app that is configured")
    }

    func testADeletedAppHasAnotherAuthAfterwards() async throws {
        let first = try FirebaseApp.named("forgotten")
        let device = AuthCoreFirebase.Auth.auth(app: first)
        let wasThere = await first.delete()
        XCTAssertTrue(wasThere)
        XCTAssertNil(FirebaseApp.app(name: "forgotten"))
        let unused = try FirebaseApp.named("unused")
        await unused.delete()
        for deleted in [first, unused] {
            let auth = AuthCoreFirebase.Auth.auth(app: deleted)
            XCTAssertTrue(AuthCoreFirebase.Auth.auth(app: deleted) === auth, "another Auth of the same deleted app")
        }
        let again = await first.delete()
        XCTAssertFalse(again)
        var wasThereAgain: Bool?
        first.delete { wasThereAgain = $0 }
        XCTAssertEqual(wasThereAgain, false, "what the handler is told of an app that was deleted before")
        XCTAssertFalse(AuthCoreFirebase.Auth.auth(app: try FirebaseApp.named("forgotten")) === device)
    }

    func testAnAppThatIsConfiguredAgainAtOnceHasAnotherAuthThanItsPredecessor() async throws {
        let first = try FirebaseApp.named("again")
        let device = AuthCoreFirebase.Auth.auth(app: first)
        await first.delete()
        let second = try FirebaseApp.named("again")
        XCTAssertFalse(AuthCoreFirebase.Auth.auth(app: second) === device, "the Auth of an app that was deleted")
        await second.delete()
        withExtendedLifetime(first) {}
    }

    func testTheAuthOfADeletedAppIsLetGoWhenAnotherAppIsUsed() async throws {
        let first = try FirebaseApp.named("let go")
        weak let auth = AuthCoreFirebase.Auth.auth(app: first)
        XCTAssertNotNil(auth, "an app keeps its Auth")
        await first.delete()
        _ = AuthCoreFirebase.Auth.auth(app: try FirebaseApp.named("another"))
        XCTAssertNil(auth, "the Auth of the app that was deleted")
    }

    func testTheObjectOfADeletedAppDoesNotTakeThePlaceOfItsSuccessor() async throws {
        let old = try FirebaseApp.named("succeeded")
        await old.delete()
        let auth = AuthCoreFirebase.Auth.auth(app: try FirebaseApp.named("succeeded"))
        _ = AuthCoreFirebase.Auth.auth(app: old)
        let wasThere = await old.delete()
        XCTAssertFalse(wasThere, "whether the old object deleted an app")
        XCTAssertNotNil(FirebaseApp.app(name: "succeeded"), "the new app")
        XCTAssertTrue(
            AuthCoreFirebase.Auth.auth(app: try FirebaseApp.named("succeeded")) === auth,
            "the Auth of the new app"
        )
    }

    func testTwoAppsMaySeeTheSamePeople() async throws {
        let service = AuthService(AuthConfiguration(policy: .firebase, passwordHasher: CheapPasswordHasher()))
        let (phone, tablet) = (try FirebaseApp.named("phone"), try FirebaseApp.named("tablet"))
        phone.useAuth(service)
        tablet.useAuth(service)
        let user = try await AuthCoreFirebase.Auth.auth(app: phone)
            .createUser(withEmail: "ann@example.com", password: "correct horse").user
        let same = try await AuthCoreFirebase.Auth.auth(app: tablet)
            .signIn(withEmail: "ann@example.com", password: "correct horse").user
        XCTAssertEqual(same.uid, user.uid)
        XCTAssertTrue(AuthCoreFirebase.Auth.auth(app: tablet).app === tablet)
    }

    func testTheVersionAndTheLevelOfTheLogAreThere() {
        XCTAssertEqual(FirebaseVersion(), "12.19.0", "the version of the interface")
        FirebaseConfiguration.shared.setLoggerLevel(.min)
        XCTAssertEqual(FirebaseConfiguration.shared.loggerLevel, .error)
        FirebaseConfiguration.shared.setLoggerLevel(.debug)
        XCTAssertEqual(FirebaseConfiguration.shared.loggerLevel, .max)
    }

    func testATimestampIsAPointInTime() throws {
        let timestamp = AuthCoreFirebaseApp.Timestamp(date: Date(timeIntervalSince1970: -1.25))
        XCTAssertEqual(timestamp.seconds, -2)
        XCTAssertEqual(timestamp.nanoseconds, 750_000_000)
        XCTAssertEqual(timestamp.dateValue(), Date(timeIntervalSince1970: -1.25))
        let later = AuthCoreFirebaseApp.Timestamp(seconds: -2, nanoseconds: 750_000_001)
        XCTAssertEqual(timestamp.compare(later), .orderedAscending)
        XCTAssertEqual(later.compare(timestamp), .orderedDescending)
        XCTAssertNotEqual(timestamp, later)
        XCTAssertFalse(timestamp.isEqual(NSObject()), "a point in time and what is none")
        let copy = try JSONDecoder().decode(
            AuthCoreFirebaseApp.Timestamp.self,
            from: try JSONEncoder().encode(timestamp)
        )
        XCTAssertEqual(copy, timestamp)
        XCTAssertEqual(copy.hash, timestamp.hash)
        XCTAssertTrue(timestamp.copy() as? AuthCoreFirebaseApp.Timestamp === timestamp)
        XCTAssertGreaterThan(AuthCoreFirebaseApp.Timestamp().seconds, 1_700_000_000)
    }

    func testMailedLinksHaveTheKeyOfTheApp() async throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.apiKey = "AIza&key"
        FirebaseApp.configure(name: "mails", options: options)
        let app = try XCTUnwrap(FirebaseApp.app(name: "mails"))
        for (page, key) in [
            ("https://app.example/action", "AIza&key"), ("https://app.example/action?a=b", "AIza&key"),
            ("https://app.example/action?a=b&apiKey=own", "own"), ("https://app.example/action?apiKey=own", "own"),
            ("https://app.example/action#/done", "AIza&key"), ("https://app.example/action?a=b%2Bc", "AIza&key"),
        ] {
            let outbox = Message.Outbox()
            var configuration = AuthConfiguration(
                policy: .firebase,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox
            )
            configuration.actionURL = page
            app.useAuth(configuration)
            let auth = AuthCoreFirebase.Auth.auth(app: app)
            try await auth.createUser(withEmail: "ann@example.com", password: "correct horse")
            try await auth.sendPasswordReset(withEmail: "ann@example.com")
            let link = try XCTUnwrap(outbox.messages.last?.link)
            let url = try XCTUnwrap(ActionCodeURL(link: link))
            let (start, fragment) = (page.split(separator: "#")[0], page.split(separator: "#").dropFirst().first)
            XCTAssertTrue(link.hasPrefix(start), link)
            XCTAssertEqual(URLComponents(string: link)?.fragment, fragment.map(String.init), "the place in the page")
            XCTAssertEqual(url.apiKey, key, link)
            XCTAssertEqual(link.components(separatedBy: "apiKey=").count, 2, "one key: \(link)")
            XCTAssertEqual(url.operation, .passwordReset, link)
            try await auth.confirmPasswordReset(withCode: try XCTUnwrap(url.code), newPassword: "another horse")
        }
    }

    func testOneLineProtectsAddressesFromEnumeration() async throws {
        FirebaseApp.configure(policy: .firebaseProtected)
        let auth = AuthCoreFirebase.Auth.auth()
        try await auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        for email in ["ann@example.com", "nobody@example.com"] {
            let error = await failure { try await auth.signIn(withEmail: email, password: "wrong horse") }
            XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.invalidCredential.rawValue, email)
        }
        let wasThere = await FirebaseApp.app()?.delete()
        XCTAssertEqual(wasThere, true)
    }

    func testTheDefaultAppIsConfiguredWithItsOptions() async throws {
        _ = await FirebaseApp.app()?.delete()
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.clientID = "client"
        FirebaseApp.configure(options: options, auth: AuthConfiguration(passwordHasher: CheapPasswordHasher()))
        let app = try XCTUnwrap(FirebaseApp.app())
        XCTAssertEqual(app.options.clientID, "client", "the option of the default app")
        await app.delete()
    }
}
