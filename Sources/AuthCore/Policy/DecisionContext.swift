import AuthCoreCrypto

/// Who sent the request, and the policy: everything that is known before the store is read.
///
/// A class, since it never changes and is passed through every call.
final class Request: Sendable {
    fileprivate let sharedPolicy: SharedPolicy
    let context: RequestContext
    /// The key of the device that sent the request.
    let device: DeviceKey?

    init(_ sharedPolicy: SharedPolicy, _ context: RequestContext) {
        self.sharedPolicy = sharedPolicy
        self.context = context
        device = context.device?.key
    }

    /// The policy.
    var policy: AuthPolicy { sharedPolicy.policy }

    /// How the keys of addresses are made.
    var keyRule: KeyRule { sharedPolicy.keyRule }

    /// Whether a one-time record is bound to another device than the one that sent the request.
    func isElsewhere(_ record: OneTimeRecord) -> Bool {
        guard let bound = record.device, bound != device else { return false }
        return context.device?.hadKey(bound, at: record.createdAt) != true
    }
}

/// What a decision needs besides the snapshot: the request with its policy, the time, and new IDs.
///
/// A class, so that neither the policy nor the IDs are copied where a decision passes them on.
package final class DecisionContext: Sendable {
    let request: Request
    package let now: Timestamp
    /// When the presented credential was verified: now, unless the proof was stored for a while.
    let verifiedAt: Timestamp
    let fresh: FreshIdentifiers

    package convenience init(policy: AuthPolicy, now: Timestamp, fresh: FreshIdentifiers, context: RequestContext) {
        self.init(Request(SharedPolicy(policy), context), now: now, fresh: fresh)
    }

    init(_ request: Request, now: Timestamp, verifiedAt: Timestamp? = nil, fresh: FreshIdentifiers) {
        self.request = request
        self.now = now
        self.verifiedAt = verifiedAt.map { min($0, now) } ?? now
        self.fresh = fresh
    }

    /// The policy.
    var policy: AuthPolicy { request.policy }

    /// How the keys of addresses are made.
    var keyRule: KeyRule { request.keyRule }

    /// The age from which the same assurance is recorded again, so that not every sign-in writes the account.
    var assuranceRenewal: Duration? { request.sharedPolicy.assuranceRenewal }

    /// The device that sent the request.
    var device: DeviceKey? { request.device }

    /// Whether a one-time record is bound to another device than the one that sent the request.
    func isElsewhere(_ record: OneTimeRecord) -> Bool { request.isElsewhere(record) }

    /// A new account without anything.
    var newAccount: Account { Account(id: AccountID(bits: fresh.account.bits), createdAt: now) }

    /// The code for the message with this number; for a decision that learns only while it runs how many it sends.
    func mailCode(_ number: Int) -> IssuedCode { request.sharedPolicy.codes.mailCode(of: messageID(number)) }

    /// The ID of the operation.
    var operation: OperationID { OperationID(at: now, fresh.operation) }

    /// The ID of the message with this number.
    func messageID(_ number: Int) -> OperationID { OperationID(bits: operation.bits &+ UInt128(number)) }
}

/// The policy by reference, so that a decision that reads three of its values does not copy all of them.
final class SharedPolicy: Sendable {
    let policy: AuthPolicy
    /// Derives the codes of messages from their IDs.
    fileprivate let codes: MessageCodes
    /// Read once, since every decision needs it.
    fileprivate let keyRule: KeyRule
    /// A twelfth of the lifetime of evidence, computed once: dividing a duration takes as long as a look-up.
    fileprivate let assuranceRenewal: Duration?

    init(_ policy: AuthPolicy, codes: MessageCodes = MessageCodes(keys: KeyRing(keys: [HMACSHA256(key: [])]))) {
        self.policy = policy
        self.codes = codes
        keyRule = policy.keyRule
        assuranceRenewal = policy.evidenceLifetime.map { $0 / 12 }
    }
}

/// IDs that were generated before the decision, so that a decision needs no randomness.
///
/// As words: an object that contains a `UInt128` costs several times as much to allocate.
package struct FreshIdentifiers: Sendable {
    let operation: IdentifierWords
    let account: IdentifierWords
    let session: IdentifierWords
    let record: IdentifierWords
    /// The next secret of the device, if it becomes known to an account.
    let device: IdentifierWords
}

extension FreshIdentifiers {
    /// Draws one after the other.
    package init(drawing draw: () -> UInt128) {
        operation = IdentifierWords(bits: draw())
        account = IdentifierWords(bits: draw())
        session = IdentifierWords(bits: draw())
        record = IdentifierWords(bits: draw())
        device = IdentifierWords(bits: draw())
    }
}
