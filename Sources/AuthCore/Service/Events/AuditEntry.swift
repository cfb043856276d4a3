/// One refused operation, for operators: what was requested, from where, when, and why it was refused.
///
/// It contains no secret and nothing that a person typed: an address is in it only as a keyed hash.
public struct AuditEntry: Sendable, Hashable {
    /// The number of the refusal, counted from 1, so that a gap shows that some were lost.
    public internal(set) var number: UInt64 = 0
    /// The time of the refusal.
    public let at: Timestamp
    /// The requested operation.
    public let operation: Operation
    /// The code of the error.
    public let code: AuthErrorCode
    /// The reason of the rule that decided; nil if no rule did.
    public let reason: Reason?
    /// The reasons that the decision found before, in that order.
    public let trail: [Reason]
    /// The account that the operation was about, if the decision knew one.
    public let account: AccountID?
    /// The keyed hash of the address or number in the request; the same one gives the same hash.
    public let recipient: UInt64?
    /// The device that made the request.
    public let device: DeviceKey?
    /// Where the request came from, as the caller stated it; nil for a text that is too long.
    public let origin: String?
    /// The device's name, as the caller stated it; nil for a text that is too long.
    public let deviceName: String?
}

extension AuditEntry {
    /// The operation that was refused, as a stable name such as `signIn` or `resolveChallenge`.
    ///
    /// Later versions may add operations, so a `switch` over them needs a `default`.
    public struct Operation: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Creates the operation with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The operation of a rule, or of the check before it, by the type's name.
        init(named name: String) { rawValue = name.prefix(1).lowercased() + name.dropFirst() }

        /// The code.
        public var description: String { rawValue }
    }

    /// An element of the stream of refusals.
    public enum Update: Sendable, Hashable {
        /// An operation was refused.
        case refused(AuditEntry)
        /// The subscriber fell behind, and this many refusals are no longer kept.
        case lost(Int)
    }
}

extension AuthErrorCode {
    /// Whether the error is a refusal, rather than a failure or a cancellation.
    var isRefusal: Bool {
        switch self {
        case .canceled, .storeUnavailable, .outcomeUnknown, .networkError, .internalError, .overloaded,
            .missingSecretKey, .messageNotSent:
            false
        default: true
        }
    }
}
