public import AuthCore
public import AuthCoreFirebaseApp

/// Sets the configuration of an app's `Auth` in tests.
///
/// A client that imports only `FirebaseAuth` does not need this and sees nothing of `AuthCore`. A test's setup, in a
/// file of its own, also imports `AuthCore` (and `AuthCoreTesting`) and passes the store, policy, clock, simulated
/// providers and outbox:
///
///     FirebaseApp.configure()
///     FirebaseApp.app()?.useAuth(AuthConfiguration(policy: .firebase, providers: .simulated, messageSender: outbox))
extension FirebaseApp {
    /// Gives the app a new `Auth` over a new service with this configuration; `Auth.auth()` returns it from now on.
    ///
    /// The presenter replaces the browser in which `OAuthProvider` shows its pages.
    public func useAuth(_ configuration: AuthConfiguration, presenter: (any FederatedSignInPresenter)? = nil) {
        useAuth(AuthService(configuration), presenter: presenter)
    }

    /// Gives the app a new `Auth` over a service that other apps may share, like another device of the same people.
    public func useAuth(_ service: AuthService, presenter: (any FederatedSignInPresenter)? = nil) {
        Auth.use(service, for: self, presenter: presenter)
    }

    /// Configures the default app if necessary, and gives it a new `Auth` over a new service with this configuration.
    public static func configure(
        options: FirebaseOptions? = nil,
        auth configuration: AuthConfiguration,
        presenter: (any FederatedSignInPresenter)? = nil
    ) {
        if let options { configure(options: options) } else { configure() }
        app()?.useAuth(configuration, presenter: presenter)
    }
}
