internal import AuthCore
internal import AuthCoreFirebaseApp
public import Foundation
internal import Synchronization

/// The handle of a signed-in person.
open class User: NSObject, UserInfo, NSSecureCoding {
    let core: AuthCore.User
    private let view: Mutex<View>

    private struct View: Sendable {
        var tenantID: String?
        var refreshToken: String?
        /// What the app wrote over what the account says, until somebody looks at the account again.
        var displayName: String??
        var photoURL: URL??
        var factors: Handover<MultiFactor>?
        /// Whether the session ends with the last handle: its person signed out.
        var endsWithHandle = false
        var seat: WeakHandover<Auth>?
    }

    init(_ core: AuthCore.User, in auth: Auth, refreshToken: String?) {
        self.core = core
        view = Mutex(View(tenantID: auth.tenantID, refreshToken: refreshToken, seat: WeakHandover(auth)))
    }

    deinit {
        // FirebaseAuth's sign-out is a matter of the client: whoever holds the handle may go on. With the last handle
        // the way in is gone, and so is the session.
        guard view.withLock({ $0.endsWithHandle }) else { return }
        Task.detached { [core] in try? await core.signOut() }
    }

    /// The seat in which the person sits.
    var auth: Auth? {
        get { view.withLock { $0.seat }?.value }
        set {
            let seat = newValue.map { WeakHandover($0) }
            view.withLock { $0.seat = seat }
        }
    }

    /// Says whether the session is to end when nobody holds the handle any more.
    func endWithHandle(_ ends: Bool) { view.withLock { $0.endsWithHandle = ends } }

    /// Does something as this person; a session that turns out to be over empties the seat before the error arrives.
    func acting<Outcome>(
        presenting credential: AuthCredential? = nil,
        _ work: (AuthCore.User) async throws(AuthError) -> Outcome
    ) async throws -> Outcome {
        let version = core.account.version
        do throws(AuthError) {
            let outcome = try await work(core)
            forgetChanges()
            if core.account.version != version { auth?.tokenDidChange(of: self) }
            return outcome
        } catch {
            if error.code.endsSession { auth?.leave(self) }
            throw NSError(error, presenting: credential, in: auth)
        }
    }

    private func forgetChanges() {
        let factors = view.withLock { view in
            view.displayName = nil
            view.photoURL = nil
            return view.factors
        }
        factors?.value.forgetChanges()
    }

    /// Whether nothing but this handle leads to the account.
    public var isAnonymous: Bool { core.isAnonymous }

    /// Whether nothing but this handle leads to the account.
    open func anonymous() -> Bool { isAnonymous }

    /// Whether somebody vouched for the address.
    public var isEmailVerified: Bool { core.isEmailVerified }

    /// Whether somebody vouched for the address.
    open func emailVerified() -> Bool { isEmailVerified }

    /// The ways in, one entry a provider.
    open var providerData: [any UserInfo] { core.providerData.map { UserInfoImpl($0) } }

    /// When the account was made and last used.
    public var metadata: UserMetadata { UserMetadata(core.metadata) }

    /// The tenant that was set when the person signed in.
    public var tenantID: String? { view.withLock { $0.tenantID } }

    /// The person's second factors.
    public var multiFactor: MultiFactor {
        let fresh = Handover(MultiFactor(user: self))
        return view.withLock { view in
            if let factors = view.factors { return factors }
            view.factors = fresh
            return fresh
        }.value
    }

    /// A token with which a server gets the next ID token, once.
    open var refreshToken: String? { view.withLock { $0.refreshToken } }

    /// Always `Firebase`: the account itself, not one of its providers.
    open var providerID: String { "Firebase" }

    /// The account's id.
    open var uid: String { core.uid }

    /// The name shown to others; what is written here is forgotten when the account is looked at again.
    open var displayName: String? {
        get { view.withLock { $0.displayName } ?? core.displayName }
        set { view.withLock { $0.displayName = .some(newValue) } }
    }

    /// The picture shown to others; what is written here is forgotten when the account is looked at again.
    open var photoURL: URL? {
        get { view.withLock { $0.photoURL } ?? core.photoURL.flatMap { URL(string: $0) } }
        set { view.withLock { $0.photoURL = .some(newValue) } }
    }

    /// The address.
    open var email: String? { core.email }

    /// The number.
    open var phoneNumber: String? { core.phoneNumber }

    /// Begins to change the name and the picture.
    open func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }

    // Each operation has two forms, and both do the same.

    /// Moves the account to another address at once, and then calls the handler.
    @available(*, deprecated, message: "Use sendEmailVerification(beforeUpdatingEmail:) instead.")
    open func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.setEmail(email) }
    }

    /// Moves the account to another address at once.
    @available(*, deprecated, message: "Use sendEmailVerification(beforeUpdatingEmail:) instead.")
    open func updateEmail(to email: String) async throws { try await setEmail(email) }

    /// Sets the password, and then calls the handler.
    open func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.setPassword(password) }
    }

    /// Sets the password.
    open func updatePassword(to password: String) async throws { try await setPassword(password) }

    /// Puts a number in the place of the one the account has, and then calls the handler.
    open func updatePhoneNumber(
        _ credential: PhoneAuthCredential,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.setPhoneNumber(credential) }
    }

    /// Puts a number in the place of the one the account has.
    open func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws { try await setPhoneNumber(credential) }

    /// Looks at the account again, and then calls the handler.
    open func reload(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.lookAgain() }
    }

    /// Looks at the account again.
    open func reload() async throws { try await lookAgain() }

    /// Proves again who the person is, and then calls the handler.
    open func reauthenticate(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.reauthenticate(presenting: credential) }
    }

    /// Proves again who the person is; another person's credential is `userMismatch`.
    @discardableResult
    open func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
        try await reauthenticate(presenting: credential)
    }

    /// Asks a provider to prove again who the person is, and then calls the handler.
    open func reauthenticate(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) {
            try await self.reauthenticate(presenting: try await provider.credential(with: uiDelegate))
        }
    }

    /// Asks a provider to prove again who the person is.
    @discardableResult
    open func reauthenticate(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
        try await reauthenticate(presenting: try await provider.credential(with: uiDelegate))
    }

    /// Adds a way in, and then calls the handler.
    open func link(
        with credential: AuthCredential,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.link(presenting: credential) }
    }

    /// Adds a way in.
    @discardableResult
    open func link(with credential: AuthCredential) async throws -> AuthDataResult {
        try await link(presenting: credential)
    }

    /// Asks a provider for a way in to add, and then calls the handler.
    open func link(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?,
        completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.link(presenting: try await provider.credential(with: uiDelegate)) }
    }

    /// Asks a provider for a way in to add.
    @discardableResult
    open func link(
        with provider: any FederatedAuthProvider,
        uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
        try await link(presenting: try await provider.credential(with: uiDelegate))
    }

    /// Takes a way in off the account, and then calls the handler.
    open func unlink(fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.unlinked(provider) }
    }

    /// Takes a way in off the account.
    open func unlink(fromProvider provider: String) async throws -> User { try await unlinked(provider) }

    /// Gives an ID token to the handler.
    open func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
        getIDTokenForcingRefresh(false, completion: completion)
    }

    /// Gives an ID token to the handler, a new one if that is asked for.
    open func getIDTokenForcingRefresh(_ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?) {
        deliver(to: completion) { try await self.idToken(forceRefresh).token }
    }

    /// An ID token, a new one if that is asked for.
    open func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
        try await idToken(forceRefresh).token
    }

    /// An ID token, a new one if that is asked for.
    open func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
        try await idToken(forceRefresh).token
    }

    /// Gives an ID token with what it says to the handler.
    open func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
        getIDTokenResult(forcingRefresh: false, completion: completion)
    }

    /// Gives an ID token with what it says to the handler, a new one if that is asked for.
    open func getIDTokenResult(
        forcingRefresh: Bool,
        completion: ((AuthTokenResult?, (any Error)?) -> Void)?
    ) {
        deliver(to: completion) { AuthTokenResult(try await self.idToken(forcingRefresh)) }
    }

    /// An ID token with what it says, a new one if that is asked for.
    open func getIDTokenResult(forcingRefresh forceRefresh: Bool = false) async throws -> AuthTokenResult {
        AuthTokenResult(try await idToken(forceRefresh))
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Mails a link that proves the address, and then calls the handler.
    open func __sendEmailVerification(withCompletion completion: (((any Error)?) -> Void)?) {
        sendEmailVerification(with: nil, completion: completion)
    }

    /// Mails a link that proves the address, and then calls the handler.
    open func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings? = nil,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailVerification(actionCodeSettings) }
    }

    /// Mails a link that proves the address.
    open func sendEmailVerification(with actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await mailVerification(actionCodeSettings)
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Mails a new address a link that moves the account to it, and then calls the handler.
    open func __sendEmailVerificationBeforeUpdating(email: String, completion: (((any Error)?) -> Void)?) {
        sendEmailVerification(beforeUpdatingEmail: email, completion: completion)
    }

    /// Mails a new address a link that moves the account to it, and then calls the handler.
    open func sendEmailVerification(
        beforeUpdatingEmail email: String,
        actionCodeSettings: ActionCodeSettings? = nil,
        completion: (((any Error)?) -> Void)? = nil
    ) {
        deliver(to: completion) { try await self.mailVerification(beforeUpdatingTo: email, actionCodeSettings) }
    }

    /// Mails a new address a link that moves the account to it.
    open func sendEmailVerification(
        beforeUpdatingEmail newEmail: String,
        actionCodeSettings: ActionCodeSettings? = nil
    ) async throws {
        try await mailVerification(beforeUpdatingTo: newEmail, actionCodeSettings)
    }

    /// Deletes the account, and then calls the handler.
    open func delete(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.deleteAccount() }
    }

    /// Deletes the account with everything that belongs to it.
    open func delete() async throws { try await deleteAccount() }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes whose handle it is and where it belongs, and nothing that lets anybody in.
    public func encode(with coder: NSCoder) {
        coder.encode(core.handle.session.text as NSString, forKey: "session")
        coder.encode(auth?.app?.name as NSString?, forKey: "app")
    }

    /// Finds the handle again in the process that wrote it; nil where its session is not known.
    public required convenience init?(coder: NSCoder) {
        guard let session = coder.text(forKey: "session"),
            let auth = Auth.configured(forAppNamed: coder.text(forKey: "app")),
            let core = auth.handle(ofSession: session)
        else { return nil }
        self.init(core, in: auth, refreshToken: nil)
    }
}
