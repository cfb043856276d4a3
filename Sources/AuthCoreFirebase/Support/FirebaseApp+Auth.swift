public import AuthCore
public import AuthCoreFirebaseApp
internal import Foundation

/// Sets the configuration of an app's `Auth` in tests.
///
/// A client that imports only `FirebaseAuth` does not need this and sees nothing of `AuthCore`. A test's setup, in a
/// file of its own, also imports `AuthCore` (and `AuthCoreTesting`) and passes the store, policy, clock, simulated
/// providers and outbox.
extension FirebaseApp {
    /// Gives the app a new `Auth` over a new service with this configuration; `Auth.auth()` returns it from now on.
    ///
    /// The presenter replaces the browser in which `OAuthProvider` shows its pages.
    /// Mailed links contain the app's API key, as those of the original do.
    ///
    /// ```swift
    /// FirebaseApp.configure()
    /// FirebaseApp.app()?.useAuth(AuthConfiguration(policy: .firebase, providers: .simulated, messageSender: outbox))
    /// ```
    public func useAuth(_ configuration: AuthConfiguration, presenter: (any FederatedSignInPresenter)? = nil) {
        useAuth(service(configuration), presenter: presenter)
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

    /// Configures the default app if necessary, and gives it a new `Auth` in memory under this policy.
    ///
    /// Projects that Firebase made since September 2023 protect against the enumeration of addresses:
    ///
    /// ```swift
    /// FirebaseApp.configure(policy: .firebaseProtected)
    /// ```
    public static func configure(policy: AuthPolicy) { configure(auth: AuthConfiguration(policy: policy)) }

    /// A service whose mailed links contain the app's API key.
    func service(_ configuration: AuthConfiguration) -> AuthService {
        var configuration = configuration
        if let key = options.apiKey, var parts = URLComponents(string: configuration.actionURL),
            parts.queryItems?.contains(where: { $0.name == "apiKey" }) != true
        {
            var added = URLComponents()
            added.queryItems = [URLQueryItem(name: "apiKey", value: key)]
            // What the address has escaped stays escaped.
            parts.percentEncodedQuery = [parts.percentEncodedQuery, added.percentEncodedQuery]
                .compactMap(\.self).joined(separator: "&")
            configuration.actionURL = parts.string ?? configuration.actionURL
        }
        return AuthService(configuration)
    }
}
