package import AuthCore
internal import AuthCoreFirebaseApp
internal import Foundation
internal import Synchronization

extension Auth {
    /// The `Auth` of every app, by the app's name.
    private static let auths = Mutex<[String: Handover<Auth>]>([:])

    /// The `Auth` of an app; the first use makes one with its own service, unless `useAuth` already made one.
    static func configured(for app: FirebaseApp) -> Auth {
        auths.change { auths in
            if let auth = auths[app.name], auth.value.app === app { return auth }
            let auth = Handover(makeAuth(for: app, app.service(AuthConfiguration(policy: .firebase)), nil))
            add(auth, to: &auths, for: app)
            return auth
        }.value
    }

    /// The `Auth` of the app with this name, if there is one; without a name, that of the default app.
    static func configured(forAppNamed name: String?) -> Auth? {
        let app = name.map { FirebaseApp.app(name: $0) } ?? FirebaseApp.app()
        return app.map { configured(for: $0) }
    }

    /// Gives an app a new `Auth` over a service; the user of the previous one is forgotten.
    static func use(
        _ service: AuthService,
        for app: FirebaseApp,
        presenter: (any FederatedSignInPresenter)?
    ) {
        let auth = Handover(makeAuth(for: app, service, presenter))
        auths.change { add(auth, to: &$0, for: app) }
    }

    /// Keeps the `Auth` of an app, and lets those go whose apps were deleted.
    private static func add(_ auth: Handover<Auth>, to auths: inout [String: Handover<Auth>], for app: FirebaseApp) {
        auths = auths.filter { FirebaseApp.app(name: $0.key) != nil }
        // The object of an app that was deleted does not take the place of the app that has its name now.
        if FirebaseApp.app(name: app.name).map({ $0 === app }) ?? true { auths[app.name] = auth }
    }

    private static func makeAuth(
        for app: FirebaseApp,
        _ service: AuthService,
        _ presenter: (any FederatedSignInPresenter)?
    ) -> Auth {
        Auth(app: app, service: service, device: service.makeDevice(), presenter: presenter)
    }

    /// An `Auth` without an app, over a service that others may share.
    package convenience init(service: AuthService, device: DeviceID) {
        self.init(app: nil, service: service, device: device, presenter: nil)
    }
}
