public import AuthCore

/// What goes wrong in one call of a faulty store.
public enum StoreFault: Sendable {
    /// Nothing goes wrong.
    case succeeds
    /// The call throws and does nothing else.
    case failsBefore(any Error = StoreFailure())
    /// The call does its work and then throws: a success that is reported as a failure.
    case failsAfterwards(any Error = StoreFailure())
    /// A commit answers that this precondition does not hold, and writes nothing. Other calls are not affected.
    case violates(Store.Precondition)
    /// The call does its work when the gate opens. A store that observes cancellation throws instead if the task is
    /// canceled.
    case waitsBefore(Gate, observesCancellation: Bool = false)
    /// The call does its work, and answers when the gate opens. A store that observes cancellation throws instead of
    /// answering.
    case waitsAfterwards(Gate, observesCancellation: Bool = false)
}

/// The error that a faulty store throws.
public struct StoreFailure: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}

/// One of the calls of a store.
public enum StoreCall: Sendable, Hashable, CaseIterable {
    /// Reading what a decision needs.
    case load
    /// Writing what was decided.
    case commit
    /// Reading a page of accounts.
    case accounts
    /// Reading a page of events.
    case events
    /// Leasing messages to be sent.
    case leaseMessages
    /// Ending the lease of a message that was not sent.
    case endLease
    /// Reading the messages of one status.
    case messages
    /// Removing messages from the outbox.
    case settleMessages
    /// Removing what has expired.
    case sweep
}
