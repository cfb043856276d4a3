import AuthCoreFirebaseApp
import XCTest

extension FirebaseApp {
    /// The app of this name, which is configured if it is not there.
    static func named(_ name: String) throws -> FirebaseApp {
        configure(name: name, options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        return try XCTUnwrap(app(name: name), "the app that was configured")
    }
}
