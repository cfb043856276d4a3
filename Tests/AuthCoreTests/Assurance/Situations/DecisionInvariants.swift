@testable import AuthCore
@testable import AuthCoreTexts

/// What must hold whatever the policy.
extension DecisionInvariant {
    /// Nothing is refused, and nothing written, without a reason that is explained to people.
    static var reasons: DecisionInvariant {
        .always("a documented reason") { trial in
            let reasons = trial.decided.reasons
            if let unknown = reasons.first(where: { ReasonTable.shared[$0] == nil }) {
                return "nothing explains \(unknown)"
            }
            if reasons.contains(.factsContradict) { return "the facts contradict each other" }
            if let refusal = trial.decided.refusal {
                return reasons.last == refusal.reason ? nil : "the last reason is not that of the refusal"
            }
            return reasons.isEmpty && !trial.changes.isEmpty ? "something is written for no reason" : nil
        }
    }

    /// I8: a refusal writes nothing but what is asked for next.
    static var refusals: DecisionInvariant {
        .always("I8: a refusal changes nothing") { trial in
            guard let refusal = trial.decided.refusal else { return nil }
            let changes = trial.changes
            // A token that was stolen ends the session, and what it asked for or decided before.
            let isReuse = refusal.reason == .refreshTokenWasReused
            let isAccountAsBefore = changes.accounts.allSatisfy { write in
                guard isReuse, case .update(var new, let expected) = write else { return false }
                new.version = expected
                return new == trial.before.account(new.id)
            }
            if !isAccountAsBefore || !changes.keys.isEmpty || !changes.references.isEmpty {
                return "an account is written"
            }
            if !changes.signIns.isEmpty || !changes.messages.isEmpty { return "a sign-in is told" }
            if !isReuse && !(changes.sessions.isEmpty && changes.events.isEmpty) { return "a session is written" }
            let puts = changes.records.compactMap { change -> OneTimeRecord.Purpose? in
                guard case .put(let record) = change else { return nil }
                return record.purpose
            }
            // The digits become the right to the number that they verified.
            let spends = changes.records.count - puts.count
            let replaces = puts == [.phoneOwnership] || puts == [.mailboxOwnership]
            if spends > (replaces || isReuse ? 1 : 0) { return "a code is used up" }
            let answerable: [OneTimeRecord.Purpose] = [
                .factorChallenge, .pendingIdentity, .phoneOwnership, .mailboxOwnership,
            ]
            let isAnswerable = puts.allSatisfy(answerable.contains)
            return isAnswerable ? nil : "\(puts) is kept"
        }
    }

    /// I1 and I2: a key that changes hands had the owner that the change names, and has one in the end.
    static var keys: DecisionInvariant {
        .always("I1, I2: one owner of each key") { trial in
            var owners = trial.before.owners
            for change in trial.changes.keys where owners[change.key] != change.expected {
                return "\(change.key) is expected of somebody else"
            }
            for change in trial.changes.keys where change.owner != change.expected { owners[change.key] = change.owner }
            let claims = trial.after.accounts.flatMap { account in
                account.claims(under: .pinned).map { ($0, account.id) }
            }
            let claimed = Dictionary(claims) { first, _ in first }
            if claimed.count != claims.count { return "a key has two owners" }
            return claimed == owners ? nil : "the keys are not those of the accounts"
        }
    }

    /// Nobody is overwritten whom the decision did not see.
    static var versions: DecisionInvariant {
        .always("every account is the one that was read") { trial in
            for write in trial.changes.accounts {
                let old = trial.before.account(write.id)
                switch write {
                case .create: if old != nil { return "\(write.id) is made again" }
                case .update(let new, let expected):
                    if old?.version != expected || new.version != expected + 1 { return "\(write.id) skips a version" }
                case .remove(_, let expected): if old?.version != expected { return "\(write.id) goes unseen" }
                }
            }
            let stale = trial.changes.reads.first { trial.before.account($0.id)?.version != $0.version }
            return stale.map { "\($0.id) was not read" }
        }
    }

    /// What a store would not take is no decision: it would be made again and again until the service gave up.
    static var records: DecisionInvariant {
        .always("a store takes what is written of sessions and one-time records") { trial in
            let codes = Set(trial.before.records.map(\.key))
            var written: Set<OneTimeRecordID> = []
            for change in trial.changes.records {
                let key: OneTimeRecordID
                switch change {
                case .put(let new):
                    key = new.key
                    if codes.contains(key) { return "a \(new.purpose) is put over one that is there" }
                case .replace(let new):
                    key = new.key
                    if !codes.contains(key) { return "a \(new.purpose) replaces none" }
                case .consume(let used):
                    key = used
                    if !codes.contains(key) { return "what is not there is used up" }
                case .revoke(let gone): key = gone
                case .revokeAll: continue
                }
                if !written.insert(key).inserted { return "one-time record \(key) is written twice" }
            }
            for change in trial.changes.sessions {
                switch change {
                case .put(let new):
                    if trial.before.sessions.contains(where: { $0.id == new.id }) { return "a session begins again" }
                case .update(let new, let count):
                    let old = trial.before.sessions.first { $0.id == new.id }
                    if old?.refreshCount != count { return "a session goes on that is another by now" }
                    let ends = trial.changes.sessions.contains { change in
                        switch change {
                        case .end(new.id): true
                        case .endAll(new.account, let kept): kept != new.id
                        default: false
                        }
                    }
                    if ends { return "a session is updated and ended" }
                case .end, .endAll, .endUnused: break
                }
            }
            return nil
        }
    }

    /// I10: each change of methods has one event, with a cause, that says what was and what is.
    static var history: DecisionInvariant {
        .always("I10: one event for each change of methods") { trial in
            let view = StoreView(trial.after, after: trial.before, trial.changes.events)
            let invariants = Invariants(store: InMemoryIdentityStore(), policy: .firebase)
            if let gap = invariants.history(view).first { return gap }
            let doubled = Dictionary(grouping: trial.changes.events.filter { $0.after != nil }) { $0.account }
                .first { $0.value.count > 1 }
            return doubled.map { "\($0.key) has two events of one change" }
        }
    }

    /// I10: the actor that an event names did it, and what it says was verified is on the account.
    static var events: DecisionInvariant {
        .always("I10: an event names who did it, and what was verified") { trial in
            let people = (trial.before.sessions + trial.after.sessions).map(\.id)
            for event in trial.changes.events {
                if event.reasons.isEmpty { return "\(event.kind) has no reason" }
                switch event.actor {
                case .session(let id): if !people.contains(id) { return "\(event.kind) is by nobody's session" }
                case .mailbox(let address):
                    let isShown = trial.situation.shows.proves.contains(.email(address))
                    if !isShown { return "\(event.kind) is by a mailbox that was not shown" }
                case .unauthenticated: if trial.situation.isActing { return "\(event.kind) is by nobody" }
                case .administrator:
                    if !event.reasons.contains(.administratorDecides) { return "\(event.kind) is by no administrator" }
                case .system:
                    // Time passes, or what somebody began goes on without them; or what came is not theirs.
                    let isAlone = trial.situation.shows.isNothing && !trial.situation.isActing
                    if !isAlone && trial.decided.refusal == nil { return "\(event.kind) is by nobody" }
                }
                let account = trial.after.account(event.account) ?? trial.before.account(event.account)
                let evidence = account?.evidence ?? []
                if !event.evidence.allSatisfy(evidence.contains) { return "\(event.kind) names another proof" }
            }
            return nil
        }
    }

    /// S8: what is taken because its owner never verified the address is not taken from who did.
    static var unverified: DecisionInvariant {
        .always("S8: no account that verified an address loses it as unverified") { trial in
            let isTaken = trial.decided.reasons.contains {
                [.unverifiedMethodsAreRemoved, .unverifiedOwnerYields, .ownerNeverVerifiedAddress].contains($0)
            }
            guard isTaken, trial.decided.refusal == nil else { return nil }
            for (old, new) in trial.updates {
                let left = Set(new.methods.map(\.generation))
                guard let email = old.email, !old.methods.allSatisfy({ left.contains($0.generation) }) else { continue }
                let isVerified = old.evidence.contains {
                    $0.isFresh && $0.subject == .email(email) && $0.source == .mailboxCode
                }
                if isVerified { return "\(old.id) verified \(email)" }
            }
            return nil
        }
    }

    /// I6: another secret or subject has another number, so that what rested on the old one does not rest on it.
    static var sameWays: DecisionInvariant {
        .always("I6: a number is of one secret or subject") { trial in
            for (old, new) in trial.updates {
                for method in new.methods {
                    if let before = old.methods.first(where: { $0.generation == method.generation }) {
                        if !before.isSameMethod(as: method) { return "method \(method.generation) is another by now" }
                    } else if method.generation < old.nextGeneration {
                        return "method \(method.generation) comes back"
                    }
                }
            }
            return nil
        }
    }
}

extension SignInMethod {
    /// Whether it is the same secret or subject; what a provider says beside that may differ.
    fileprivate func isSameMethod(as other: SignInMethod) -> Bool {
        switch (kind, other.kind) {
        case (.federated(let left), .federated(let right)): left.key == right.key
        default: kind == other.kind
        }
    }
}

extension Scene {
    /// Who owns what.
    fileprivate var owners: [UniqueKey: AccountID] {
        let claims = accounts.flatMap { account in account.claims(under: .pinned).map { ($0, account.id) } }
        return Dictionary(claims) { first, _ in first }
    }
}

extension StoreView {
    /// What is there after a decision, with a log that begins with what was there before it.
    init(_ scene: Scene, after earlier: Scene, _ decided: [IdentityEvent]) {
        var events: [IdentityEvent] = []
        for account in earlier.accounts {
            func tell(_ kind: IdentityEvent.Kind, _ methods: [SignInMethod.Summary]?) {
                events.append(
                    IdentityEvent(
                        kind,
                        at: account.createdAt,
                        account: account.id,
                        actor: .unauthenticated,
                        reasons: [.addressIsFree],
                        before: methods.map { _ in [] },
                        after: methods
                    )
                )
            }
            tell(.accountCreated, account.methodSummaries)
            if !account.factors.isEmpty { tell(.factorsChanged, nil) }
        }
        events += decided
        for index in events.indices { events[index].position = .number(UInt64(index) + 1) }
        self.init(accounts: scene.accounts, sessions: scene.sessions, events: events)
    }
}
