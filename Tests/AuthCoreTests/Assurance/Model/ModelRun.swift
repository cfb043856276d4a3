@testable import AuthCore
import AuthCoreTesting

/// The model and the library beside each other over one sequence of steps.
struct ModelRun {
    let rules: Rules
    /// What the library runs under, if that is not the rules' own preset: a test may spoil it.
    var policy: AuthPolicy

    init(_ rules: Rules) {
        self.rules = rules
        policy = rules.policy
    }

    /// Where the two differ, in words, with the number of the step; nil if they agree to the end.
    func disagreement(over steps: [Step]) async throws -> Disagreement? {
        let library = PlayedLibrary(policy)
        var model = NaiveModel(rules)
        var invariants = Invariants(store: library.world.store, policy: policy)
        var before = try await StoreView(of: library.world.store)
        for (number, step) in steps.enumerated() {
            let expected = model.take(step)
            let outcome = try await library.play(step)
            // The session that asked for the mail and the one in which its link is opened can outlive the others.
            if case .open = step { invariants.mayKeepEndedRows = true }
            var wrong = compare(expected, outcome, library) + library.mistakes
            if case .refused = outcome {
                let after = try await StoreView(of: library.world.store)
                // Time may have done its part meanwhile.
                if after != before, !after.differsOnlyByTime(from: before) {
                    wrong.append("I8: a refusal changed something")
                }
            }
            if wrong.isEmpty { wrong = try await compareState(model, library) }
            // Looking at an account may do what time left to do, so the store is seen only afterwards.
            before = try await StoreView(of: library.world.store)
            if wrong.isEmpty { wrong = try await invariants.violations(in: before) }
            if !wrong.isEmpty { return Disagreement(step: number, description: wrong) }
        }
        return nil
    }

    private func compare(
        _ expected: NaiveModel.Expectation,
        _ outcome: PlayedLibrary.Outcome,
        _ library: PlayedLibrary
    ) -> [String] {
        switch (expected, outcome) {
        case (.nothing, .nothing): return []
        case (.granted(nil, _), .granted): return []
        case (.granted(let person?, let isNew), .granted(let account?, let isNewUser)):
            let place = library.accounts.firstIndex(of: account).map { $0 + 1 }
            if place == person && isNew == isNewUser { return [] }
        case (.refused(let codes), .refused(let code)): if codes.contains(code) { return [] }
        default: break
        }
        return ["the model says \(expected.description), the library \(outcome)"]
    }

    private func compareState(_ model: NaiveModel, _ library: PlayedLibrary) async throws -> [String] {
        var wrong: [String] = []
        if model.codes.count != library.codes.count {
            wrong.append("the model has mailed \(model.codes.count) codes, the library \(library.codes.count)")
        }
        for (place, id) in library.accounts.enumerated() {
            var account = try await library.world.store.load([.account(id)])[id]
            if account?.isDue(at: library.world.clock.timestamp) ?? false { account = nil }
            let seen = account.map { PersonPicture($0, under: policy) }
            let told = model.people.first { $0.id == place + 1 }.map { PersonPicture($0, under: rules) }
            if seen != told {
                wrong.append("person \(place + 1): the model says \(told.description), the library \(seen.description)")
            }
        }
        for device in Device.allCases {
            let told = model.devices[device].map { model.status(of: model.sessions[$0])?.name ?? "alive" } ?? "empty"
            var seen = "empty"
            if let user = library.users[device] {
                do {
                    try await user.reload()
                    seen = "alive"
                } catch { seen = error.code.name }
                if seen == "alive", let session = model.devices[device],
                    (user.session.factor != nil) != (model.sessions[session].factor != nil)
                {
                    wrong.append("I5: the \(device) has presented \(user.session.factor == nil ? "no" : "a") factor")
                }
            }
            if seen != told { wrong.append("the \(device): the model says \(told), the library \(seen)") }
        }
        return wrong
    }
}

/// Where the model and the library differ.
struct Disagreement: Equatable {
    let step: Int
    let description: [String]
}

/// What of an account the model and the library must tell alike.
struct PersonPicture: Equatable {
    var sites: [String]
    var suspended: [String]
    var email: String?
    var isVerified: Bool
    var number: String?
    var isAnonymous: Bool
    var isDisabled: Bool
    var factors: Int

    init(_ account: Account, under policy: AuthPolicy) {
        sites = account.providerData.map(\.provider.rawValue).sorted()
        suspended = account.methods.filter { !$0.isActive }.map(\.kind.provider.rawValue).sorted()
        email = account.email?.text
        isVerified = account.isEmailVerified(under: policy)
        number = account.phoneNumber?.text
        isAnonymous = account.isAnonymous
        isDisabled = account.isDisabled
        factors = account.factors.count
    }

    init(_ person: NaivePerson, under rules: Rules) {
        sites = person.listed.map(\.rawValue).sorted()
        suspended = person.methods.filter(\.isSuspended).map(\.site.rawValue).sorted()
        email = person.mailbox?.rawValue
        isVerified = person.isVerified(under: rules)
        if case .digits(let digits)? = person.phone?.kind { number = digits.rawValue }
        isAnonymous = person.isAnonymous
        isDisabled = person.isDisabled
        factors = person.factors.count
    }
}

extension PersonPicture? {
    fileprivate var description: String {
        guard let picture = self else { return "gone" }
        var description = "\(picture.sites) \(picture.email ?? "-")"
        if picture.isVerified { description += " verified" }
        if !picture.suspended.isEmpty { description += " suspended \(picture.suspended)" }
        if let number = picture.number { description += " \(number)" }
        if picture.isAnonymous { description += " anonymous" }
        if picture.isDisabled { description += " disabled" }
        if picture.factors > 0 { description += " factors \(picture.factors)" }
        return description
    }
}

extension NaiveModel.Expectation {
    fileprivate var description: String {
        switch self {
        case .nothing: "nothing"
        case .granted(let person, let isNew): "granted\(person.map { " to \($0)" } ?? "")\(isNew ? ", new" : "")"
        case .refused(let codes): "refused with \(codes.map(\.name).sorted().joined(separator: " or "))"
        }
    }
}

extension StoreView {
    /// Whether all that happened in between is what time does by itself.
    func differsOnlyByTime(from before: StoreView) -> Bool {
        let new = events.dropFirst(before.events.count)
        let touched = Set(new.map(\.account))
        return new.allSatisfy { $0.actor == .system }
            && accounts.allSatisfy { account in
                account == before.account(account.id) || touched.contains(account.id)
                    || before.account(account.id).map { $0.reservations.count > account.reservations.count } ?? false
            }
    }
}

extension Rules {
    /// The preset, without the limits on guessing: sequences repeat themselves oftener than people do.
    var policy: AuthPolicy {
        var policy = self == .firebase ? AuthPolicy.firebase : AuthPolicy.standard
        policy.limits = nil
        return policy
    }
}
