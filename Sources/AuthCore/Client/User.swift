import Synchronization

/// A signed-in user: an account, and the session that acts for it.
///
/// The properties are a snapshot from the last operation of this object; ``reload()`` reads the account again. An app
/// gets its user from ``Auth/currentUser``, a server one per request from ``AuthClient/user(forIDToken:)``:
///
/// ```swift
/// func link(_ credential: AuthCredential, toBearerOf token: String, on client: AuthClient) async throws {
///     try await client.user(forIDToken: token).link(with: credential)
/// }
/// ```
///
/// ``AuthError`` lists the codes that any function can throw, and those that say that the session is over.
public final class User: Sendable {
    private let view: Mutex<View>

    /// The account and the session as of the last operation.
    private struct View: Sendable {
        var client: AuthClient
        var signedIn: SignedIn
        /// Whether it was made from a token, which is not accepted any more after a change of privileges elsewhere.
        let isOfToken: Bool
        /// The signed-in state whose current user this is; it is notified when the session is over.
        weak var auth: Auth?
        /// The ID token that was issued last and is still valid.
        var token: (result: IDTokenResult, of: SignedIn)?
    }

    init(client: AuthClient, signedIn: SignedIn, isOfToken: Bool = false) {
        view = Mutex(View(client: client.on(signedIn.device), signedIn: signedIn, isOfToken: isOfToken))
    }

    /// The session that this user acts in.
    package var handle: ActingHandle {
        view.withLock { view in
            ActingHandle(
                session: view.signedIn.session.id,
                account: view.signedIn.account.id,
                rotation: view.isOfToken ? view.signedIn.session.rotation : nil
            )
        }
    }

    /// The client whose flows this user's device calls.
    package var client: AuthClient { view.withLock { $0.client } }

    /// The device, to keep in a cookie or a keychain.
    public var device: DeviceID { client.device }

    /// The account as of the last operation, with the parts that only the service may see.
    package var account: Account { view.withLock { $0.signedIn }.account }

    /// The session as of the last operation, as a stored row.
    package var session: Session { view.withLock { $0.signedIn }.session }

    /// The session as of the last operation.
    public var sessionInfo: SessionInfo { SessionInfo(session, isCurrent: true) }

    /// Takes over the account and the session that an operation returned, each unless a newer one is known; if the
    /// operation ended the session, signs the user out on this device.
    func adopt(_ signedIn: SignedIn) async {
        if let device = signedIn.device {
            use(device)
            await view.withLock({ $0.auth })?.use(device)
        }
        view.withLock { view in
            let last = view.signedIn
            if last.isNewer(than: signedIn) && !signedIn.isNewer(than: last) { return }
            view.signedIn = signedIn
            // Of two operations that crossed, one may have changed only the account and the other only the session.
            if last.account.version > signedIn.account.version { view.signedIn.reference = last.reference }
            if last.session.rotation > signedIn.session.rotation {
                view.signedIn.sessionReference = last.sessionReference
                // A login may change the session alone, so that the newer session has the last sign-in.
                view.signedIn.lastSignIn = last.lastSignIn
            }
            if signedIn.isNewer(than: last) { view.token = nil }
        }
        if signedIn.endsSession { _ = await clearCurrentUser(.sessionEnded(.userTokenExpired))?.result }
    }

    /// The ID token that was issued last, if nothing changed since.
    package var lastToken: IDTokenResult? { view.withLock { $0.token }?.result }

    /// Keeps an ID token for the next call, unless the account or the session changed since it was asked for, or the
    /// token that is kept was asked for later.
    func keep(_ token: IDTokenResult, of signedIn: SignedIn) {
        view.withLock { view in
            if view.signedIn.isNewer(than: signedIn) || view.token?.of.isNewer(than: signedIn) == true { return }
            view.token = (token, signedIn)
        }
    }

    /// The account's ID.
    public var accountID: AccountID { account.id }

    /// The account's ID as text.
    public var uid: String { account.id.text }

    /// The primary address.
    public var email: String? { account.email?.text }

    /// Whether the primary address is verified, as the policy counts it.
    public var isEmailVerified: Bool { account.isEmailVerified(under: service.policy) }

    /// The name that others see.
    public var displayName: String? { account.displayName }

    /// The address of the picture that others see.
    public var photoURL: String? { account.photoURL }

    /// The phone number that signs in.
    public var phoneNumber: String? { account.activePhoneNumber?.text }

    /// Whether the account is a guest's: made without a credential, and nothing to sign in by was added since.
    ///
    /// Only this session can use it.
    public var isAnonymous: Bool { account.isAnonymous }

    /// The sign-in methods, one entry per provider.
    public var providerData: [UserInfo] { account.providerData }

    /// Whether a password signs in to the account.
    ///
    /// The entry ``ProviderID/password`` of ``providerData`` stands for a password and for mailed links.
    public var hasPassword: Bool { account.passwordMethod?.isActive ?? false }

    /// The claims that the app's server gave the account, such as a role.
    public var customClaims: [String: ClaimValue] { account.customClaims }

    /// When the account was created and last signed in to.
    public var metadata: UserInfo.Metadata {
        let signedIn = view.withLock { $0.signedIn }
        return UserInfo.Metadata(
            creationDate: signedIn.account.createdAt.date,
            lastSignInDate: signedIn.lastSignIn?.date
        )
    }

    package var service: AuthService { client.service }

    var context: RequestContext { client.context }

    /// Performs an operation of this user; if the session is over, signs the user out on this device.
    ///
    /// By default the caller waits until the message was sent: they are signed in, so the time tells them nothing.
    func perform<O: Operation>(
        _ operation: O,
        delivering delivery: MessageDelivery = .awaited,
        after seen: Snapshot? = nil
    ) async throws(AuthError) -> O.Outcome {
        try await inSession { () async throws(AuthError) in
            try await service.perform(operation, context, after: seen, delivering: delivery)
        }
    }

    /// Throws what an operation of this user would be refused with now; returns what was read for that.
    ///
    /// Its message counts only afterwards: else a stranger could use up the messages to an address or number, and none
    /// would arrive.
    func requirePermission<O: Operation>(for operation: O) async throws(AuthError) -> Snapshot {
        try await inSession { () async throws(AuthError) in
            try await service.previewedOutcome(of: operation, context).loaded
        }
    }

    /// Asks the service something in this session; if the session is over, signs the user out on this device.
    package func inSession<Answer>(_ ask: () async throws(AuthError) -> Answer) async throws(AuthError) -> Answer {
        do throws(AuthError) { return try await ask() } catch {
            if error.code.endsSession { _ = await clearCurrentUser(.sessionEnded(error.code))?.result }
            throw error
        }
    }

    /// Refuses texts that exceed the length limit.
    func checkBounds(of texts: [String?], in operation: String) throws(AuthError) {
        try service.checkBounds(of: texts, in: operation, context, account: handle.account)
    }

    /// Performs an operation of this user and takes over the account and the session that it returns.
    func act<O: Operation>(_ operation: O) async throws(AuthError) where O.Outcome == SignedIn {
        await adopt(try await perform(operation))
    }

    /// Clears the current user if it is this one; returns the save.
    func clearCurrentUser(_ change: Auth.Change) -> Task<Void, any Error>? {
        view.withLock({ $0.auth })?.clearCurrentUser(self, change)
    }

    func noticeEndedSession() async { await view.withLock({ $0.auth })?.noticeEndedSession() }

    /// Makes the next requests on this device.
    package func use(_ device: DeviceID) { view.withLock { $0.client = $0.client.on(device) } }

    /// Records the signed-in state whose current user this is.
    func attach(to auth: Auth) { view.withLock { $0.auth = auth } }
}

extension SignedIn {
    /// Whether the account or the session changed since the other answer; each of two answers may be newer in one.
    fileprivate func isNewer(than other: SignedIn) -> Bool {
        account.version > other.account.version || session.rotation > other.session.rotation
    }
}
