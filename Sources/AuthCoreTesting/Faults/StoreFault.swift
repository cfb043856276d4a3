public import AuthCore

/// What one call of a faulty store does wrong.
public enum StoreFault: Sendable {
    /// Nothing.
    case none
    /// It throws and does nothing else.
    case failsBefore(any Error = StoreFailure())
    /// It does its work and throws all the same: success that reports failure.
    case failsAfterwards(any Error = StoreFailure())
    /// A commit answers that this no longer holds, and writes nothing; other calls are not affected.
    case violates(Store.Precondition)
    /// It does its work when the gate opens; a store that heeds cancellation throws instead if the task is cancelled.
    case waitsBefore(Gate, heedsCancellation: Bool = false)
    /// It does its work and answers when the gate opens; a store that heeds cancellation throws instead of answering.
    case waitsAfterwards(Gate, heedsCancellation: Bool = false)
}

/// The error of a store that a test lets fail.
public struct StoreFailure: Error, Sendable, Hashable {
    /// The error.
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
    /// Reading the messages to be sent.
    case pendingMessages
    /// Taking messages off that list.
    case settleMessages
    /// Removing what has expired.
    case sweep
}
