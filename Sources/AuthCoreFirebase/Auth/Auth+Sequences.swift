internal import Foundation

extension Auth {
    /// The current user, now and after every change.
    public var authStateChanges: AuthStateChangesSequence { AuthStateChangesSequence(self) }

    /// The current user, now and after every change of the user or the token.
    public var idTokenChanges: IDTokenChangesSequence { IDTokenChangesSequence(self) }

    // Both sequences hold only the `Auth`, whose mutable state is behind a lock.

    /// The current user of an `Auth`, now and after every change, until the `Auth` is released.
    public struct AuthStateChangesSequence: AsyncSequence, @unchecked Sendable {
        /// A user, or nil.
        public typealias Element = User?
        /// It never fails.
        public typealias Failure = Never
        /// Listens for one task.
        public typealias Iterator = UserIterator

        private let auth: Auth

        /// The changes of this `Auth`.
        public init(_ auth: Auth) { self.auth = auth }

        /// Starts listening.
        public func makeAsyncIterator() -> UserIterator { UserIterator(auth.changes(of: .state)) }
    }

    /// The current user of an `Auth`, now and after every change of the user or the token, until the `Auth` is
    /// released.
    public struct IDTokenChangesSequence: AsyncSequence, @unchecked Sendable {
        /// A user, or nil.
        public typealias Element = User?
        /// It never fails.
        public typealias Failure = Never
        /// Listens for one task.
        public typealias Iterator = UserIterator

        private let auth: Auth

        /// The changes of this `Auth`.
        public init(_ auth: Auth) { self.auth = auth }

        /// Starts listening.
        public func makeAsyncIterator() -> UserIterator { UserIterator(auth.changes(of: .token)) }
    }

    /// Listens for one task.
    public struct UserIterator: AsyncIteratorProtocol {
        private var changes: AsyncStream<Handover<User?>>.Iterator

        init(_ changes: AsyncStream<Handover<User?>>) { self.changes = changes.makeAsyncIterator() }

        /// Waits for the next change.
        public mutating func next() async -> User?? { await changes.next(isolation: #isolation)?.value }
    }

    private func changes(of subject: Listener.Subject) -> AsyncStream<Handover<User?>> {
        AsyncStream { continuation in
            let auth = WeakHandover(self)
            let handle = Handover(
                addListener(to: subject, end: { continuation.finish() }) { _, user in
                    continuation.yield(Handover(user))
                }
            )
            continuation.onTermination = { _ in auth.value?.removeListener(handle.value) }
        }
    }
}

@available(*, unavailable)
extension Auth.UserIterator: Sendable {}
