public import Foundation
internal import Synchronization

/// The options of an app, unchecked; only the API key and the client ID have an effect.
public final class FirebaseOptions: NSObject, NSCopying, Sendable {
    private struct Values {
        var googleAppID: String
        var gcmSenderID: String
        var apiKey: String?
        var bundleID = Bundle.main.bundleIdentifier ?? ""
        var clientID: String?
        var projectID: String?
        var storageBucket: String?
        var databaseURL: String?
        var appGroupID: String?
    }

    private let values: Mutex<Values>
    private let isFrozen: Bool

    private init(_ values: Values, isFrozen: Bool) {
        self.values = Mutex(values)
        self.isFrozen = isFrozen
    }

    /// Options of the app with this ID.
    public convenience init(googleAppID: String, gcmSenderID: String) {
        self.init(Values(googleAppID: googleAppID, gcmSenderID: gcmSenderID), isFrozen: false)
    }

    /// Options read from a property list such as `GoogleService-Info.plist`; nil if it is not one.
    public convenience init?(contentsOfFile plistPath: String) {
        guard let data = FileManager.default.contents(atPath: plistPath),
            let list = unsafe try? PropertyListSerialization.propertyList(from: data, format: nil),
            let entries = list as? [String: Any], let googleAppID = entries["GOOGLE_APP_ID"] as? String
        else { return nil }
        var values = Values(googleAppID: googleAppID, gcmSenderID: entries["GCM_SENDER_ID"] as? String ?? "")
        values.apiKey = entries["API_KEY"] as? String
        values.clientID = entries["CLIENT_ID"] as? String
        values.projectID = entries["PROJECT_ID"] as? String
        values.storageBucket = entries["STORAGE_BUCKET"] as? String
        values.databaseURL = entries["DATABASE_URL"] as? String
        if let bundleID = entries["BUNDLE_ID"] as? String { values.bundleID = bundleID }
        self.init(values, isFrozen: false)
    }

    /// The options in the main bundle's `GoogleService-Info.plist`, if there is one.
    public class func defaultOptions() -> FirebaseOptions? {
        Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
            .flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    /// The bundle's options, or made-up ones, because code inside one process needs no real ones.
    static func inProcess(bundled: FirebaseOptions? = defaultOptions()) -> FirebaseOptions {
        if let bundled { return bundled }
        let made = FirebaseOptions(googleAppID: "1:000000000000:ios:0000000000000000", gcmSenderID: "000000000000")
        made.apiKey = "in-process"
        made.projectID = "in-process"
        made.clientID = "in-process.apps.example"
        return made
    }

    /// An immutable copy: an app keeps the options that it was configured with.
    func frozen() -> FirebaseOptions { FirebaseOptions(values.withLock { $0 }, isFrozen: true) }

    /// A mutable copy.
    public func copy(with zone: NSZone? = nil) -> Any { FirebaseOptions(values.withLock { $0 }, isFrozen: false) }

    private func change(_ edit: (inout Values) -> Void) {
        if isFrozen { return }
        values.withLock { edit(&$0) }
    }

    /// The ID of the app.
    public var googleAppID: String {
        get { values.withLock { $0.googleAppID } }
        set { change { $0.googleAppID = newValue } }
    }

    /// The number of the project.
    public var gcmSenderID: String {
        get { values.withLock { $0.gcmSenderID } }
        set { change { $0.gcmSenderID = newValue } }
    }

    /// The API key of the project.
    public var apiKey: String? {
        get { values.withLock { $0.apiKey } }
        set { change { $0.apiKey = newValue } }
    }

    /// The app's bundle ID.
    public var bundleID: String {
        get { values.withLock { $0.bundleID } }
        set { change { $0.bundleID = newValue } }
    }

    /// The app's OAuth client ID.
    public var clientID: String? {
        get { values.withLock { $0.clientID } }
        set { change { $0.clientID = newValue } }
    }

    /// The project's ID.
    public var projectID: String? {
        get { values.withLock { $0.projectID } }
        set { change { $0.projectID = newValue } }
    }

    /// The project's storage bucket.
    public var storageBucket: String? {
        get { values.withLock { $0.storageBucket } }
        set { change { $0.storageBucket = newValue } }
    }

    /// The URL of the project's database.
    public var databaseURL: String? {
        get { values.withLock { $0.databaseURL } }
        set { change { $0.databaseURL = newValue } }
    }

    /// The app group that the app shares data with.
    public var appGroupID: String? {
        get { values.withLock { $0.appGroupID } }
        set { change { $0.appGroupID = newValue } }
    }
}
