import Synchronization

/// The handle of a signed-in person.
///
/// Its properties show the account as this handle last saw it; `reload()` looks again.
public final class User: Sendable {
    let service: AuthService
    package let handle: ActingHandle
    private let view: Mutex<View>

    /// What the handle last saw.
    private struct View: Sendable {
        var account: Account
        var session: Session
        var lastSignIn: Timestamp?
        /// The seat that learns when the session is over.
        weak var seat: Auth?
        /// The ID token that is still good.
        var token: IDTokenResult?
    }

    package init(service: AuthService, signedIn: SignedIn) {
        self.service = service
        handle = ActingHandle(session: signedIn.session.id, account: signedIn.account.id)
        view = Mutex(View(account: signedIn.account, session: signedIn.session, lastSignIn: signedIn.lastSignIn))
    }

    /// The account as the handle last saw it.
    public var account: Account { view.withLock { $0.account } }

    /// The session as the handle last saw it.
    public var session: Session { view.withLock { $0.session } }

    /// Takes over what an operation left behind.
    package func adopt(_ signedIn: SignedIn) {
        view.withLock { view in
            guard signedIn.account.version >= view.account.version else { return }
            view.account = signedIn.account
            view.session = signedIn.session
            view.lastSignIn = signedIn.lastSignIn
            view.token = nil
        }
    }

    /// The ID token that was issued last, if nothing changed since.
    package var lastToken: IDTokenResult? { view.withLock { $0.token } }

    /// Keeps an ID token for the next caller.
    package func keep(_ token: IDTokenResult) { view.withLock { $0.token = token } }

    /// The account's name.
    public var uid: String { handle.account.text }

    /// The primary address.
    public var email: String? { account.email?.text }

    /// Whether somebody vouched for the primary address in a way that the policy counts.
    public var isEmailVerified: Bool { account.isEmailVerified(under: service.policy) }

    /// The name shown to others.
    public var displayName: String? { account.displayName }

    /// The picture shown to others.
    public var photoURL: String? { account.photoURL }

    /// The sign-in number.
    public var phoneNumber: String? { account.phoneNumber?.text }

    /// Whether nothing but the seat holds the account.
    public var isAnonymous: Bool { account.isAnonymous }

    /// The ways in, one entry a provider.
    public var providerData: [UserInfo] { account.providerData }

    /// When the account was made and last used.
    public var metadata: UserMetadata {
        view.withLock { UserMetadata(creationDate: $0.account.createdAt.date, lastSignInDate: $0.lastSignIn?.date) }
    }

    /// Where the session's requests come from; what is bound to a seat works only there.
    var context: RequestContext {
        let session = session
        return RequestContext(seat: session.seat, origin: session.origin, device: session.device)
    }

    /// Walks an operation of this person; a seat whose session is over learns it here.
    func perform<O: Operation>(
        _ operation: O,
        _ delivery: MessageDelivery = .awaited
    ) async throws(AuthError) -> O.Outcome {
        do throws(AuthError) {
            return try await service.walkAndSend(operation, context, delivery)
        } catch {
            if error.code.endsSession {
                await view.withLock({ $0.seat })?.sessionIsOver(of: self, because: error.code)
            }
            throw error
        }
    }

    /// Refuses what is longer than any real name or link.
    func checkBounds(of texts: [String?], in operation: String) throws(AuthError) {
        try service.checkBounds(of: texts, in: operation, context, account: handle.account)
    }

    /// Walks an operation of this person and takes over what it left.
    func act<O: Operation>(_ operation: O) async throws(AuthError) -> SignedIn where O.Outcome == SignedIn {
        let signedIn = try await perform(operation)
        adopt(signedIn)
        return signedIn
    }

    /// Empties the seat in which the person sits.
    func leaveSeat() async { await view.withLock({ $0.seat })?.leave(self, .signedOut) }

    /// Tells the handle which seat it sits in.
    func sit(in seat: Auth) { view.withLock { $0.seat = seat } }
}
