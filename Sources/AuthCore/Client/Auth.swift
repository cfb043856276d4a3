import Synchronization

/// The signed-in state of one app.
///
/// It holds the current user, publishes every change of it, and offers the flows of ``AuthClient`` that an app needs.
/// Make one per process; a server, which has no current user, makes an ``AuthClient`` per request instead.
///
/// ```swift
/// let auth = Auth(providers: .simulated)
/// let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
/// try await ann.link(with: .simulated(.google, .ann))
/// try await auth.signOut()
/// ```
///
/// Each flow of ``AuthClient`` throws the same errors here; ``AuthError`` lists the codes that any function can throw.
/// A sign-in succeeds also if its session cannot be saved. Then `Auth` saves, if it can, that no user is signed in, and
/// the person signs in again after the next launch. Only ``restore()`` and ``signOut()`` report an error of the
/// ``UserPersistence``.
public final class Auth: Sendable {
    private let persistence: (any UserPersistence)?
    /// The device as this object was made with it, which no account knows unless it was handed out before.
    private let firstDevice: DeviceID
    let state: Mutex<State>
    /// The readers of ``changes(bufferingPolicy:)``, in a lock of their own, which is not held while they are told.
    ///
    /// Waking a task takes a lock of the task, which a canceled task holds while it removes its reader here.
    let observers = Mutex<[UInt64: AsyncStream<Change>.Continuation]>([:])

    struct State {
        var client: AuthClient
        var user: User? { didSet { changes += 1 } }
        /// The number of changes of the user and of sign-outs; a restore that began before one of them changes nothing.
        var changes: UInt64 = 0
        /// The number of sign-outs among them: the session that a restore has read meanwhile ends, too.
        var signOuts: UInt64 = 0
        var nextObserver: UInt64 = 0
        /// The save that was begun last.
        var saving: Task<Void, any Error>?
    }

    /// Creates the signed-in state of an app over a service.
    ///
    /// - Parameters:
    ///   - service: The engine; several `Auth`s over one service see the same accounts.
    ///   - device: The device that was handed out before, unless the persistence keeps it; nil for a new one.
    ///   - deviceName: A name that the person will recognize in the list of their sessions.
    ///   - persistence: Where the device and its signed-in session are kept; call ``restore()`` after a launch.
    public init(
        service: AuthService,
        device: DeviceID? = nil,
        deviceName: String? = nil,
        persistence: (any UserPersistence)? = nil
    ) {
        let client = service.client(for: device, origin: .local, deviceName: deviceName)
        self.persistence = persistence
        firstDevice = client.device
        state = Mutex(State(client: client))
    }

    /// Creates the signed-in state of an app over a service of its own, in memory unless the configuration has another
    /// store.
    ///
    /// - Parameter configuration: The parts of the service.
    public convenience init(_ configuration: AuthConfiguration = AuthConfiguration()) {
        self.init(service: AuthService(configuration))
    }

    /// Creates the signed-in state of an app over a service of its own with these verifiers.
    ///
    /// - Parameters:
    ///   - providers: The verifiers of the providers that people sign in with.
    ///   - policy: The rules that differ between products.
    public convenience init(providers: AuthProviders, policy: AuthPolicy = .standard) {
        self.init(AuthConfiguration(policy: policy, providers: providers))
    }

    deinit { observers.withLock(\.values).forEach { $0.finish() } }

    /// The signed-out flows, as this app calls them.
    ///
    /// A sign-in through it does not change the current user; use the functions of `Auth` for that.
    public var client: AuthClient { state.withLock { $0.client } }

    /// The engine.
    public var service: AuthService { client.service }

    /// The device of this app installation; digits of text messages, conflicts and challenges are bound to it.
    public var device: DeviceID { client.device }

    /// The signed-in user, if there is one; a refused operation does not change it.
    public var currentUser: User? { state.withLock { $0.user } }

    /// The messages that were sent, if they are kept in memory.
    public var outbox: Message.Outbox? { service.outbox }

    /// Returns a stream of who is signed in, now and after every change of that.
    ///
    /// Changes of the user's account are not reported. When a call of the app returns, ``User`` has its change already.
    ///
    /// The stream ends when its reader's task is canceled, or with this `Auth`.
    ///
    /// ```swift
    /// for await change in auth.changes() {
    ///     switch change {
    ///     case .current(let user): await show(user?.displayName ?? "signed out")
    ///     case .signedIn(let user): await show(user.displayName ?? user.uid)
    ///     case .signedOut: await show("signed out")
    ///     case .sessionEnded(let code): await show("signed out elsewhere (\(code))")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter bufferingPolicy: What is kept for a reader that is slow; by default everything.
    /// - Returns: The stream; each call makes a new one.
    public func changes(
        bufferingPolicy: AsyncStream<Change>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Change> {
        AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
            let id = state.withLock { state in
                state.nextObserver += 1
                let id = state.nextObserver
                observers.withLock { $0[id] = continuation }
                continuation.yield(.current(state.user))
                return id
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.observers.withLock { $0.removeValue(forKey: id) }
            }
        }
    }
}

extension Auth {
    /// Signs in the user who was signed in before the app was relaunched, if the session is still active.
    ///
    /// ```swift
    /// let persistence = try FileUserPersistence(path: path, key: key)
    /// let auth = Auth(service: service, deviceName: "Ann's phone", persistence: persistence)
    /// do {
    ///     try await auth.restore()
    /// } catch {
    ///     guard error.code == .savedSessionUnreadable else { throw error }
    ///     print("The file was changed or the key is another one; the person signs in again.")
    /// }
    /// ```
    ///
    /// From then on this `Auth` has the device that was saved, in addition to one that it got meanwhile: call this
    /// first, since digits that were requested before are bound to another device. If the session is over, no user is
    /// signed in, and ``changes(bufferingPolicy:)`` reports why. A user who signs in meanwhile stays the current one;
    /// after ``signOut()`` the saved user is not restored.
    ///
    /// - Returns: The signed-in user; nil if there is none.
    /// - Throws: ``AuthErrorCode/savedSessionUnreadable`` if the saved session cannot be read or was written by another
    ///   program, ``AuthErrorCode/canceled`` if the persistence throws a `CancellationError`,
    ///   ``AuthErrorCode/storeUnavailable`` if the store cannot be read.
    @discardableResult
    public func restore() async throws(AuthError) -> User? {
        let (before, signOuts, saving) = state.withLock { ($0.changes, $0.signOuts, $0.saving) }
        // A user who is still being saved is not replaced by the one who was saved before.
        _ = await saving?.result
        let record: Auth.Persisted?
        do { record = try await persistence?.load() } catch { throw AuthError(failure: error, .savedSessionUnreadable) }
        guard let record else { return currentUser }
        let now = service.environment.now
        let client = state.withLock { state in
            // A secret that this device got since it was made may be the only one that an account knows.
            var client = state.client.on(record.device)
            if state.client.device != firstDevice { client = client.keeping(state.client.device, at: now) }
            if state.changes == before {
                state.client = client
                state.user?.use(client.device)
            }
            return client
        }
        // After a sign-in or sign-out meanwhile, the device keeps the secret that accounts know.
        let isNewSecret = !record.device.keys.contains(client.device.key)
        if isNewSecret || state.withLock({ $0.changes != before }) {
            await use(self.device.keeping(record.device, at: now))
        }
        guard let saved = record.user else { return currentUser }
        let handle = ActingHandle(session: saved.session, account: saved.account)
        do throws(AuthError) {
            let signedIn = try await service.perform(Reload(handle: handle), client.context)
            // The ID of a session alone restores nothing: a list of sessions shows it.
            if let device = signedIn.session.device, !record.device.keys.contains(device) {
                throw AuthError(.userTokenExpired, reasons: [.sessionIsOver])
            }
            let user = User(client: client, signedIn: signedIn)
            user.attach(to: self)
            state.withLock { state in
                // A current user who could not be saved stays.
                if state.changes != before || state.user != nil { return }
                // The device may have got another secret meanwhile.
                user.use(state.client.device)
                state.user = user
                notify(.signedIn(user))
            }
            // The person signed out meanwhile.
            if state.withLock({ $0.user == nil || $0.signOuts != signOuts }) { try await user.signOut() }
        } catch {
            guard error.code.endsSession else { throw error }
            let isMeant: (State) -> Bool = {
                $0.changes == before && ($0.user == nil || $0.user?.session.id == saved.session)
            }
            _ = await change(.sessionEnded(error.code), if: isMeant) { $0.user = nil }?.result
        }
        return currentUser
    }

    /// Signs out on this device, and ends the session.
    ///
    /// If no user is signed in, the saved one is forgotten. Its session ends if ``restore()`` has read it;
    /// before that, it goes on until its time is over.
    ///
    /// - Throws: The store's error if the session could not be ended there; the user is signed out on this device
    ///   anyway. ``AuthErrorCode/savedSessionUnreadable`` if no user is signed in and the saved one could not be
    ///   removed.
    public func signOut() async throws(AuthError) {
        let (user, saving) = state.withLock { state in
            // A user who is about to be restored does not become the current one.
            state.changes += 1
            state.signOuts += 1
            return (state.user, state.user == nil ? save(&state) : nil)
        }
        do { try await saving?.value } catch {
            let message = "The saved session could not be removed; make its place writable, and sign out again."
            throw AuthError(.savedSessionUnreadable, message: message, cause: error)
        }
        try await user?.signOut()
    }

    /// Makes the result's user the current one, and notifies the observers.
    func setCurrentUser(_ result: AuthResult) async -> AuthResult {
        result.user.attach(to: self)
        // The clock can be the app's, so it is not asked in the lock.
        let now = service.environment.now
        let saving = change(.signedIn(result.user)) { state in
            if let device = result.user.client.context.device {
                // The device may have got another secret since the request was made.
                state.client = state.client.keeping(device, at: now)
                result.user.use(state.client.device)
            }
            state.user = result.user
        }
        _ = await saving?.result
        return result
    }

    /// Keeps the device with the secret that it got because it became known to an account, and those that it got since
    /// the request for it was made.
    func use(_ device: DeviceID) async {
        let now = service.environment.now
        let saving = state.withLock { state in
            state.client = state.client.keeping(device, at: now)
            state.user?.use(state.client.device)
            return save(&state)
        }
        _ = await saving?.result
    }

    /// Signs the current user out here, too, if what was just done has ended their session.
    func noticeEndedSession() async { try? await service.insisting { try await self.currentUser?.reload() } }

    /// Clears the current user if it is of the session of this one; returns the save.
    func clearCurrentUser(_ user: User, _ change: Change) -> Task<Void, any Error>? {
        self.change(change, if: { $0.user?.session.id == user.session.id }) { $0.user = nil }
    }

    /// Begins to save the device and the session as they are after the saves before, whether or not the caller is
    /// canceled; if that fails, saves that no user is signed in, which is the safe outcome of the next launch, unless
    /// what is saved has the same user.
    ///
    /// The saved secrets are kept: an account may know them, and a launch may not have restored them yet.
    private func save(_ state: inout State) -> Task<Void, any Error>? {
        guard let persistence else { return nil }
        let before = state.saving
        let saving = Task {
            _ = await before?.result
            let (device, handle, isUnchanged) = self.state.withLock { state in
                (state.client.device, state.user?.handle, state.changes == 0)
            }
            let user = handle.map { User.Persisted(session: $0.session, account: $0.account) }
            var record = Auth.Persisted(device: device, user: user)
            var saved: Auth.Persisted?
            var isLoaded = false
            do {
                saved = try await persistence.load()
                isLoaded = true
                if let saved {
                    let device = device.keeping(saved.device, at: service.environment.now)
                    // The saved user stays until one was restored, signed in or signed out.
                    record = Auth.Persisted(device: device, user: isUnchanged ? saved.user : user)
                }
            } catch { if isUnchanged { return } }
            do { try await persistence.save(record) } catch {
                // What is saved already has the right user, or none.
                if isLoaded, saved?.user == record.user { return }
                try await persistence.save(Auth.Persisted(device: record.device, user: nil))
            }
        }
        state.saving = saving
        return saving
    }

    private func notify(_ change: Change) { for observer in observers.withLock(\.values) { observer.yield(change) } }

    /// Changes the state, notifies the observers and begins to save it; returns the save, if there is one.
    ///
    /// All of it in the lock: the observers are told in the order of the changes, and nothing is restored in between.
    private func change(
        _ change: Change,
        if isMeant: (State) -> Bool = { _ in true },
        _ edit: (inout State) -> Void
    ) -> Task<Void, any Error>? {
        state.withLock { state in
            if !isMeant(state) { return nil }
            edit(&state)
            notify(change)
            return save(&state)
        }
    }
}
