internal import Synchronization

/// One seat: holds the current user and tells when it changes.
///
/// An app has one; a test can have many over the same service.
public final class Auth: Sendable {
    /// The engine behind the seat.
    public let service: AuthService
    /// The seat's key; what is bound to a seat works only here.
    public let seat: SeatID
    private let device: String?
    private let state = Mutex(State())

    private struct State {
        var user: User?
        var observers: [UInt64: AsyncStream<User?>.Continuation] = [:]
        var nextObserver: UInt64 = 0
    }

    /// A seat over a service; seats of one service see the same accounts.
    public init(service: AuthService, seat: SeatID? = nil, device: String? = nil) {
        self.service = service
        self.seat = seat ?? SeatID(SessionID(bits: service.environment.randomBits()).text)
        self.device = device
    }

    /// A seat over a service of its own, in memory unless the configuration says otherwise.
    public convenience init(_ configuration: AuthConfiguration = AuthConfiguration()) {
        self.init(service: AuthService(configuration))
    }

    /// A seat over a service of its own with these verifiers.
    public convenience init(providers: AuthProviders, policy: AuthPolicy = .firebase) {
        self.init(AuthConfiguration(policy: policy, providers: providers))
    }

    /// The signed-in person, if there is one; a refused operation does not change it.
    public var currentUser: User? { state.withLock { $0.user } }

    /// The messages that were sent, when they are kept in memory.
    public var outbox: Outbox? { service.outbox }

    /// Who is signed in, now and whenever that changes.
    public var changes: AsyncStream<User?> {
        AsyncStream { continuation in
            let id = state.withLock { state in
                state.nextObserver += 1
                state.observers[state.nextObserver] = continuation
                continuation.yield(state.user)
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
            }
        }
    }

    package var context: RequestContext { RequestContext(seat: seat, device: device) }

    /// Puts a person in the seat and tells everybody who wants to know, after the lock is released.
    package func seat(_ user: User?) {
        let observers = state.withLock { state in
            state.user = user
            return Array(state.observers.values)
        }
        for observer in observers { observer.yield(user) }
    }

    package func seat(_ result: AuthResult) -> AuthResult {
        seat(result.user)
        return result
    }
}
