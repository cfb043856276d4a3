internal import Foundation

extension Auth {
    /// Who sits in the seat, now and whenever that changes.
    public var authStateChanges: AuthStateChangesSequence { AuthStateChangesSequence(self) }

    /// Who sits in the seat, now and whenever their token changes.
    public var idTokenChanges: IDTokenChangesSequence { IDTokenChangesSequence(self) }

    // Both sequences hold nothing but the seat, which keeps what changes behind a lock.

    /// Who sits in a seat, now and whenever that changes.
    public struct AuthStateChangesSequence: AsyncSequence, @unchecked Sendable {
        /// A person, or nobody.
        public typealias Element = User?
        /// Nothing ever goes wrong.
        public typealias Failure = Never

        private let auth: Auth

        /// The changes of this seat.
        public init(_ auth: Auth) { self.auth = auth }

        /// Begins to listen.
        public func makeAsyncIterator() -> Iterator { Iterator(auth.changes(of: .state)) }

        /// Listens, and belongs to one task.
        public struct Iterator: AsyncIteratorProtocol {
            private var changes: AsyncStream<Handover<User?>>.Iterator

            init(_ changes: AsyncStream<Handover<User?>>) { self.changes = changes.makeAsyncIterator() }

            /// Waits for the next change.
            public mutating func next() async -> User?? { await changes.next(isolation: #isolation)?.value }
        }
    }

    /// Who sits in a seat, now and whenever their token changes.
    public struct IDTokenChangesSequence: AsyncSequence, @unchecked Sendable {
        /// A person, or nobody.
        public typealias Element = User?
        /// Nothing ever goes wrong.
        public typealias Failure = Never

        private let auth: Auth

        /// The changes of this seat.
        public init(_ auth: Auth) { self.auth = auth }

        /// Begins to listen.
        public func makeAsyncIterator() -> Iterator { Iterator(auth.changes(of: .token)) }

        /// Listens, and belongs to one task.
        public struct Iterator: AsyncIteratorProtocol {
            private var changes: AsyncStream<Handover<User?>>.Iterator

            init(_ changes: AsyncStream<Handover<User?>>) { self.changes = changes.makeAsyncIterator() }

            /// Waits for the next change.
            public mutating func next() async -> User?? { await changes.next(isolation: #isolation)?.value }
        }
    }

    private func changes(of subject: Listener.Subject) -> AsyncStream<Handover<User?>> {
        AsyncStream { continuation in
            let auth = WeakHandover(self)
            let handle = Handover(addListener(to: subject) { _, user in continuation.yield(Handover(user)) })
            continuation.onTermination = { _ in auth.value?.removeListener(handle.value) }
        }
    }
}

@available(*, unavailable)
extension Auth.AuthStateChangesSequence.Iterator: Sendable {}
@available(*, unavailable)
extension Auth.IDTokenChangesSequence.Iterator: Sendable {}
