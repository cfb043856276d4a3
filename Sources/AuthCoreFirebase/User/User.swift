internal import AuthCore
internal import AuthCoreFirebaseApp
public import Foundation
internal import Synchronization

/// A signed-in user.
open class User: NSObject, UserInfo, NSSecureCoding {
    let core: AuthCore.User
    /// What the handles of one session share.
    let lease: SessionLease
    let view: Mutex<View>

    struct View: Sendable {
        var tenantID: String?
        /// What the app wrote over the account's values, until the account is loaded again.
        var displayName: String??
        var photoURL: URL??
        var factors: Handover<MultiFactor>?
        var device: WeakHandover<Auth>?
    }

    init(_ core: AuthCore.User, _ lease: SessionLease, in auth: Auth) {
        self.core = core
        self.lease = lease
        view = Mutex(View(tenantID: auth.tenantID, device: WeakHandover(auth)))
    }

    /// Another handle of the same session.
    init(anotherOf user: User) {
        core = user.core
        lease = user.lease
        var shown = user.view.withLock { $0 }
        shown.factors = nil
        view = Mutex(shown)
    }

    /// Whether the account has no sign-in method.
    public var isAnonymous: Bool { core.isAnonymous }

    /// Whether the account has no sign-in method.
    open func anonymous() -> Bool { isAnonymous }

    /// Whether the address is verified.
    public var isEmailVerified: Bool { core.isEmailVerified }

    /// Whether the address is verified.
    open func emailVerified() -> Bool { isEmailVerified }

    /// The sign-in methods, one entry for each provider.
    open var providerData: [any UserInfo] { core.providerData.map { UserInfoImpl($0) } }

    /// When the account was made and last used.
    public var metadata: UserMetadata { UserMetadata(core.metadata) }

    /// The tenant that was set when the user signed in.
    public var tenantID: String? { view.withLock { $0.tenantID } }

    /// The user's second factors.
    public var multiFactor: MultiFactor {
        let fresh = Handover(MultiFactor(user: self))
        return view.withLock { view in
            if let factors = view.factors { return factors }
            view.factors = fresh
            return fresh
        }.value
    }

    /// A token with which a server gets the next ID token, once.
    open var refreshToken: String? { lease.refreshToken }

    /// Always `Firebase`: this is the account itself, not one of its providers.
    open var providerID: String { "Firebase" }

    /// The account's ID.
    open var uid: String { core.uid }

    /// The display name; a value written here is replaced when the account is loaded again.
    open var displayName: String? {
        get { view.withLock { $0.displayName } ?? core.displayName }
        set { view.withLock { $0.displayName = .some(newValue) } }
    }

    /// The URL of the picture; a value written here is replaced when the account is loaded again.
    open var photoURL: URL? {
        get { view.withLock { $0.photoURL } ?? core.photoURL.flatMap { URL(string: $0) } }
        set { view.withLock { $0.photoURL = .some(newValue) } }
    }

    /// The address.
    open var email: String? { core.email }

    /// The number.
    open var phoneNumber: String? { core.phoneNumber }

    /// Begins a change of the name and the picture.
    open func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }

    // Each operation has two forms, which do the same.

    /// Changes the account's address at once, then calls the handler.
    @available(*, deprecated, message: "Use sendEmailVerification(beforeUpdatingEmail:) instead.")
    open func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.setEmail(email) }
    }

    /// Changes the account's address at once.
    @available(*, deprecated, message: "Use sendEmailVerification(beforeUpdatingEmail:) instead.")
    open func updateEmail(to email: String) async throws { try await setEmail(email) }

    /// Sets the password, then calls the handler.
    open func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.setPassword(password) }
    }

    /// Sets the password.
    open func updatePassword(to password: String) async throws { try await setPassword(password) }

    /// Replaces the account's phone number, then calls the handler.
    open func updatePhoneNumber(
        _ credential: PhoneAuthCredential,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.setPhoneNumber(credential) }
    }

    /// Replaces the account's phone number.
    open func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws { try await setPhoneNumber(credential) }

    /// Loads the account again, then calls the handler.
    open func reload(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.lookAgain() }
    }

    /// Loads the account again.
    open func reload() async throws { try await lookAgain() }

    /// Reauthenticates the user, then calls the handler.
    open func reauthenticate(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.reauthenticate(presenting: credential) }
    }

    /// Reauthenticates the user; another person's credential is `userMismatch`.
    @discardableResult
    open func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
        try await reauthenticate(presenting: credential)
    }

    /// Asks a provider to reauthenticate the user, then calls the handler.
    open func reauthenticate(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) {
            try await self.reauthenticate(presenting: try await provider.credential(with: uiDelegate))
        }
    }

    /// Asks a provider to reauthenticate the user.
    @discardableResult
    open func reauthenticate(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
        try await reauthenticate(presenting: try await provider.credential(with: uiDelegate))
    }

    /// Links a sign-in method, then calls the handler.
    open func link(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.link(presenting: credential) }
    }

    /// Links a sign-in method.
    @discardableResult
    open func link(with credential: AuthCredential) async throws -> AuthDataResult {
        try await link(presenting: credential)
    }

    /// Asks a provider for an identity and links it, then calls the handler.
    open func link(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.link(presenting: try await provider.credential(with: uiDelegate)) }
    }

    /// Asks a provider for an identity and links it.
    @discardableResult
    open func link(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
        try await link(presenting: try await provider.credential(with: uiDelegate))
    }

    /// Removes a sign-in method, then calls the handler.
    open func unlink(fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.unlinked(provider) }
    }

    /// Removes a sign-in method.
    open func unlink(fromProvider provider: String) async throws -> User { try await unlinked(provider) }

    /// Passes an ID token to the handler.
    open func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
        getIDTokenForcingRefresh(false, completion: completion)
    }

    /// Passes an ID token to the handler, a new one if requested.
    open func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?) {
        deliver(to: completion) { try await self.idToken(forceRefresh).token }
    }

    /// An ID token, a new one if requested.
    open func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
        try await idToken(forceRefresh).token
    }

    /// An ID token, a new one if requested.
    open func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
        try await idToken(forceRefresh).token
    }

    /// Passes an ID token and its content to the handler.
    open func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
        getIDTokenResult(forcingRefresh: false, completion: completion)
    }

    /// Passes an ID token and its content to the handler, a new one if requested.
    open func getIDTokenResult(
        forcingRefresh: Bool,
        completion: ((AuthTokenResult?, (any Error)?) -> Void)?
    ) {
        deliver(to: completion) { AuthTokenResult(try await self.idToken(forcingRefresh)) }
    }

    /// An ID token and its content, a new one if requested.
    open func getIDTokenResult(forcingRefresh forceRefresh: Bool = false) async throws -> AuthTokenResult {
        AuthTokenResult(try await idToken(forceRefresh))
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Mails a link that verifies the address, then calls the handler.
    open func __sendEmailVerification(withCompletion completion: (((any Error)?) -> Void)?) {
        sendEmailVerification(with: nil, completion: completion)
    }

    /// Mails a link that verifies the address, then calls the handler.
    open func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings? = nil,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailVerification(actionCodeSettings) }
    }

    /// Mails a link that verifies the address.
    open func sendEmailVerification(with actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await mailVerification(actionCodeSettings)
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Mails a new address a link that makes it the account's address, then calls the handler.
    open func __sendEmailVerificationBeforeUpdating(email: String, completion: (((any Error)?) -> Void)?) {
        sendEmailVerification(beforeUpdatingEmail: email, completion: completion)
    }

    /// Mails a new address a link that makes it the account's address, then calls the handler.
    open func sendEmailVerification(
        beforeUpdatingEmail email: String,
        actionCodeSettings: ActionCodeSettings? = nil,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailVerification(beforeUpdatingTo: email, actionCodeSettings) }
    }

    /// Mails a new address a link that makes it the account's address.
    open func sendEmailVerification(
        beforeUpdatingEmail newEmail: String,
        actionCodeSettings: ActionCodeSettings? = nil
    ) async throws {
        try await mailVerification(beforeUpdatingTo: newEmail, actionCodeSettings)
    }

    /// Deletes the account, then calls the handler.
    open func delete(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.deleteAccount() }
    }

    /// Deletes the account and everything that belongs to it.
    ///
    /// Where the policy has a `deletionGrace`, signing in or a password reset during it cancels the deletion.
    open func delete() async throws { try await deleteAccount() }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the user's ID and where it belongs, without any secret.
    public func encode(with coder: NSCoder) {
        coder.encode(core.handle.session.text as NSString, forKey: "session")
        coder.encode(auth?.app?.name as NSString?, forKey: "app")
    }

    /// Finds the user in the process that wrote it; nil if its session is not known.
    public required convenience init?(coder: NSCoder) {
        guard let session = coder.text(forKey: "session"),
            let auth = Auth.configured(forAppNamed: coder.text(forKey: "app")),
            let lease = auth.lease(ofSession: session)
        else { return nil }
        self.init(lease.core, lease, in: auth)
    }
}
