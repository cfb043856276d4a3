@_exported public import Foundation
internal import Synchronization

/// An app, as far as signing in needs one: a name and options.
public final class FirebaseApp: NSObject, Sendable {
    /// The app's name.
    public let name: String
    /// What the app was configured with.
    public let options: FirebaseOptions
    private let dataCollection = Mutex(true)

    private static let defaultName = "__FIRAPP_DEFAULT"
    private static let apps = Mutex<[String: FirebaseApp]>([:])
    private static let libraries = Mutex<[String: String]>([:])

    private init(name: String, options: FirebaseOptions) {
        self.name = name
        self.options = options
    }

    /// Makes the default app with the bundle's options, or with options for tests if there are none; an existing app
    /// stays.
    public class func configure() { configure(options: FirebaseOptions.inProcess()) }

    /// Makes the default app; an existing one stays.
    public class func configure(options: FirebaseOptions) { configure(name: defaultName, options: options) }

    /// Makes an app with this name; an existing one stays.
    public class func configure(name: String, options: FirebaseOptions) {
        apps.withLock { apps in
            if apps[name] == nil { apps[name] = FirebaseApp(name: name, options: options.frozen()) }
        }
    }

    /// The default app, if it was configured.
    public class func app() -> FirebaseApp? { app(name: defaultName) }

    /// The app with this name, if it was configured.
    public class func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

    /// All apps by their names; nil if there are none.
    public class var allApps: [String: FirebaseApp]? { apps.withLock { $0.isEmpty ? nil : $0 } }

    /// Whether the default app was configured.
    public class var isDefaultAppConfigured: Bool { app() != nil }

    /// Whether this is the default app.
    public var isDefaultApp: Bool { name == Self.defaultName }

    /// Whether modules may collect data; this has no effect.
    public var isDataCollectionDefaultEnabled: Bool {
        get { dataCollection.withLock { $0 } }
        set { dataCollection.withLock { $0 = newValue } }
    }

    /// Deletes the app; a later `configure` may use its name again.
    public func delete(_ completion: @escaping (Bool) -> Void) { completion(forget()) }

    /// Deletes the app; a later `configure` may use its name again.
    @discardableResult
    public func delete() async -> Bool { forget() }

    private func forget() -> Bool {
        Self.apps.withLock { apps in
            guard apps[name] === self else { return false }
            apps[name] = nil
            return true
        }
    }

    /// Registers a library, for the original's statistics.
    public class func registerLibrary(_ library: String, withVersion version: String) {
        libraries.withLock { $0[library] = version }
    }

    /// The versions of the registered libraries.
    package static func version(ofLibrary library: String) -> String? { libraries.withLock { $0[library] } }
}
