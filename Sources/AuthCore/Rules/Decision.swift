/// Who asks, and under which policy: all that is known before anything was read.
struct Request: Sendable {
    fileprivate let rulebook: Rulebook
    let context: RequestContext

    init(_ rulebook: Rulebook, _ context: RequestContext) {
        self.rulebook = rulebook
        self.context = context
    }

    /// The policy.
    var policy: AuthPolicy { rulebook.policy }
}

/// What the rules need beside the facts: the policy, the time, fresh names, and who asks.
package struct Ruling: Sendable {
    let request: Request
    package let now: Timestamp
    /// When what the person shows was checked: now, unless somebody kept it for a while.
    let shownAt: Timestamp
    let fresh: FreshIdentifiers

    package init(policy: AuthPolicy, now: Timestamp, fresh: FreshIdentifiers, context: RequestContext) {
        self.init(Request(Rulebook(policy), context), now: now, fresh: fresh)
    }

    init(_ request: Request, now: Timestamp, shownAt: Timestamp? = nil, fresh: FreshIdentifiers) {
        self.request = request
        self.now = now
        self.shownAt = shownAt.map { min($0, now) } ?? now
        self.fresh = fresh
    }
}

extension Ruling {
    /// The policy.
    var policy: AuthPolicy { request.policy }

    /// Who asks.
    var context: RequestContext { request.context }

    /// The code that the message of this number carries, where a decision finds out only by itself how many there are.
    func mailCode(_ number: Int) -> IssuedCode { request.rulebook.codes.mailCode(of: messageID(number)) }

    /// The name of the message of this number.
    func messageID(_ number: Int) -> OperationID { OperationID(bits: fresh.message &+ UInt128(number)) }
}

/// The policy by reference, so that a decision that reads three of its choices does not copy all of them.
final class Rulebook: Sendable {
    let policy: AuthPolicy
    /// How the codes of messages follow from their names.
    fileprivate let codes: MessageCodes

    init(_ policy: AuthPolicy, codes: MessageCodes = MessageCodes(key: HMACSHA256(key: []))) {
        self.policy = policy
        self.codes = codes
    }
}

/// Names drawn before the decision, so that deciding needs no randomness.
package struct FreshIdentifiers: Sendable {
    let operation: UInt128
    let account: UInt128
    let session: UInt128
    let capability: UInt128
    let message: UInt128

    package init(operation: UInt128, account: UInt128, session: UInt128, capability: UInt128, message: UInt128) {
        self.operation = operation
        self.account = account
        self.session = session
        self.capability = capability
        self.message = message
    }
}

/// What the rules found: an answer, what is to be written, and why.
struct Decision<Outcome: Sendable>: Sendable {
    var verdict: Verdict<Outcome>
    var changes: ChangeSet
    var reasons: [Reason]
    /// The accounts as they were before the first step that wrote them, so that a further step tells of one change.
    var origins: [Account] = []
    /// The codes of the messages that are to be sent.
    var issued: [IssuedCode] = []
}

/// The answer of a rule.
enum Verdict<Outcome: Sendable>: Sendable {
    case granted(Outcome)
    case refused(Refusal)
}

/// A rule's "no": a value until the face throws it.
struct Refusal: Sendable, Hashable {
    let code: AuthErrorCode
    let reason: Reason
    var detail: AuthError.Detail?

    init(_ code: AuthErrorCode, _ reason: Reason, detail: AuthError.Detail? = nil) {
        self.code = code
        self.reason = reason
        self.detail = detail
    }
}

extension Refusal: Error {}

extension Optional {
    /// What is there wherever a rule found what it found; no facts lead to what this throws.
    func promised() throws(Refusal) -> Wrapped {
        guard let self else { throw Refusal(.internalError, .factsContradict) }
        return self
    }
}

/// One thing that can be asked of the rules.
///
/// `lookups` says what must be seen; `decide` is pure and total: no clock, no randomness, no store.
protocol Operation: Sendable {
    associatedtype Outcome: Sendable

    /// What must be seen.
    func lookups(_ request: Request) -> Lookups

    /// What must be seen besides once the first look told, all of it again as of one moment; nil where the first look was
    /// enough, and nothing where it was but must not be told from one that was not.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups?

    /// When the credential was checked that the operation shows as a login; nil for now, or for none.
    var verifiedAt: Timestamp? { get }

    /// The one-time things of a second factor that the operation uses up; without them there is nothing to decide.
    var requires: [CapabilityKey] { get }

    /// What it throws is a refusal that writes nothing.
    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<Outcome>
}

extension Operation {
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { nil }

    var verifiedAt: Timestamp? { nil }

    var requires: [CapabilityKey] { [] }

    /// What must be seen, with what the factor uses up.
    func allLookups(_ request: Request) -> Lookups {
        var all = lookups(request)
        for key in requires { all.insert(.record(key)) }
        return all
    }

    /// What must be seen after the first look, the first again included; nil where that was enough.
    func secondLookups(after seen: Snapshot, _ request: Request) -> Lookups? {
        further(seen, request).map { seen.asked.union($0) }
    }

    /// Decides, once it is sure that what the factor uses up is still there.
    func judge(_ snapshot: Snapshot, by ruling: Ruling) -> Decision<Outcome> {
        for key in requires {
            let found = snapshot.record(key)
            if let found, case .phoneCode = found.content, !found.isLive(at: ruling.now) {
                return refuse(Refusal(.sessionExpired, .codeIsExpired), by: ruling)
            }
            guard let capability = found, capability.isLive(at: ruling.now) else {
                return refuse(Refusal(.invalidMultiFactorSession, .challengeIsOver), by: ruling)
            }
            if let seat = capability.seat, seat != ruling.context.seat {
                return refuse(Refusal(.seatMismatch, .codeIsOfAnotherSeat), by: ruling)
            }
        }
        do throws(Refusal) {
            return try decide(on: snapshot, by: ruling)
        } catch {
            return refuse(error, by: ruling)
        }
    }

    /// A refusal that writes nothing.
    func refuse(_ refusal: Refusal, by ruling: Ruling) -> Decision<Outcome> {
        Decision(
            verdict: .refused(refusal),
            changes: ChangeSet(operation: OperationID(bits: ruling.fresh.operation), at: ruling.now),
            reasons: [refusal.reason]
        )
    }
}
