import Synchronization

/// One seat: holds the current user and tells when it changes.
///
/// An app has one; a test can have many over the same service.
public final class Auth: Sendable {
    /// The engine behind the seat.
    public let service: AuthService
    /// The seat's key; what is bound to a seat works only here.
    public let seat: SeatID
    private let device: String?
    private let persistence: (any SeatPersistence)?
    private let state = Mutex(State())

    private struct State {
        var user: User?
        var observers: [UInt64: AsyncStream<AuthChange>.Continuation] = [:]
        var nextObserver: UInt64 = 0
    }

    /// A seat over a service; seats of one service see the same accounts.
    ///
    /// With a persistence, call `restore()` after a launch to go on where the app stopped.
    public init(
        service: AuthService,
        seat: SeatID? = nil,
        device: String? = nil,
        persistence: (any SeatPersistence)? = nil
    ) {
        self.service = service
        self.seat = seat ?? SeatID(SessionID(bits: service.environment.randomBits()).text)
        self.device = device
        self.persistence = persistence
    }

    /// A seat over a service of its own, in memory unless the configuration says otherwise.
    public convenience init(_ configuration: AuthConfiguration = AuthConfiguration()) {
        self.init(service: AuthService(configuration))
    }

    /// A seat over a service of its own with these verifiers.
    public convenience init(providers: AuthProviders, policy: AuthPolicy = .standard) {
        self.init(AuthConfiguration(policy: policy, providers: providers))
    }

    /// The signed-in person, if there is one; a refused operation does not change it.
    public var currentUser: User? { state.withLock { $0.user } }

    /// The messages that were sent, when they are kept in memory.
    public var outbox: Outbox? { service.outbox }

    /// Who is signed in, now and whenever that changes.
    public var changes: AsyncStream<AuthChange> {
        AsyncStream { continuation in
            let id = state.withLock { state in
                state.nextObserver += 1
                state.observers[state.nextObserver] = continuation
                continuation.yield(.current(state.user))
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
            }
        }
    }

    var context: RequestContext { RequestContext(seat: seat, device: device) }

    /// Goes on with the person who sat here before the app was relaunched, if the session still stands.
    ///
    /// A remembered session that is over leaves the seat empty and says so in `changes`; a file that somebody else wrote
    /// is an error and changes nothing.
    @discardableResult
    public func restore() async throws(AuthError) -> User? {
        guard let persistence else { return currentUser }
        let record: SeatRecord?
        do {
            record = try await persistence.load()
        } catch {
            throw AuthError(.keychainError, message: "Who sat in this seat cannot be read.", cause: error)
        }
        guard let record else { return nil }
        let handle = ActingHandle(session: record.session, account: record.account)
        let context = RequestContext(seat: record.seat, device: device)
        do throws(AuthError) {
            let user = User(service: service, signedIn: try await service.walk(Reload(handle: handle), context).outcome)
            user.sit(in: self)
            tell(.signedIn(user)) { $0.user = user }
            return user
        } catch {
            guard error.code.endsSession else { throw error }
            tell(.sessionEnded(error.code)) { $0.user = nil }
            await remember(nil)
            return nil
        }
    }

    /// Puts a person in the seat and tells everybody who wants to know, after the lock is released.
    func seat(_ result: AuthResult) async -> AuthResult {
        result.user.sit(in: self)
        tell(.signedIn(result.user)) { $0.user = result.user }
        await remember(result.user)
        return result
    }

    /// What cannot be remembered is forgotten: the next launch finds an empty seat, which is the safe side.
    private func remember(_ user: User?) async {
        guard let persistence else { return }
        let record = user.map { user in
            SeatRecord(seat: user.session.seat ?? seat, session: user.handle.session, account: user.handle.account)
        }
        do { try await persistence.save(record) } catch { try? await persistence.save(nil) }
    }

    /// Empties the seat, if this person still sits there.
    func leave(_ user: User, _ change: AuthChange) async {
        var didLeave = false
        tell(change) { state in
            guard state.user === user else { return false }
            state.user = nil
            didLeave = true
            return true
        }
        if didLeave { await remember(nil) }
    }

    /// The person's session is over: the seat signs itself out and says why.
    func sessionIsOver(of user: User, because code: AuthErrorCode) async {
        await leave(user, .sessionEnded(code))
    }

    private func tell(_ change: AuthChange, _ edit: (inout State) -> Void) {
        tell(change) { state in
            edit(&state)
            return true
        }
    }

    private func tell(_ change: AuthChange, _ edit: (inout State) -> Bool) {
        let observers = state.withLock { state in
            edit(&state) ? Array(state.observers.values) : []
        }
        for observer in observers { observer.yield(change) }
    }
}

/// What happened to a seat.
public enum AuthChange: Sendable {
    /// Who sits there when somebody begins to watch.
    case current(User?)
    /// Somebody signed in.
    case signedIn(User)
    /// The person signed out, or deleted the account.
    case signedOut
    /// The session was ended elsewhere, or its account is gone or shut; the code says which.
    case sessionEnded(AuthErrorCode)

    /// Who sits in the seat after the change.
    public var user: User? {
        switch self {
        case .current(let user): user
        case .signedIn(let user): user
        case .signedOut, .sessionEnded: nil
        }
    }
}
