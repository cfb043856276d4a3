internal import AuthCore
public import AuthCoreFirebaseApp
public import Foundation
internal import Synchronization

/// One seat of an app: holds the current user, and tells when it changes.
open class Auth: NSObject {
    let client: AuthClient
    let presenter: (any FederatedSignInPresenter)?
    let state = Mutex(State())
    /// The app whose seat this is.
    public private(set) weak var app: FirebaseApp?

    /// What the notification of a change of the current user's token is called.
    public static let authStateDidChangeNotification = NSNotification.Name(
        rawValue: "FIRAuthStateDidChangeNotification"
    )

    init(app: FirebaseApp?, service: AuthService, seat: SeatID, presenter: (any FederatedSignInPresenter)?) {
        self.app = app
        self.presenter = presenter
        client = service.client(for: seat, origin: .local)
    }

    /// The default app's seat; `FirebaseApp.configure()` comes first.
    open class func auth() -> Auth {
        guard let app = FirebaseApp.app() else {
            fatalError("The default app has no seat before FirebaseApp.configure() has been called.")
        }
        return auth(app: app)
    }

    /// An app's seat.
    open class func auth(app: FirebaseApp) -> Auth { configured(for: app) }

    /// The signed-in person, if there is one; a refused operation does not change it.
    public var currentUser: User? { state.withLock { $0.user }?.value }

    /// The language of mails and messages.
    open var languageCode: String? {
        get { state.withLock { $0.languageCode } }
        set { state.withLock { $0.languageCode = newValue } }
    }

    /// The seat's settings.
    open var settings: AuthSettings? {
        get { state.withLock { $0.settings }?.value }
        set {
            let copy = newValue.map { Handover($0.copy() as? AuthSettings ?? $0) }
            state.withLock { $0.settings = copy }
        }
    }

    /// The keychain group that was asked for; there is no keychain here.
    public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

    /// Whether the signed-in person was to be shared between devices; nothing is.
    open var shareAuthStateAcrossDevices: Bool {
        get { state.withLock { $0.sharesAcrossDevices } }
        set { state.withLock { $0.sharesAcrossDevices = newValue } }
    }

    /// The tenant that people who sign in from now on belong to.
    open var tenantID: String? {
        get { state.withLock { $0.tenantID } }
        set { state.withLock { $0.tenantID = newValue } }
    }

    /// The domain of the pages that providers lead back to.
    open var customAuthDomain: String? {
        get { state.withLock { $0.customAuthDomain } }
        set { state.withLock { $0.customAuthDomain = newValue } }
    }

    /// Gives the current user's ID token to the handler, or nothing if nobody is signed in.
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

    /// The current user's id.
    open func getUserID() -> String? { currentUser?.uid }

    // Each operation has two forms, and both do the same.

    /// Puts a person into the seat, and then calls the handler.
    open func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try self.adopt(user) }
    }

    /// Puts a person into the seat.
    open func updateCurrentUser(_ user: User) async throws { try adopt(user) }

    /// Gives the methods that sign in under an address to the handler, as far as the policy lets strangers know.
    @available(*, deprecated, message: "Email enumeration protection deprecates this method.")
    open func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.methods(of: email) }
    }

    /// The methods that sign in under an address, as far as the policy lets strangers know.
    @available(*, deprecated, message: "Email enumeration protection deprecates this method.")
    open func fetchSignInMethods(forEmail email: String) async throws -> [String] { try await methods(of: email) }

    /// Signs in with an address and its password, and then calls the handler.
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

    /// Signs in with an address and the link that was mailed to it, and then calls the handler.
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

    /// Asks a provider for a credential and signs in with it, and then calls the handler.
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

    /// Signs in with a credential, and then calls the handler.
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

    /// Signs in to a new account that only this seat holds, and then calls the handler.
    open func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.anonymousSignIn() }
    }

    /// Signs in to a new account that only this seat holds; an anonymous person stays who they are.
    @discardableResult
    open func signInAnonymously() async throws -> AuthDataResult { try await anonymousSignIn() }

    /// Signs in with a token of the app's own server, and then calls the handler.
    open func signIn(withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.signIn(presentingCustomToken: token) }
    }

    /// Signs in with a token of the app's own server.
    @discardableResult
    open func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        try await signIn(presentingCustomToken: token)
    }

    /// Makes an account with an address and a password, and then calls the handler.
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

    /// Sets a new password by a mailed code, and then calls the handler.
    open func confirmPasswordReset(
        withCode code: String,
        newPassword: String,
        completion: @escaping ((any Error)?) -> Void
    ) {
        deliver(to: completion) { try await self.resetPassword(code, newPassword) }
    }

    /// Sets a new password by a mailed code.
    open func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
        try await resetPassword(code, newPassword)
    }

    /// Tells the handler what a mailed code is for.
    open func checkActionCode(_ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        deliver(to: completion) { try await self.inspect(code) }
    }

    /// What a mailed code is for; nothing is used up.
    open func checkActionCode(_ code: String) async throws -> ActionCodeInfo { try await inspect(code) }

    /// Gives the address whose password a mailed code sets to the handler.
    open func verifyPasswordResetCode(_ code: String, completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(to: completion) { try await self.addressOfPasswordReset(code) }
    }

    /// The address whose password a mailed code sets.
    open func verifyPasswordResetCode(_ code: String) async throws -> String { try await addressOfPasswordReset(code) }

    /// Applies a mailed code, and then calls the handler.
    open func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
        deliver(to: completion) { try await self.apply(code) }
    }

    /// Applies a mailed code.
    open func applyActionCode(_ code: String) async throws { try await apply(code) }

    /// Mails the owner of an address a link that sets a new password, and then calls the handler.
    open func sendPasswordReset(withEmail email: String, completion: (((any Error)?) -> Void)? = nil) {
        sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
    }

    /// Mails the owner of an address a link that sets a new password, and then calls the handler.
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

    /// Mails a link that signs in whoever owns the mailbox, and then calls the handler.
    open func sendSignInLink(
        toEmail email: String,
        actionCodeSettings: ActionCodeSettings,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailSignInLink(email, actionCodeSettings) }
    }

    /// Mails a link that signs in whoever owns the mailbox.
    open func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {
        try await mailSignInLink(email, actionCodeSettings)
    }

    /// Signs out; with nobody signed in there is nothing to do.
    open func signOut() throws { empty() }

    /// Whether a link was mailed to sign somebody in.
    open func isSignIn(withEmailLink link: String) -> Bool { ActionLink(link)?.mode == "signIn" }

    /// Calls the listener soon, and then whenever somebody else sits in the seat.
    open func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        addListener(to: .state, listener)
    }

    /// Forgets a listener.
    open func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) { removeListener(listenerHandle) }

    /// Calls the listener soon, and then whenever the current user's token changes.
    open func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        addListener(to: .token, listener)
    }

    /// Forgets a listener.
    open func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) { removeListener(listenerHandle) }

    /// Mails and messages are to be in the device's language.
    open func useAppLanguage() { languageCode = Locale.preferredLanguages.first ?? Locale.current.identifier }

    /// Notes that an emulator is wanted; everything happens in this process anyway.
    open func useEmulator(withHost host: String, port: Int) {
        if host.isEmpty { return }
        state.withLock { $0.usesEmulator = true }
    }

    /// Gives a token of Sign in with Apple back, and then calls the handler; there is nobody here to give it to.
    open func revokeToken(withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil)
    {
        deliver(to: completion) {}
    }

    /// Gives a token of Sign in with Apple back; there is nobody here to give it to.
    open func revokeToken(withAuthorizationCode authorizationCode: String) async throws {}

    /// Notes a keychain group; there is no keychain here.
    open func useUserAccessGroup(_ accessGroup: String?) throws {
        state.withLock { $0.userAccessGroup = accessGroup }
    }

    /// Nobody: there is no keychain here.
    open func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? { nil }

    /// Does nothing: there is nothing to keep robots away from.
    open func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) { deliver(to: completion) {} }

    /// Does nothing: there is nothing to keep robots away from.
    open func initializeRecaptchaConfig() async throws {}

    /// Nothing: there is no push service here.
    open var apnsToken: Data? { state.withLock { $0.pushToken } }

    /// Notes a token of Apple's push service; nothing uses it.
    open func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) { state.withLock { $0.pushToken = token } }

    /// False: no notification is meant for this module.
    open func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

    /// False: no address is meant for this module.
    open func canHandle(_ url: URL) -> Bool { false }
}
