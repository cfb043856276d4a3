import AuthCoreCrypto
import Synchronization

/// The engine: store, policy, verifiers, messages, clock and randomness.
///
/// It has no current user. The operations of people are on ``Auth``, ``AuthClient`` and ``User``; those of operators
/// are on the service itself. Every call takes the same steps: verify, load, decide, commit.
///
/// ```swift
/// func close(_ service: AuthService, accountOf email: String) async throws {
///     guard let account = try await service.account(email: email) else { return }
///     try await service.setDisabled(true, account: account.id)
///     for event in try await service.events().events where event.account == account.id {
///         print(event.at, event.kind, event.reasons)
///     }
/// }
/// ```
public final class AuthService: Sendable {
    /// The parts of the service.
    public let configuration: AuthConfiguration
    let sharedPolicy: SharedPolicy
    let codeKeys: KeyRing
    let messageCodes: MessageCodes
    let actionLinks: ActionLinkForm
    /// The hosts to which a message's link may continue.
    let continueHosts: Set<String>
    let refreshKeys: KeyRing
    let attemptKey: HMACSHA256
    package let signer: any TokenSigner
    package let sealer: any SecretSealer
    let eventNews = Signal()
    /// Why a stream of events could not read the log, until the app is told.
    let streamFailure = Mutex<AuthError?>(nil)
    let refusalLog: RefusalLog
    let warned = Mutex<Set<Warning>>([])

    /// Creates a service of these parts.
    ///
    /// ```swift
    /// let service = AuthService(AuthConfiguration(store: store, secretKey: key))
    /// try await service.run()
    /// ```
    ///
    /// - Parameter configuration: The store, the keys, the policy, the providers and the sender; by default an
    ///   in-memory store and keys of this process only.
    public init(_ configuration: AuthConfiguration = AuthConfiguration()) {
        self.configuration = configuration
        refusalLog = RefusalLog(limit: configuration.keptRefusals)
        let keys = configuration.secretKeys
        refreshKeys = keys.ring("AuthCore refresh tokens 1")
        signer = configuration.tokenSigner ?? HMACTokenSigner(keys.derived("AuthCore tokens 1"))
        // Counters start again with a new key; no count is worth asking twice for.
        attemptKey = keys.ring("AuthCore attempts 1").current
        messageCodes = MessageCodes(keys: keys.ring("AuthCore messages 1"))
        actionLinks = ActionLinkForm(base: configuration.actionURL)
        continueHosts = Set(
            (configuration.continueHosts + [actionLinks.host].compactMap(\.self)).map { $0.lowercased() }
        )
        var policy = configuration.policy
        policy.verifiedProviders = configuration.providers.verified
        policy.addressTrust = policy.addressTrust.pinning(configuration.providers.pinnedDomains)
        sharedPolicy = SharedPolicy(policy, codes: messageCodes)
        codeKeys = keys.ring("AuthCore codes 1")
        sealer = configuration.secretSealer ?? KeyedSecretSealer(keys.derived("AuthCore sealing 1"))
        guard configuration.store.isDurable else { return }
        if configuration.attempts is InMemoryAttemptStore { warn(of: .attemptsAreInMemory) }
        if configuration.messageSender is Message.Outbox { warn(of: .messagesAreInMemory) }
        if actionLinks.host == "auth.invalid" { warn(of: .linksLeadNowhere) }
    }

    /// The streams end with the service.
    deinit {
        eventNews.finish()
        refusalLog.news.finish()
    }

    /// The store, unless it outlives the service's keys.
    package var store: any IdentityStore {
        get throws(AuthError) {
            try requireSecretKey()
            return configuration.store
        }
    }

    var policy: AuthPolicy { sharedPolicy.policy }
    package var environment: AuthEnvironment { configuration.environment }

    /// Throws if the store is durable and the secret key is not: nothing that is written could be read after a restart.
    func requireSecretKey() throws(AuthError) {
        if !configuration.secretKeys.isExplicit, configuration.store.isDurable { throw AuthError(.missingSecretKey) }
    }

    /// The outbox, if messages are kept in memory.
    public var outbox: Message.Outbox? { configuration.messageSender as? Message.Outbox }
}

extension AuthService: CustomReflectable {
    /// A mirror without the keys.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuer": configuration.issuer, "audience": configuration.audience])
    }
}
