public import AuthCore
public import AuthCoreFirebaseApp

/// The seam for tests: what an app's `Auth` rests on.
///
/// A client that only imports `FirebaseAuth` never needs it and sees nothing of `AuthCore`. A test's set-up, in a file of
/// its own, imports `AuthCore` (and `AuthCoreTesting`) besides and hands over store, policy, clock, simulated providers
/// and outbox:
///
///     FirebaseApp.configure()
///     FirebaseApp.app()?.useAuth(AuthConfiguration(policy: .firebase, providers: .simulated, messageSender: outbox))
extension FirebaseApp {
    /// Gives the app a new seat over a new service of these parts; `Auth.auth()` returns it from now on.
    ///
    /// The presenter stands for the browser in which `OAuthProvider` asks people.
    public func useAuth(_ configuration: AuthConfiguration, presenter: (any FederatedSignInPresenter)? = nil) {
        useAuth(AuthService(configuration), presenter: presenter)
    }

    /// Gives the app a new seat over a service that other apps may share: another device of the same people.
    public func useAuth(_ service: AuthService, presenter: (any FederatedSignInPresenter)? = nil) {
        Auth.use(service, for: self, presenter: presenter)
    }

    /// Configures the default app, if that was not done yet, and gives it a new seat over a new service of these parts.
    public static func configure(
        options: FirebaseOptions? = nil,
        auth configuration: AuthConfiguration,
        presenter: (any FederatedSignInPresenter)? = nil
    ) {
        if let options { configure(options: options) } else { configure() }
        app()?.useAuth(configuration, presenter: presenter)
    }
}
