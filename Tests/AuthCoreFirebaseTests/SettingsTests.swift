import AuthCoreFirebase
import Foundation
import XCTest

/// Properties keep what a client sets, whether or not it means something here.
final class SettingsTests: LimitedTestCase {
    func testActionCodeSettingsKeepWhatIsSet() {
        let settings = ActionCodeSettings()
        XCTAssertEqual(settings.iOSBundleID, Bundle.main.bundleIdentifier, "the app that runs")
        settings.url = URL(string: "https://example.com/done")
        settings.handleCodeInApp = true
        settings.iOSBundleID = "com.example.app"
        settings.linkDomain = "example.page.link"
        XCTAssertEqual(settings.url?.absoluteString, "https://example.com/done")
        XCTAssertTrue(settings.handleCodeInApp)
        XCTAssertEqual(settings.iOSBundleID, "com.example.app")
        XCTAssertEqual(settings.linkDomain, "example.page.link")
        settings.setIOSBundleID("com.example.other")
        XCTAssertEqual(settings.iOSBundleID, "com.example.other")
        settings.setAndroidPackageName("com.example.android", installIfNotAvailable: true, minimumVersion: "12")
        XCTAssertEqual(settings.androidPackageName, "com.example.android")
        XCTAssertTrue(settings.androidInstallIfNotAvailable)
        XCTAssertEqual(settings.androidMinimumVersion, "12")
        settings.setAndroidPackageName("com.example.android", installIfNotAvailable: true, minimumVersion: nil)
        XCTAssertNil(settings.androidMinimumVersion, "the minimum version stays when the next one is nil")
        settings.setAndroidPackageName("com.example.other", installIfNotAvailable: false, minimumVersion: nil)
        XCTAssertEqual(settings.androidPackageName, "com.example.other", "the app that was set last")
        XCTAssertFalse(settings.androidInstallIfNotAvailable, "whether the app that was set last is installed")
    }

    /// Sets each value after the one before it.
    private func assertKeeps<Root: AnyObject, Value: Equatable>(
        _ root: Root,
        _ path: ReferenceWritableKeyPath<Root, Value>,
        _ values: [Value],
        line: UInt = #line
    ) {
        for (index, value) in values.enumerated() {
            root[keyPath: path] = value
            XCTAssertEqual(root[keyPath: path], value, "what was set in step \(index + 1)", line: line)
        }
    }

    private let texts: [String?] = ["first", "", nil, "second", "third", nil]
    private let urls = [URL(string: "https://example.com/1"), nil, URL(string: "https://example.com/2"), nil]
    private let flags = [false, true, true, false, false, true]

    func testEverySettingKeepsWhatIsSetLast() {
        let settings = ActionCodeSettings()
        assertKeeps(settings, \.url, urls)
        assertKeeps(settings, \.handleCodeInApp, flags)
        assertKeeps(settings, \.iOSBundleID, texts)
        assertKeeps(settings, \.androidPackageName, texts)
        assertKeeps(settings, \.androidMinimumVersion, texts)
        assertKeeps(settings, \.androidInstallIfNotAvailable, flags)
        assertKeeps(settings, \.linkDomain, texts)
        assertKeeps(AuthSettings(), \.isAppVerificationDisabledForTesting, flags)
        assertKeeps(AuthSettings(), \.appVerificationDisabledForTesting, flags)
    }

    func testAnAuthAndItsProvidersKeepWhatIsSetLast() {
        let auth = World().auth
        assertKeeps(auth, \.languageCode, texts)
        assertKeeps(auth, \.tenantID, texts)
        assertKeeps(auth, \.customAuthDomain, texts)
        assertKeeps(auth, \.shareAuthStateAcrossDevices, flags)
        let provider = OAuthProvider(providerID: .gitHub, auth: auth)
        assertKeeps(provider, \.scopes, [["repo"], [], nil, ["gist"], ["repo", "gist"], nil])
        assertKeeps(provider, \.customParameters, [["a": "1"], [:], nil, ["b": "2"], ["c": "3"], nil])
    }

    func testAUserAndItsFactorsKeepWhatIsSetLast() async throws {
        let user = try await World().personWithFactor()
        assertKeeps(user, \.displayName, texts)
        assertKeeps(user, \.photoURL, urls)
        let request = user.createProfileChangeRequest()
        assertKeeps(request, \.displayName, texts)
        assertKeeps(request, \.photoURL, urls)
        let factors = user.multiFactor.enrolledFactors
        assertKeeps(user.multiFactor, \.enrolledFactors, [[], factors, []])
        let number = try XCTUnwrap(factors.first as? PhoneMultiFactorInfo)
        assertKeeps(number, \.phoneNumber, texts.compactMap(\.self))
        let assertion = TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: "none", oneTimePassword: "1")
        assertKeeps(assertion, \.factorID, texts.compactMap(\.self))
    }
}
