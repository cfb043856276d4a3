/// Everything a service is made of; each part has a default that works in memory.
///
/// ```swift
/// func configuration(_ store: any IdentityStore, key: [UInt8]) -> AuthConfiguration {
///     var configuration = AuthConfiguration(store: store, providers: .simulated, secretKey: key)
///     configuration.issuer = "https://accounts.example.com"
///     configuration.actionURL = "https://example.com/action"
///     configuration.policy.recency.interval = .seconds(600)
///     return configuration
/// }
/// ```
public struct AuthConfiguration: Sendable {
    /// Where accounts are kept.
    public var store: any IdentityStore
    /// The choices that differ between products.
    public var policy: AuthPolicy
    /// The verifiers of federated credentials.
    public var providers: AuthProviders
    /// How passwords are hashed.
    public var passwordHasher: any PasswordHasher
    /// How mails and text messages leave.
    public var messageSender: any MessageSender
    /// The clock and the random source.
    public var environment: AuthEnvironment
    /// The secret from which the service derives its keys; see ``setSecretKey(_:)``.
    var secretKey: SecretKey
    /// How secrets that must be read again are kept; by default sealed with a key derived from the secret key.
    public var secretSealer: (any SecretSealer)?
    /// What signs tokens; by default HMAC-SHA-256 with a key derived from the secret key.
    public var tokenSigner: (any TokenSigner)?
    /// The name under which the service issues tokens.
    public var issuer: String
    /// For whom the service issues tokens.
    public var audience: String
    /// The page to which mailed links lead.
    public var actionURL: String
    /// Where wrong attempts are counted.
    public var attempts: any AttemptStore
    /// What moves the app's own data when accounts are merged, in the order in which it is asked.
    public var mergeHooks: [any MergeHook] = []
    /// How often a decision is made again when others changed what it rested on.
    public var retries: Int
    /// How many refusals the service keeps in memory for its operators.
    public var keptRefusals: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - store: Where accounts are kept.
    ///   - policy: The choices that differ between products.
    ///   - providers: The verifiers of federated credentials.
    ///   - passwordHasher: How passwords are hashed.
    ///   - messageSender: How mails and text messages leave.
    ///   - environment: The clock and the random source.
    ///   - secretKey: Thirty-two random bytes that servers over one store share; without them the service makes a key that
    ///     lasts as long as the process.
    public init(
        store: any IdentityStore = InMemoryIdentityStore(),
        policy: AuthPolicy = .standard,
        providers: AuthProviders = .empty,
        passwordHasher: any PasswordHasher = StandardPasswordHasher(),
        messageSender: any MessageSender = Outbox(),
        environment: AuthEnvironment = .system,
        secretKey: [UInt8]? = nil
    ) {
        self.store = store
        self.policy = policy
        self.providers = providers
        self.passwordHasher = passwordHasher
        self.messageSender = messageSender
        self.environment = environment
        self.secretKey = SecretKey(bytes: secretKey ?? environment.randomBytes(32))
        issuer = "https://auth.invalid"
        audience = "authcore"
        actionURL = "https://auth.invalid/action"
        attempts = InMemoryAttemptStore()
        retries = 64
        keptRefusals = 10_000
    }

    /// Sets the secret from which the service derives its keys; it cannot be read again.
    ///
    /// Servers that share a store share it.
    ///
    /// - Parameter key: Thirty-two random bytes.
    public mutating func setSecretKey(_ key: [UInt8]) { secretKey = SecretKey(bytes: key) }
}

extension AuthConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer and the audience, and no key.
    public var description: String { "AuthConfiguration(\(issuer), \(audience))" }

    /// The issuer and the audience, and no key.
    public var debugDescription: String { description }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "audience": audience]) }
}

/// A key that does not print.
struct SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    var description: String { "SecretKey" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
