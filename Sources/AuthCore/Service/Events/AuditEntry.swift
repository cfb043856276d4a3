/// One refusal, as operators read it: who asked for what, when, and why it was refused.
///
/// It holds nothing secret and nothing that was typed: an address is in it as a keyed hash only.
public struct AuditEntry: Sendable, Hashable {
    /// Counts the service's refusals from 1 on, so that lost ones show as a gap.
    public internal(set) var number: UInt64
    /// When.
    public let at: Timestamp
    /// What was asked for.
    public let operation: AuditOperation
    /// The code of the error.
    public let code: AuthErrorCode
    /// The rule that decided; nil where no rule did.
    public let reason: Reason?
    /// What the decision found before, in that order.
    public let trail: [Reason]
    /// The account it was about, where the decision knew one.
    public let account: AccountID?
    /// The keyed hash of the address or number that was named; the same one gives the same hash.
    public let recipient: UInt64?
    /// The seat where it was asked for.
    public let device: DeviceID?
    /// The caller's word about where the request came from.
    public let origin: String?
    /// The caller's name of the device.
    public let deviceName: String?

    init(
        at: Timestamp,
        operation: String,
        error: AuthError,
        account: AccountID?,
        recipient: UInt64?,
        context: RequestContext
    ) {
        number = 0
        self.at = at
        self.operation = AuditOperation(named: operation)
        code = error.code
        reason = error.reason
        trail = error.trail
        self.account = account
        self.recipient = recipient
        device = context.device
        origin = context.origin
        deviceName = context.deviceName
    }
}

/// What was asked for when something was refused, as a stable code such as `signIn` or `resolveChallenge`.
///
/// Later versions may add operations, so a `switch` over them needs a `default`.
public struct AuditOperation: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The code.
    public let rawValue: String

    /// Creates the operation of this code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The operation of a rule, or of the check before it, by the type's name.
    init(named name: String) { rawValue = name.prefix(1).lowercased() + name.dropFirst() }

    /// The code.
    public var description: String { rawValue }
}

/// What a subscriber to the refusals is told.
public enum RefusalUpdate: Sendable, Hashable {
    /// Something was refused.
    case refused(AuditEntry)
    /// The subscriber fell behind, and did not get so many refusals.
    case lost(Int)
}

extension RefusalUpdate {
    /// What stands for an update that did not fit: how many are missing.
    static func gap(_ gap: RefusalUpdate?, _ update: RefusalUpdate) -> RefusalUpdate {
        .lost((gap?.weight ?? 0) + update.weight)
    }

    private var weight: Int {
        switch self {
        case .refused: 1
        case .lost(let count): count
        }
    }
}

extension AuthErrorCode {
    /// Whether the error says no, rather than that something broke or was called off.
    var isRefusal: Bool {
        switch self {
        case .cancelled, .storeUnavailable, .outcomeUnknown, .networkError, .internalError, .overloaded: false
        default: true
        }
    }
}
