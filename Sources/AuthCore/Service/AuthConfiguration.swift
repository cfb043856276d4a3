/// Everything a service is made of; each part has a default that works in memory.
public struct AuthConfiguration: Sendable {
    /// Where accounts are kept.
    public var store: any IdentityStore
    /// The choices that differ between products.
    public var policy: AuthPolicy
    /// Who vouches for federated credentials.
    public var providers: AuthProviders
    /// How passwords are hashed.
    public var passwordHasher: any PasswordHasher
    /// How mails and text messages leave.
    public var messageSender: any MessageSender
    /// Time and randomness.
    public var environment: AuthEnvironment
    /// The secret from which the service derives its keys; servers that share a store share it.
    ///
    /// Thirty-two random bytes.
    public var secretKey: [UInt8]
    /// How secrets that must be read again are kept; by default sealed with a key derived from `secretKey`.
    public var secretSealer: (any SecretSealer)?
    /// What signs tokens; by default HMAC-SHA-256 with a key derived from `secretKey`.
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

    /// A configuration with these parts; without a key the service makes one that lasts as long as the process.
    public init(
        store: any IdentityStore = InMemoryIdentityStore(),
        policy: AuthPolicy = .standard,
        providers: AuthProviders = .none,
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
        self.secretKey = secretKey ?? environment.randomBytes(32)
        issuer = "https://auth.invalid"
        audience = "authcore"
        actionURL = "https://auth.invalid/action"
        attempts = InMemoryAttemptStore()
        retries = 64
        keptRefusals = 10_000
    }
}

extension AuthConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer and the audience, and no key.
    public var description: String { "AuthConfiguration(\(issuer), \(audience))" }

    /// The issuer and the audience, and no key.
    public var debugDescription: String { description }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "audience": audience]) }
}
