internal import AuthCore
public import AuthCoreFirebaseApp
public import Foundation
internal import Synchronization

/// The signed-in state of an app: holds the current user, and notifies listeners of changes.
open class Auth: NSObject {
    let presenter: (any FederatedSignInPresenter)?
    let state: Mutex<State>
    /// The app that this belongs to.
    public private(set) weak var app: FirebaseApp?

    /// The name of the notification that the current user's token changed.
    public static let authStateDidChangeNotification = NSNotification.Name(
        rawValue: "FIRAuthStateDidChangeNotification"
    )

    init(app: FirebaseApp?, service: AuthService, device: DeviceID, presenter: (any FederatedSignInPresenter)?) {
        self.app = app
        self.presenter = presenter
        state = Mutex(State(client: service.client(for: device, origin: .local)))
    }

    // The listeners of sequences end them: no change comes any more.
    deinit { state.withLock { $0.listeners }.forEach { $0.end() } }

    /// The default app's `Auth`; call `FirebaseApp.configure()` first.
    open class func auth() -> Auth {
        guard let app = FirebaseApp.app() else {
            fatalError("Call FirebaseApp.configure() before Auth.auth().")
        }
        return auth(app: app)
    }

    /// The `Auth` of an app.
    open class func auth(app: FirebaseApp) -> Auth { configured(for: app) }

    /// The signed-in user, if there is one; a refused operation does not change it.
    public var currentUser: User? { state.withLock { $0.user }?.value }

    /// The language of emails; text messages have none here.
    open var languageCode: String? {
        get { state.withLock { $0.languageCode } }
        set { state.withLock { $0.languageCode = newValue } }
    }

    /// The settings of this `Auth`.
    open var settings: AuthSettings? {
        get { state.withLock { $0.settings }?.value }
        set {
            let copy = newValue.map { Handover($0.copy() as? AuthSettings ?? $0) }
            state.change { $0.settings = copy }
        }
    }

    /// The requested keychain group; there is no keychain here.
    public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

    /// Whether the user is shared between devices; this has no effect.
    open var shareAuthStateAcrossDevices: Bool {
        get { state.withLock { $0.sharesAcrossDevices } }
        set { state.withLock { $0.sharesAcrossDevices = newValue } }
    }

    /// The tenant of people who sign in from now on.
    open var tenantID: String? {
        get { state.withLock { $0.tenantID } }
        set { state.withLock { $0.tenantID = newValue } }
    }

    /// The domain of the pages that providers redirect to.
    open var customAuthDomain: String? {
        get { state.withLock { $0.customAuthDomain } }
        set { state.withLock { $0.customAuthDomain = newValue } }
    }

    /// Passes the current user's ID token to the handler, or nil if no user is signed in.
    public func getToken(
        forcingRefresh forceRefresh: Bool,
        completion callback: @escaping (String?, (any Error)?) -> Void
    ) {
        guard let user = currentUser else {
            let callback = Handover(callback)
            return DispatchQueue.main.async { callback.value(nil, nil) }
        }
        user.getIDTokenForcingRefresh(forceRefresh, completion: callback)
    }

    /// The current user's ID.
    open func getUserID() -> String? { currentUser?.uid }

    // Each operation has two forms, which do the same.

    /// Makes a user the current user, then calls the handler.
    open func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try self.adopt(user) }
    }

    /// Makes a user the current user.
    open func updateCurrentUser(_ user: User) async throws { try await exchange(for: user) }

    /// Passes the methods that sign in with an address to the handler, as far as the policy lets strangers know them.
    @available(*, deprecated, message: "Email enumeration protection deprecates this method.")
    open func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.methods(of: email) }
    }

    /// The methods that sign in with an address, as far as the policy lets strangers know them.
    @available(*, deprecated, message: "Email enumeration protection deprecates this method.")
    open func fetchSignInMethods(forEmail email: String) async throws -> [String] { try await methods(of: email) }

    /// Signs in with an address and its password, then calls the handler.
    open func signIn(
        withEmail email: String,
        password: String,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, password: password), completion: completion)
    }

    /// Signs in with an address and its password.
    @discardableResult
    open func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signIn(presenting: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// Signs in with an address and the link that was mailed to it, then calls the handler.
    open func signIn(
        withEmail email: String,
        link: String,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, link: link), completion: completion)
    }

    /// Signs in with an address and the link that was mailed to it.
    open func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
        try await signIn(presenting: EmailAuthProvider.credential(withEmail: email, link: link))
    }

    /// Asks a provider for a credential and signs in with it, then calls the handler.
    open func signIn(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) {
        deliver(to: completion) { try await self.signIn(presenting: try await provider.credential(with: uiDelegate)) }
    }

    /// Asks a provider for a credential and signs in with it.
    @discardableResult
    open func signIn(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
        try await signIn(presenting: try await provider.credential(with: uiDelegate))
    }

    /// Signs in with a credential, then calls the handler.
    open func signIn(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.signIn(presenting: credential) }
    }

    /// Signs in with a credential.
    @discardableResult
    open func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        try await signIn(presenting: credential)
    }

    /// Signs in to a new anonymous account, then calls the handler.
    open func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.anonymousSignIn() }
    }

    /// Signs in to a new anonymous account; a user who is already anonymous stays the same.
    @discardableResult
    open func signInAnonymously() async throws -> AuthDataResult { try await anonymousSignIn() }

    /// Signs in with a custom token of the app's own server, then calls the handler.
    open func signIn(withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.signIn(presentingCustomToken: token) }
    }

    /// Signs in with a custom token of the app's own server.
    @discardableResult
    open func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        try await signIn(presentingCustomToken: token)
    }

    /// Makes an account with an address and a password, then calls the handler.
    open func createUser(
        withEmail email: String,
        password: String,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.signUp(email, password) }
    }

    /// Makes an account with an address and a password, and signs in to it.
    @discardableResult
    open func createUser(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signUp(email, password)
    }

    /// Sets a new password with a mailed code, then calls the handler.
    open func confirmPasswordReset(
        withCode code: String,
        newPassword: String,
        completion: @escaping ((any Error)?) -> Void
    ) {
        deliver(to: completion) { try await self.resetPassword(code, newPassword) }
    }

    /// Sets a new password with a mailed code.
    open func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
        try await resetPassword(code, newPassword)
    }

    /// Passes what a mailed code does to the handler.
    open func checkActionCode(_ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        deliver(to: completion) { try await self.inspect(code) }
    }

    /// What a mailed code does; the code is not used up.
    open func checkActionCode(_ code: String) async throws -> ActionCodeInfo { try await inspect(code) }

    /// Passes the address whose password a mailed code sets to the handler.
    open func verifyPasswordResetCode(_ code: String, completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(to: completion) { try await self.addressOfPasswordReset(code) }
    }

    /// The address whose password a mailed code sets.
    open func verifyPasswordResetCode(_ code: String) async throws -> String { try await addressOfPasswordReset(code) }

    /// Applies a mailed code, then calls the handler.
    open func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
        deliver(to: completion) { try await self.apply(code) }
    }

    /// Applies a mailed code.
    open func applyActionCode(_ code: String) async throws { try await apply(code) }

    /// Mails the owner of an address a link that sets a new password, then calls the handler.
    open func sendPasswordReset(withEmail email: String, completion: (((any Error)?) -> Void)? = nil) {
        sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
    }

    /// Mails the owner of an address a link that sets a new password, then calls the handler.
    open func sendPasswordReset(
        withEmail email: String,
        actionCodeSettings: ActionCodeSettings?,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailPasswordReset(email, actionCodeSettings) }
    }

    /// Mails the owner of an address a link that sets a new password.
    open func sendPasswordReset(
        withEmail email: String,
        actionCodeSettings: ActionCodeSettings? = nil
    ) async throws {
        try await mailPasswordReset(email, actionCodeSettings)
    }

    /// Mails a link that signs in the owner of the mailbox, then calls the handler.
    open func sendSignInLink(
        toEmail email: String,
        actionCodeSettings: ActionCodeSettings,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailSignInLink(email, actionCodeSettings) }
    }

    /// Mails a link that signs in the owner of the mailbox.
    open func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {
        try await mailSignInLink(email, actionCodeSettings)
    }

    /// Signs out; does nothing if no user is signed in.
    open func signOut() throws { removeCurrentUser() }

    /// Whether a link is a sign-in link.
    open func isSignIn(withEmailLink link: String) -> Bool { ActionCode.Link(link)?.mode == "signIn" }

    /// Calls the listener soon, and then after every change of the current user.
    open func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        addListener(to: .state, listener)
    }

    /// Removes a listener.
    open func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) { removeListener(listenerHandle) }

    /// Calls the listener soon, and then after every change of the current user's token.
    open func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        addListener(to: .token, listener)
    }

    /// Removes a listener.
    open func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) { removeListener(listenerHandle) }

    /// Sends emails in the device's language from now on.
    open func useAppLanguage() { languageCode = Locale.preferredLanguages.first ?? Locale.current.identifier }

    /// Records that an emulator is wanted; everything runs in this process anyway.
    open func useEmulator(withHost host: String, port: Int) {
        if host.isEmpty { return }
        state.withLock { $0.usesEmulator = true }
        settings?.isAppVerificationDisabledForTesting = true
    }

    /// Revokes a token of Sign in with Apple, then calls the handler; there is no Apple server to call here.
    open func revokeToken(withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil)
    {
        deliver(to: completion) {}
    }

    /// Revokes a token of Sign in with Apple; there is no Apple server to call here.
    open func revokeToken(withAuthorizationCode authorizationCode: String) async throws {}

    /// Records a keychain group; there is no keychain here.
    open func useUserAccessGroup(_ accessGroup: String?) throws {
        state.withLock { $0.userAccessGroup = accessGroup }
    }

    /// Nil: there is no keychain here.
    open func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? { nil }

    /// Does nothing: there is no reCAPTCHA here.
    open func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) { deliver(to: completion) {} }

    /// Does nothing: there is no reCAPTCHA here.
    open func initializeRecaptchaConfig() async throws {}

    /// The token of Apple's push service that was set; nothing uses it.
    open var apnsToken: Data? { state.withLock { $0.pushToken } }

    /// Stores a token of Apple's push service, which nothing uses.
    open func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) { state.withLock { $0.pushToken = token } }

    /// False: no notification is meant for this module.
    open func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

    /// False: no URL is meant for this module.
    open func canHandle(_ url: URL) -> Bool { false }
}
