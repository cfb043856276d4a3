package import AuthCore
internal import AuthCoreFirebaseApp
internal import Foundation
internal import Synchronization

extension Auth {
    /// The seats of all apps by the apps' names.
    private static let seats = Mutex<[String: Handover<Auth>]>([:])

    /// The app's seat; its first use makes one with a service of its own, unless `useAuth` did before.
    static func configured(for app: FirebaseApp) -> Auth {
        seats.withLock { seats in
            if let seat = seats[app.name], seat.value.app === app { return seat }
            let seat = Handover(makeSeat(for: app, AuthService(AuthConfiguration(policy: .firebase)), nil))
            seats[app.name] = seat
            return seat
        }.value
    }

    /// The seat that an app of this name has, if it has one; without a name, the default app's.
    static func configured(forAppNamed name: String?) -> Auth? {
        let app = name.map { FirebaseApp.app(name: $0) } ?? FirebaseApp.app()
        return app.map { configured(for: $0) }
    }

    /// Gives an app a seat over a service; whoever sat in the one before is forgotten.
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

    /// A seat that belongs to no app, over a service that may have others.
    package convenience init(service: AuthService, seat: SeatID) {
        self.init(app: nil, service: service, seat: seat, presenter: nil)
    }
}
