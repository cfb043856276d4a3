import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

/// The names that apps store and compare, and what of an object is shown, are those of the original.
final class NameTests: LimitedTestCase {
    func testTheNamesOfProvidersAndMethodsAreThoseOfTheOriginal() {
        let names = [
            (EmailAuthProviderID, "password"), (EmailPasswordAuthSignInMethod, "password"),
            (EmailLinkAuthSignInMethod, "emailLink"), (GoogleAuthProviderID, "google.com"),
            (GoogleAuthSignInMethod, "google.com"), (FacebookAuthProviderID, "facebook.com"),
            (FacebookAuthSignInMethod, "facebook.com"), (TwitterAuthProviderID, "twitter.com"),
            (TwitterAuthSignInMethod, "twitter.com"), (GitHubAuthProviderID, "github.com"),
            (GitHubAuthSignInMethod, "github.com"), (PhoneAuthProviderID, "phone"), (PhoneAuthSignInMethod, "phone"),
            (GameCenterAuthProviderID, "gc.apple.com"), (GameCenterAuthSignInMethod, "gc.apple.com"),
            (PhoneMultiFactorID, "phone"), (TOTPMultiFactorID, "totp"), (EmailAuthProvider.id, "password"),
            (FacebookAuthProvider.id, "facebook.com"), (GitHubAuthProvider.id, "github.com"),
            (GoogleAuthProvider.id, "google.com"), (OAuthProvider.id, "OAuth"), (PhoneAuthProvider.id, "phone"),
            (TwitterAuthProvider.id, "twitter.com"), (PhoneMultiFactorInfo.PhoneMultiFactorID, "phone"),
            (PhoneMultiFactorInfo.TOTPMultiFactorID, "totp"),
        ]
        for (name, original) in names { XCTAssertEqual(name, original) }
        #if !os(watchOS)
        XCTAssertEqual(GameCenterAuthProvider.id, "gc.apple.com", "the provider of Game Center")
        #endif
        XCTAssertEqual(Notification.Name.AuthStateDidChange.rawValue, "FIRAuthStateDidChangeNotification")
    }

    func testTheNumbersOfOperationsLevelsAndTokensAreThoseOfTheOriginal() {
        let operations: [ActionCodeOperation] = [
            .unknown, .passwordReset, .verifyEmail, .recoverEmail, .emailLink, .verifyAndChangeEmail,
            .revertSecondFactorAddition,
        ]
        XCTAssertEqual(operations.map(\.rawValue), Array(0...6), "what a mailed code does")
        let levels: [FirebaseLoggerLevel] = [.error, .warning, .notice, .info, .debug]
        XCTAssertEqual(levels.map(\.rawValue), Array(3...7), "the levels of the log")
        let tokens: [AuthAPNSTokenType] = [.unknown, .sandbox, .prod]
        XCTAssertEqual(tokens.map(\.rawValue), Array(0...2), "the kinds of push tokens")
    }

    func testWhateverIsArchivedIsArchivedSecurely() async throws {
        let world = World()
        let result = try await world.auth.signIn(with: world.google(.ben))
        let user = try await world.personWithFactor()
        let credentials: [AuthCoreFirebase.AuthCredential] = [
            EmailAuthProvider.credential(withEmail: "a@example.com", password: "p"), world.google(), world.facebook(),
            OAuthProvider.credential(providerID: .gitHub, accessToken: "t"),
            PhoneAuthProvider.provider(auth: world.auth).credential(withVerificationID: "i", verificationCode: "c"),
        ]
        let token = try await user.getIDTokenResult()
        let objects: [NSObject] =
            credentials + [
                result, try XCTUnwrap(result.additionalUserInfo), token, user, user.metadata, user.multiFactor,
                try XCTUnwrap(user.multiFactor.enrolledFactors.first),
            ]
        for object in objects {
            let type = try XCTUnwrap(type(of: object) as? any NSSecureCoding.Type, "\(type(of: object))")
            XCTAssertTrue(type.supportsSecureCoding, "\(type)")
        }
    }

    func testAMirrorShowsWhatIsNoSecret() async throws {
        let world = World()
        let user = try await world.personWithFactor()
        func labels(_ object: some CustomReflectable) -> [String?] { object.customMirror.children.map(\.label) }
        XCTAssertEqual(labels(world.google()), ["provider"], "of a credential")
        let token = try await user.getIDTokenResult()
        XCTAssertEqual(labels(token), ["expirationDate"], "of a token")
        XCTAssertEqual(labels(user), ["uid"], "of a user")
        let assertion = TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: "i", oneTimePassword: "1")
        XCTAssertEqual(labels(assertion), ["factorID"], "of a factor that is presented")
        let answer = FederatedSignInAnswer(idToken: "t", accessToken: "t", secret: "t", rawNonce: "t")
        XCTAssertEqual(labels(answer), [], "of a provider's answer")
        XCTAssertEqual("\(answer)", "FederatedSignInAnswer")
    }

    func testAnAuthenticatorAppReadsNameIssuerAndSeed() async throws {
        let world = World()
        let session = try await world.verifiedUser().multiFactor.session()
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: session)
        let end = "&algorithm=SHA1&digits=6&period=30"
        XCTAssertEqual(
            secret.generateQRCodeURL(withAccountName: "a@b.c", issuer: "My: App"),
            "otpauth://totp/My%20App:a%40b.c?secret=\(secret.sharedSecretKey())&issuer=My%20App" + end
        )
        XCTAssertEqual(
            secret.generateQRCodeURL(withAccountName: "a@b.c", issuer: ""),
            "otpauth://totp/a%40b.c?secret=\(secret.sharedSecretKey())" + end,
            "without an issuer"
        )
    }

    func testALinkIsFoundInThreeOthersAndItsLanguageUnderEitherName() throws {
        var link = "https://a.example/action?mode=resetPassword&oobCode=c&languageCode=de"
        for depth in 1...4 {
            let escaped = try XCTUnwrap(link.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            link = "https://page.example/?\(depth == 2 ? "deep_link_id" : "link")=\(escaped)"
            let url = ActionCodeURL(link: link)
            XCTAssertEqual(url?.code, depth < 4 ? "c" : nil, "in \(depth) others")
            XCTAssertEqual(url?.languageCode, depth < 4 ? "de" : nil, "in \(depth) others")
        }
        let both = ActionCodeURL(link: "https://a.example/action?oobCode=c&languageCode=de&lang=fr")
        XCTAssertEqual(both?.languageCode, "fr", "the original's name comes first")
    }

    func testTheDefaultAppHasTheOriginalsNameAndOptionsForOneProcess() async throws {
        _ = await FirebaseApp.app()?.delete()
        FirebaseApp.configure()
        let app = try XCTUnwrap(FirebaseApp.app())
        XCTAssertEqual(app.name, "__FIRAPP_DEFAULT")
        XCTAssertTrue(app.isDefaultApp)
        XCTAssertEqual(app.options.googleAppID, "1:000000000000:ios:0000000000000000")
        XCTAssertEqual(app.options.gcmSenderID, "000000000000")
        XCTAssertEqual(app.options.apiKey, "in-process")
        XCTAssertEqual(app.options.projectID, "in-process")
        XCTAssertEqual(app.options.clientID, "in-process.apps.example")
        await app.delete()
    }

    func testTimesThatDifferHaveDifferentHashes() {
        let hashes = [(1, 2), (1, 3), (2, 2)].map { seconds, nanoseconds in
            AuthCoreFirebaseApp.Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds)).hash
        }
        XCTAssertEqual(Set(hashes).count, 3, "seconds and nanoseconds both count")
    }
}
