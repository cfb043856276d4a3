package import AuthCore
internal import AuthCoreFirebaseApp
internal import Foundation
internal import Synchronization

extension Auth {
    /// The `Auth` of every app, by the app's name.
    private static let seats = Mutex<[String: Handover<Auth>]>([:])

    /// The `Auth` of an app; the first use makes one with its own service, unless `useAuth` already made one.
    static func configured(for app: FirebaseApp) -> Auth {
        seats.withLock { seats in
            if let seat = seats[app.name], seat.value.app === app { return seat }
            let seat = Handover(makeSeat(for: app, AuthService(AuthConfiguration(policy: .firebase)), nil))
            seats[app.name] = seat
            return seat
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
        let seat = Handover(makeSeat(for: app, service, presenter))
        seats.withLock { $0[app.name] = seat }
    }

    private static func makeSeat(
        for app: FirebaseApp,
        _ service: AuthService,
        _ presenter: (any FederatedSignInPresenter)?
    ) -> Auth {
        let seat = SeatID(SessionID(bits: service.environment.randomBits()).text)
        return Auth(app: app, service: service, seat: seat, presenter: presenter)
    }

    /// An `Auth` without an app, over a service that others may share.
    package convenience init(service: AuthService, seat: SeatID) {
        self.init(app: nil, service: service, seat: seat, presenter: nil)
    }
}
