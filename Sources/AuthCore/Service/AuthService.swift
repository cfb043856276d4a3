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
    let codeKey: HMACSHA256
    package let messageCodes: MessageCodes
    let actionLinks: ActionLinkForm
    let refreshKey: HMACSHA256
    let attemptKey: HMACSHA256
    package let signer: any TokenSigner
    package let sealer: any SecretSealer
    let drainer: EventDrainer
    let refusalLog: RefusalLog

    /// Creates a service of these parts.
    public init(_ configuration: AuthConfiguration = AuthConfiguration()) {
        self.configuration = configuration
        drainer = EventDrainer(store: configuration.store)
        refusalLog = RefusalLog(limit: configuration.keptRefusals)
        let root = HMACSHA256(key: configuration.secretKey.bytes)
        refreshKey = HMACSHA256(key: root.authenticate(Array("AuthCore refresh tokens 1".utf8)))
        signer =
            configuration.tokenSigner
            ?? HMACTokenSigner(current: .init(id: "1", secret: root.authenticate(Array("AuthCore tokens 1".utf8))))
        attemptKey = HMACSHA256(key: root.authenticate(Array("AuthCore attempts 1".utf8)))
        messageCodes = MessageCodes(key: HMACSHA256(key: root.authenticate(Array("AuthCore messages 1".utf8))))
        actionLinks = ActionLinkForm(base: configuration.actionURL)
        var policy = configuration.policy
        policy.verifiedProviders = configuration.providers.verified
        sharedPolicy = SharedPolicy(policy, codes: messageCodes)
        codeKey = HMACSHA256(key: root.authenticate(Array("AuthCore codes 1".utf8)))
        sealer =
            configuration.secretSealer
            ?? KeyedSecretSealer(checkedKey: root.authenticate(Array("AuthCore sealing 1".utf8)))
    }

    package var store: any IdentityStore { configuration.store }
    var policy: AuthPolicy { sharedPolicy.policy }
    package var environment: AuthEnvironment { configuration.environment }

    /// The outbox, if messages are kept in memory.
    public var outbox: Message.Outbox? { configuration.messageSender as? Message.Outbox }
}

extension AuthService: CustomReflectable {
    /// A mirror without the keys.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuer": configuration.issuer, "audience": configuration.audience])
    }
}
