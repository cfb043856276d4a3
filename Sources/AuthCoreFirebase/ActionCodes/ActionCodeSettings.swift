internal import AuthCore
public import Foundation
internal import Synchronization

/// What an app requests for the links in its emails.
// Everything mutable is behind a lock. A subclass is responsible for its own state, as in the original.
open class ActionCodeSettings: NSObject, @unchecked Sendable {
    private struct Values {
        var url: URL?
        var handleCodeInApp = false
        var iOSBundleID = Bundle.main.bundleIdentifier
        var androidPackageName: String?
        var androidMinimumVersion: String?
        var androidInstallIfNotAvailable = false
        var linkDomain: String?
    }

    private let values = Mutex(Values())

    /// Settings with no values.
    public override init() { super.init() }

    /// The URL at which the person continues after the link.
    open var url: URL? {
        get { values.withLock { $0.url } }
        set { values.withLock { $0.url = newValue } }
    }

    /// Whether the app opens the link itself; sign-in links need it.
    open var handleCodeInApp: Bool {
        get { values.withLock { $0.handleCodeInApp } }
        set { values.withLock { $0.handleCodeInApp = newValue } }
    }

    /// The app that opens the link on Apple's systems.
    open var iOSBundleID: String? {
        get { values.withLock { $0.iOSBundleID } }
        set { values.withLock { $0.iOSBundleID = newValue } }
    }

    /// The app that opens the link on Android.
    open var androidPackageName: String? {
        get { values.withLock { $0.androidPackageName } }
        set { values.withLock { $0.androidPackageName = newValue } }
    }

    /// The oldest version of the Android app that understands the link.
    open var androidMinimumVersion: String? {
        get { values.withLock { $0.androidMinimumVersion } }
        set { values.withLock { $0.androidMinimumVersion = newValue } }
    }

    /// Whether the Android app is installed if it is missing.
    open var androidInstallIfNotAvailable: Bool {
        get { values.withLock { $0.androidInstallIfNotAvailable } }
        set { values.withLock { $0.androidInstallIfNotAvailable = newValue } }
    }

    /// The domain of the link.
    public var linkDomain: String? {
        get { values.withLock { $0.linkDomain } }
        set { values.withLock { $0.linkDomain = newValue } }
    }

    /// Sets the app that opens the link on Android.
    open func setAndroidPackageName(
        _ androidPackageName: String,
        installIfNotAvailable: Bool,
        minimumVersion: String?
    ) {
        values.withLock { values in
            values.androidPackageName = androidPackageName
            values.androidInstallIfNotAvailable = installIfNotAvailable
            values.androidMinimumVersion = minimumVersion
        }
    }

    /// Sets the app that opens the link on Apple's systems.
    open func setIOSBundleID(_ bundleID: String) { iOSBundleID = bundleID }

    /// The settings in the engine's type; a language counts without settings, too.
    static func messageSettings(_ settings: ActionCodeSettings?, language: String?) -> Message.Settings? {
        if settings == nil, language == nil { return nil }
        return Message.Settings(
            continueURL: settings?.url?.absoluteString,
            handlesCodeInApp: settings?.handleCodeInApp ?? false,
            language: language
        )
    }
}
