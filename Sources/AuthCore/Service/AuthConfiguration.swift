/// The parts of a service; each has a default that works in memory.
///
/// ```swift
/// func configuration(_ store: any IdentityStore, key: [UInt8]) -> AuthConfiguration {
///     var configuration = AuthConfiguration(store: store, secretKey: key)
///     configuration.issuer = "https://accounts.example.com"
///     configuration.actionURL = "https://example.com/action"
///     configuration.policy.recency.interval = .seconds(600)
///     return configuration
/// }
/// ```
public struct AuthConfiguration: Sendable {
    /// The store of the accounts.
    public var store: any IdentityStore
    /// The rules that differ between products.
    public var policy: AuthPolicy
    /// The verifiers of federated credentials.
    public var providers: AuthProviders
    /// The hasher of passwords.
    public var passwordHasher: any PasswordHasher
    /// Passwords that the app denies besides the common ones; asked where a password is set.
    public var passwordBlocklist: (any PasswordBlocklist)?
    /// The normalization of passwords before they are set or compared, for example to a Unicode normal form; nil for
    /// none.
    ///
    /// After a change of it, passwords that it now returns differently are wrong.
    public var normalizePassword: (@Sendable (String) -> String)?
    /// The sender of mails and text messages.
    public var messageSender: any MessageSender
    /// The clock and the random source.
    public var environment: AuthEnvironment
    /// The secrets from which the service derives its keys; see ``setSecretKey(_:former:)``.
    var secretKeys: SecretKeys
    /// The sealer of secrets that must be read again; by default one with keys derived from the secret keys.
    public var secretSealer: (any SecretSealer)?
    /// The signer of tokens; by default HMAC-SHA-256 with keys derived from the secret keys.
    public var tokenSigner: (any TokenSigner)?
    /// The issuer of the service's tokens, their `iss` claim.
    public var issuer = "https://auth.invalid"
    /// The audience of the service's tokens, their `aud` claim.
    public var audience = "authcore"
    /// The page to which mailed links lead.
    public var actionURL = "https://auth.invalid/action"
    /// The hosts to which a message's link may continue, besides the host of ``actionURL``.
    ///
    /// They are compared with the host in the link, without regard to case. Write a host with other letters than ASCII
    /// in its encoded form (`xn--bcher-kva.example`).
    public var continueHosts: Set<String> = []
    /// The store of the counts of attempts.
    ///
    /// By default it is the store that the initializer got, if that counts attempts as well, and else one in memory. If
    /// you set ``store`` later, set this, too.
    public var attempts: any AttemptStore
    /// The hooks that move the app's own data when accounts are merged, in the order in which they are called.
    public var mergeHooks: [any Merge.Hook] = []
    /// How often a decision is made if others change what it was based on; from the fourth time on after random pauses.
    public var retries = 64
    /// The number of refusals that the service keeps in memory for its operators.
    public var keptRefusals = 10_000

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - store: The store of the accounts.
    ///   - policy: The rules that differ between products.
    ///   - providers: The verifiers of federated credentials.
    ///   - passwordHasher: The hasher of passwords.
    ///   - messageSender: The sender of mails and text messages.
    ///   - environment: The clock and the random source.
    ///   - secretKey: At least 32 random bytes, the same for all servers over one store. Without them the service makes
    ///     a key that lasts as long as the process, and refuses to use a durable store, as it does with a shorter key.
    ///   - formerSecretKeys: The keys that were used before; see ``setSecretKey(_:former:)``.
    public init(
        store: any IdentityStore = InMemoryIdentityStore(),
        policy: AuthPolicy = .standard,
        providers: AuthProviders = .empty,
        passwordHasher: any PasswordHasher = StandardPasswordHasher(),
        messageSender: any MessageSender = Message.Outbox(),
        environment: AuthEnvironment = .system,
        secretKey: [UInt8]? = nil,
        formerSecretKeys: [[UInt8]] = []
    ) {
        self.store = store
        attempts = store as? any AttemptStore ?? InMemoryAttemptStore()
        self.policy = policy
        self.providers = providers
        self.passwordHasher = passwordHasher
        self.messageSender = messageSender
        self.environment = environment
        secretKeys = SecretKeys(
            secretKey ?? environment.randomBytes(32),
            former: formerSecretKeys,
            isExplicit: secretKey != nil
        )
    }

    /// Sets the secrets from which the service derives its keys; they cannot be read again.
    ///
    /// All servers over one store need the same keys. To rotate the key, first add the new key as a former one on every
    /// server, then make it the current one. Keep a former key until everything made with it is over: tokens, visits to
    /// a provider and digits of text messages after their lifetimes, messages when they are sent, the seed of an
    /// authenticator app when a code of the app is next accepted, and recovery codes only when they are made anew.
    /// Passwords, and codes that were mailed, do not depend on any key.
    ///
    /// - Parameters:
    ///   - key: At least 32 random bytes, with which new values are made.
    ///   - former: The keys that were used before, with which existing values can still be read. Keys of less than 32
    ///     bytes do not count.
    public mutating func setSecretKey(_ key: [UInt8], former: [[UInt8]] = []) {
        secretKeys = SecretKeys(key, former: former)
    }
}

extension AuthConfiguration: Concealing {
    /// The issuer and the audience, without the key.
    public var description: String { "AuthConfiguration(\(issuer), \(audience))" }
}
