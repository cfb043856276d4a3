@testable import AuthCore
import AuthCoreTesting
import Foundation

/// What the rules decided, whatever the operation.
struct Decided: Hashable {
    var refusal: Refusal?
    var reasons: [Reason]
    var changes: ChangeSet
    /// The sign-in methods that the answer lists, where it lists any.
    var listed: [String]
    /// How often the store is asked first.
    var looks: Int
    /// Whether a grant's reasons are told too, in a preview.
    private let isForeseen: Bool

    init<Outcome>(_ decision: Decision<Outcome>, looks: Int) {
        refusal = decision.refusal
        reasons = decision.reasons
        changes = decision.changes
        // No address of the situations has two spellings, so that the rule of the keys makes no difference.
        changes.keyRule = nil
        // The session has ended, and its bearer is refused.
        if case .success(let outcome) = decision.result, case .reused? = outcome as? RefreshSession.Outcome {
            refusal = RefreshSession.reuse
        }
        if case .success(let outcome) = decision.result {
            listed = (outcome as? [ProviderID] ?? []).map(\.rawValue)
        } else {
            listed = []
        }
        self.looks = looks
        isForeseen = Outcome.self == SignedIn.self
    }

    /// What the answer says beside its error.
    var told: [String] { listed + (refusal != nil || isForeseen ? reasons.map(\.rawValue) : []) }
}

/// What a person shows in a situation, and no session may claim more than that.
struct Shown {
    /// From when a login counts that it gives.
    enum Login {
        /// There is no login: nothing was shown.
        case nothing
        /// Now.
        case now
        /// Now, except for who adds a sign-in method to an account that had one, where the policy guards it.
        case addition
        /// When the app's own server says; now, where the policy takes its word for a login.
        case token(Timestamp)
    }

    var login = Login.now
    /// The factor, if one was shown.
    var factor: SecondFactor.Use?
    /// The addresses and numbers that are verified, whatever the policy.
    var proves: [Evidence.Subject] = []
    /// An address that is verified where the policy takes a provider's flag for a proof.
    var confirmed: EmailAddress?

    static let nothing = Shown(login: .nothing)

    /// Whether nobody shows anything.
    var isNothing: Bool {
        guard case .nothing = login else { return false }
        return factor == nil && proves.isEmpty && confirmed == nil
    }
}

/// Something that is asked for, of a store in which something is there.
struct Situation {
    let name: String
    /// What is asked for, by its type; a sign-in also by its provider.
    let operation: String
    let scene: Scene
    /// The provider that somebody comes by; one knob switches it off.
    let provider: ProviderID
    let shows: Shown
    /// Whether the operation acts, or goes on, in the first session.
    let isActing: Bool
    /// What is looked for; under every policy the same, as a test sees to.
    let lookups: @Sendable (AuthPolicy) -> Lookups
    /// What whoever asks must not find out; nil where they may, or show who they are.
    let concealment: Concealment?
    private let judge: @Sendable (DecisionContext) -> Decided
    private let judgeWithout: @Sendable (DecisionContext) -> Decided

    /// The operation may depend on the policy as far as a proof does.
    init<O: AuthCore.Operation>(
        _ name: String,
        _ scene: Scene,
        by provider: ProviderID,
        authentication shows: Shown = Shown(),
        concealing concealment: Concealment? = nil,
        _ operation: @escaping @Sendable (AuthPolicy) -> O
    ) {
        self.name = name
        let asked = operation(.pinned)
        self.operation = (asked as? SignIn).map { "SignIn by \($0.proof.provider)" } ?? "\(O.self)"
        self.scene = scene
        self.provider = provider
        self.shows = shows
        self.concealment = concealment
        isActing = asked is any SessionOperation || asked is RefreshSession
        lookups = { operation($0).allLookups(Scene.request(under: $0)) }
        let judging = { (scene: Scene) in
            let (snapshot, looks) = scene.snapshot(for: asked)
            return { @Sendable (decisionContext: DecisionContext) in
                Decided(operation(decisionContext.policy).decision(on: snapshot, decisionContext), looks: looks)
            }
        }
        judge = judging(scene)
        judgeWithout = judging(scene.without(concealment?.accounts ?? []))
    }

    /// What is decided.
    func decided(_ decisionContext: DecisionContext) -> Decided { judge(decisionContext) }

    /// What is decided where nothing is there that must not be found out; nil where the policy promises no such thing.
    func decidedWithout(_ decisionContext: DecisionContext) -> Decided? {
        concealment?.isPromised(decisionContext.policy) == true ? decidedAnyhowWithout(decisionContext) : nil
    }

    /// The same whatever the policy promises.
    func decidedAnyhowWithout(_ decisionContext: DecisionContext) -> Decided { judgeWithout(decisionContext) }

    /// What is decided under a policy.
    func decided(under policy: AuthPolicy) -> Decided { judge(Scene.decisionContext(by: policy)) }
}

extension Scene {
    /// The policy with everything else that a decision needs, the same in every situation.
    static func decisionContext(
        by policy: AuthPolicy,
        fresh: FreshIdentifiers = FreshIdentifiers(
            operation: .init(bits: 900),
            account: .init(bits: 901),
            session: .init(bits: 902),
            record: .init(bits: 903),
            device: .init(bits: 904)
        )
    ) -> DecisionContext {
        DecisionContext(
            policy: policy,
            now: now,
            fresh: fresh,
            context: RequestContext(device: "phone")
        )
    }
}
