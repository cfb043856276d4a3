import AuthCoreFirebase
import Foundation
import XCTest

/// The settings of a mailed link keep what a client sets, whether or not it means something here.
final class SettingsTests: XCTestCase {
    func testActionCodeSettingsKeepWhatIsSet() {
        let settings = ActionCodeSettings()
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
        settings.androidMinimumVersion = "13"
        settings.androidPackageName = nil
        settings.androidMinimumVersion = nil
        settings.androidInstallIfNotAvailable = false
        XCTAssertNil(settings.androidPackageName)
        XCTAssertNil(settings.androidMinimumVersion)
        XCTAssertFalse(settings.androidInstallIfNotAvailable)
        settings.url = nil
        XCTAssertNil(settings.url, "the URL after nil was set")
    }
}
