package import AuthCore
internal import AuthCoreFirebaseApp
internal import Foundation
internal import Synchronization

extension Auth {
    /// The `Auth` of every app, by the app's name.
    private static let devices = Mutex<[String: Handover<Auth>]>([:])

    /// The `Auth` of an app; the first use makes one with its own service, unless `useAuth` already made one.
    static func configured(for app: FirebaseApp) -> Auth {
        devices.withLock { devices in
            if let device = devices[app.name], device.value.app === app { return device }
            let device = Handover(makeDevice(for: app, app.service(AuthConfiguration(policy: .firebase)), nil))
            devices[app.name] = device
            return device
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
        let device = Handover(makeDevice(for: app, service, presenter))
        devices.withLock { $0[app.name] = device }
    }

    private static func makeDevice(
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
