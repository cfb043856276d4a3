@testable import AuthCore
import Foundation

/// A decision in a line that a person can review.
///
/// Two different decisions of one situation have different words; a test sees to it.
extension Decided {
    /// The outcome and the reasons for it.
    var outcome: String {
        guard let refusal else {
            let why = reasons.isEmpty ? "nothing" : reasons.map(\.rawValue).joined(separator: " ")
            return listed.isEmpty ? why : "\(why), listing \(listed.joined(separator: " "))"
        }
        return (["\(refusal.code)"] + reasons.map(\.rawValue)).joined(separator: " ") + detail(refusal)
    }

    private func detail(_ refusal: Refusal) -> String {
        guard case .conflict(let conflict) = refusal.detail, !conflict.existingProviders.isEmpty else { return "" }
        return ", naming \(conflict.existingProviders.map(\.shortName).joined(separator: " "))"
    }

    /// What is written, piece by piece.
    func writes(in scene: Scene) -> [String] {
        accountWords(in: scene) + sessionWords(in: scene) + recordWords + eventWords
    }

    private func accountWords(in scene: Scene) -> [String] {
        var words: [String] = []
        for write in changes.accounts {
            let place = scene.accounts.firstIndex { $0.id == write.id }
            // The first account is the one that it is about.
            let whose = place.map { $0 == 0 ? "" : "other: " } ?? "new: "
            let before = place.map { scene.accounts[$0] }
            switch write {
            case .create(let account): words += ["account"] + account.differences(from: nil).map { whose + $0 }
            case .update(let account, _): words += account.differences(from: before).map { whose + $0 }
            case .remove: words.append(whose + "account removed")
            }
        }
        if changes.keys.contains(where: { $0.expected == nil && $0.owner == nil }) {
            words.append("rests on a free key")
        }
        return words
    }

    private func sessionWords(in scene: Scene) -> [String] {
        changes.sessions.compactMap { change in
            switch change {
            case .put(let session):
                return "+session" + session.claims(beside: nil, in: scene)
            case .update(let session, _):
                let old = scene.sessions.first { $0.id == session.id }
                return "session goes on" + session.claims(beside: old, in: scene)
            case .end: return "session ends"
            case .endAll(let account, let kept):
                let whose = account == scene.accounts.first?.id ? "" : "other: "
                return whose + (kept == nil ? "all sessions end" : "other sessions end")
            case .endUnused: return nil
            }
        }
    }

    private var recordWords: [String] {
        changes.records.map { change in
            switch change {
            case .put(let record), .replace(let record):
                let end = record.expiresAt.map { " for \(($0 - Scene.now).inWords)" } ?? ""
                return "+\(record.purpose)\(end)\(record.powers)"
            case .consume: return "code used"
            case .revoke: return "code gone"
            case .revokeAll(_, let purposes):
                let kept = OneTimeRecord.Purpose.allCases.filter { !purposes.contains($0) }
                if kept.isEmpty { return "all codes gone" }
                if kept.count == 1 { return "all codes gone but \(kept[0].rawValue)" }
                return "no more \(purposes.map(\.rawValue).joined(separator: " "))"
            }
        }
    }

    private var eventWords: [String] {
        changes.events.map { "event \($0.kind)" }
            + changes.messages.map { message in
                guard case .email(let address) = message.recipient else { return "sent \(message.kind)" }
                return "sent \(message.kind) to \(address)"
            }
    }
}

extension OneTimeRecord {
    /// What there is to tell of its contents.
    fileprivate var powers: String {
        switch content {
        case .changeReport(let change):
            var nothing = Store.ReversibleChange()
            nothing.merge = change.merge
            return change == nothing ? " that reverses nothing" : ""
        case .mergePlan(let plan):
            let lists = [("moving", plan.moves), ("opening", plan.opens)].map { name, ways in
                "\(name) \(ways.isEmpty ? "nothing" : ways.map(\.provider.shortName).joined(separator: " and "))"
            }
            return " (\(lists.joined(separator: ", ")))"
        default: return ""
        }
    }
}

extension Duration {
    /// A time in the largest unit that divides it.
    fileprivate var inWords: String {
        let units: [(Int64, String)] = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        let unit = units.first { components.seconds % $0.0 == 0 } ?? (1, "s")
        return "\(components.seconds / unit.0) \(unit.1)"
    }
}

extension Session {
    /// What the session claims, or claims anew.
    fileprivate func claims(beside old: Session?, in scene: Scene) -> String {
        var words: [String] = []
        if basis != old?.basis {
            words.append("by \(basis.kind == .federated ? basis.provider.shortName : basis.kind.rawValue)")
        }
        if authenticatedAt != old?.authenticatedAt {
            let age = Scene.now - authenticatedAt
            words.append(
                age == .zero ? "login now" : "login \(age > .seconds(1e9) ? "never" : age.inWords + " ago")"
            )
        }
        if let factor, factor != old?.factor { words.append("factor \(factor.kind)") }
        if verified != old?.verified ?? [] { words.append("proof") }
        if used.count != old?.used.count ?? 0 { words.append("\(used.count) further methods used") }
        if let expiresAt, expiresAt != old?.expiresAt { words.append("lasts \((expiresAt - Scene.now).inWords)") }
        if rotation != old?.rotation ?? 0 { words.append("new tokens") }
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }
}

extension Account {
    /// What differs from an older value, or from nothing.
    fileprivate func differences(from old: Account?) -> [String] {
        methodDifferences(from: old?.methods ?? []) + addressDifferences(from: old) + factorDifferences(from: old)
            + flagDifferences(from: old) + deviceDifferences(from: old?.knownDevices ?? [])
    }

    private func deviceDifferences(from old: [DeviceKey]) -> [String] {
        let forgotten = old.contains { !knownDevices.contains($0) } ? ["devices forgotten"] : []
        return forgotten + (knownDevices.contains { !old.contains($0) } ? ["device known"] : [])
    }

    private func methodDifferences(from old: [SignInMethod]) -> [String] {
        var words: [String] = []
        for method in old where !methods.contains(where: { $0.generation == method.generation }) {
            words.append("-\(method.name)")
        }
        for method in methods {
            guard let before = old.first(where: { $0.generation == method.generation }) else {
                let isOlder = method.seniorSince < method.addedAt
                words.append(
                    "+\(method.name)\(method.word)\(isOlder ? " as old as its proof" : "")\(method.isActive ? "" : " suspended")"
                )
                if !method.coverage.isEmpty { words.append("\(method.name) covered") }
                continue
            }
            if before.kind != method.kind { words.append("\(method.name) renewed\(method.word)") }
            if before.isActive != method.isActive {
                words.append("\(method.name) \(method.isActive ? "confirmed" : "suspended")")
            }
            if before.coverage != method.coverage { words.append("\(method.name) covered") }
        }
        return words
    }

    private func addressDifferences(from old: Account?) -> [String] {
        var words: [String] = []
        if email != old?.email { words.append(email.map { "address \($0)" } ?? "no address") }
        if reservesEmail != old?.reservesEmail ?? false { words.append(reservesEmail ? "owned" : "not owned") }
        let (before, after) = (old?.evidence ?? [], evidence)
        let added = after.filter { piece in
            !before.contains { $0.source == piece.source && $0.subject == piece.subject }
        }
        words += added.map { "proof by \($0.source.name)" }
        if after.contains(where: { piece in
            before.contains { $0.source == piece.source && $0.subject == piece.subject && $0.lastAt < piece.lastAt }
        }) {
            words.append("proof renewed")
        }
        let stale = after.count { !$0.isFresh } - before.count { !$0.isFresh }
        if stale > 0 { words.append("\(stale) proofs stale") }
        if reservations != old?.reservations ?? [] {
            words.append(
                reservations.isEmpty
                    ? "nothing reserved" : "reserves \(reservations.map(\.email.text).joined(separator: " "))"
            )
            if let until = reservations.last?.until {
                words.append("for \((until - Scene.now).inWords)")
            }
        }
        if blockedIssuers != old?.blockedIssuers ?? [] {
            words.append(blockedIssuers.isEmpty ? "no issuer blocked" : "\(blockedIssuers.count) issuers blocked")
        }
        return words
    }

    private func factorDifferences(from old: Account?) -> [String] {
        let (before, after) = (old?.factors ?? [], factors)
        var words: [String] = []
        if after.count > before.count { words.append("+factor") }
        if after.count < before.count { words.append("-factor") }
        let suspended = after.count { $0.suspension != nil } - before.count { $0.suspension != nil }
        if suspended > 0 { words.append("factor suspended") }
        if suspended == 0, after.count == before.count, after != before { words.append("TOTP step used") }
        return words
    }

    private func flagDifferences(from old: Account?) -> [String] {
        var words: [String] = []
        if sessionGeneration != old?.sessionGeneration ?? 0 {
            words.append("sessionGeneration +\(sessionGeneration - (old?.sessionGeneration ?? 0))")
        }
        if displayName != old?.displayName { words.append(displayName.map { "called \($0)" } ?? "no name") }
        if let old, isAnonymous != old.isAnonymous { words.append("no longer anonymous") }
        if isProvisional != old?.isProvisional ?? false { words.append(isProvisional ? "provisional" : "confirmed") }
        if isDisabled != old?.isDisabled ?? false { words.append(isDisabled ? "disabled" : "enabled") }
        if deletedUntil != old?.deletedUntil {
            words.append(deletedUntil.map { "deleted in \(($0 - Scene.now).inWords)" } ?? "not deleted")
        }
        if let mergeLock, mergeLock != old?.mergeLock {
            words.append("merge lock for \((mergeLock.until - Scene.now).inWords)")
        }
        return words
    }
}

extension SignInMethod {
    fileprivate var name: String {
        switch kind {
        case .password: "password"
        case .emailLink: "mailed links"
        case .phone: "number"
        case .federated(let identity): identity.provider.shortName
        }
    }

    /// The worth of the word of an identity that says an address.
    fileprivate var word: String {
        identity.flatMap {
            $0.email == nil ? nil : " with a\($0.assurance == .authoritative ? "n" : "") \($0.assurance) address"
        } ?? ""
    }
}

extension ProviderID {
    /// The provider as people say it.
    fileprivate var shortName: String { String(rawValue.prefix { $0 != "." }) }
}

extension Evidence.Source {
    fileprivate var name: String {
        switch self {
        case .mailboxCode: "mail"
        case .phoneCode: "text message"
        case .provider(_, let word): "a\(word == .authoritative ? "n" : "") \(word) assurance"
        case .administrator: "administrator"
        case .imported: "import"
        }
    }
}
