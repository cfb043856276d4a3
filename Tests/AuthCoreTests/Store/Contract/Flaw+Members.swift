@testable import AuthCore
import Foundation

/// Flaws that lose, cut, mix up or keep a member of a value.
extension Flaw {
    static let members: [String: [Flaw]] = [
        "an account is read back with everything that it has": accountMembers + keptMembers + lostSignIns,
        "a session is read back with everything that it has": sessionMembers,
        "a record of every kind is read back with everything that it has": recordMembers,
        "an event is read back with everything that it has": eventMembers,
        "a message is read back with everything that it has": messageMembers,
        "values are kept however large": largeValues,
    ]

    // MARK: Accounts

    private static func accounts(_ name: String, _ spoil: @escaping @Sendable (inout Account) -> Void) -> Flaw {
        .edits(name) { _, changes, after in
            for write in changes.accounts {
                if var account = after.accounts[write.id] {
                    spoil(&account)
                    after.accounts[write.id] = account
                }
            }
        }
    }

    private static func methods(_ name: String, _ spoil: @escaping @Sendable (inout SignInMethod) -> Void) -> Flaw {
        accounts(name) { for place in $0.methods.indices { spoil(&$0.methods[place]) } }
    }

    private static func evidence(_ name: String, _ spoil: @escaping @Sendable (inout Evidence) -> Void) -> Flaw {
        accounts(name) { for place in $0.evidence.indices { spoil(&$0.evidence[place]) } }
    }

    private static let accountMembers: [Flaw] = [
        accounts("loses the picture") { $0.photoURL = nil },
        accounts("loses the first address") { $0.firstEmail = nil },
        accounts("loses when the address was set") { $0.emailSetAt = nil },
        accounts("loses factors") { $0.factors = [] },
        accounts("keeps two factors") { $0.factors = Array($0.factors.prefix(2)) },
        accounts("keeps one recovery code") { $0.recoveryCodes = Array($0.recoveryCodes.prefix(1)) },
        accounts("loses blocked issuers") { $0.blockedIssuers = [] },
        accounts("loses reservations") { $0.reservations = [] },
        accounts("loses the lock of a merge") { $0.mergeLock = nil },
        accounts("loses the end of the time for a deletion") { $0.deletedUntil = nil },
        accounts("loses known devices") { $0.knownDevices = [] },
        accounts("takes no account for anonymous") { $0.isAnonymous = false },
        accounts("enables every account") { $0.isDisabled = false },
        accounts("forgets that an address was verified") { $0.wasEverVerified = false },
        accounts("accepts no custom tokens") { $0.acceptsCustomTokens = false },
        accounts("forgets when a custom token signed in last") { $0.customTokenAt = nil },
        accounts("takes no account for provisional") { $0.isProvisional = false },
        accounts("keeps 31 bits of a session generation") { $0.sessionGeneration &= 0x7FFF_FFFF },
        accounts("keeps 16 bits of a generation") { $0.nextGeneration &= 0xFFFF },
        accounts("removes spaces around names") {
            $0.displayName = $0.displayName?.trimmingCharacters(in: .whitespaces)
        },
        accounts("takes an empty display name for none") { if $0.displayName == "" { $0.displayName = nil } },
        accounts("takes an empty picture for none") { if $0.photoURL == "" { $0.photoURL = nil } },
        accounts("composes names") { $0.displayName = $0.displayName?.precomposedStringWithCanonicalMapping },
        accounts("ends names at a zero byte") {
            $0.displayName = $0.displayName.map { String($0.prefix { $0 != "\0" }) }
        },
        accounts("takes an empty name for none") { if $0.customClaims[""] == "empty" { $0.customClaims[""] = nil } },
        accounts("reads whole claims as broken numbers") { account in
            account.customClaims = account.customClaims.mapValues { value in
                if case .integer(let number) = value { .number(Double(number)) } else { value }
            }
        },
        accounts("takes times before 1970 for none") { if let due = $0.dueAt, due.milliseconds < 0 { $0.dueAt = nil } },
        methods("opens suspended methods") { $0.suspension = nil },
        methods("loses coverage") { $0.coverage = [] },
        methods("takes a method for as senior as it is old") { $0.seniorSince = $0.addedAt },
        methods("loses the profile of identities") { method in
            guard case .federated(let identity) = method.kind else { return }
            method.kind = .federated(Identity(key: identity.key, provider: identity.provider, email: identity.email))
        },
        accounts("orders methods by their kind") { $0.methods.sort { "\($0.kind)" < "\($1.kind)" } },
        accounts("orders evidence by its age") { $0.evidence.sort { $0.firstAt < $1.firstAt } },
        accounts("keeps evidence once for each subject") { account in
            var seen: Set<Evidence.Subject> = []
            account.evidence = account.evidence.filter { seen.insert($0.subject).inserted }
        },
        evidence("keeps 32 bits of a count") { $0.count = Int(UInt32(truncatingIfNeeded: $0.count)) },
        evidence("forgets that evidence is stale") { $0.staleSince = nil },
        evidence("forgets when evidence was last renewed") { $0.lastAt = $0.firstAt },
    ]

    /// Keeps what an update removes.
    private static func keeps(_ name: String, _ keep: @escaping @Sendable (Account, inout Account) -> Void) -> Flaw {
        .edits(name) { before, changes, after in
            for case .update(var account, _) in changes.accounts {
                if let old = before.accounts[account.id] { keep(old, &account) }
                after.accounts[account.id] = account
            }
        }
    }

    private static let keptMembers: [Flaw] = [
        keeps("keeps a name that was removed") { $1.displayName = $1.displayName ?? $0.displayName },
        keeps("keeps a time that was removed") { $1.dueAt = $1.dueAt ?? $0.dueAt },
        keeps("keeps an address that was removed") { $1.email = $1.email ?? $0.email },
        keeps("adds claims to those before") { $1.customClaims.merge($0.customClaims) { new, _ in new } },
        keeps("updates no methods") { $1.methods = $0.methods },
        keeps("updates no version") { $1.version = $0.version },
        keeps("sets flags and clears none") { $1.isDisabled = $0.isDisabled || $1.isDisabled },
        keeps("keeps factors until there are others") { if $1.factors.isEmpty { $1.factors = $0.factors } },
        keeps("keeps reservations") { if $1.reservations.isEmpty { $1.reservations = $0.reservations } },
    ]

    private static func losesSignIn(_ name: String, _ isLost: @escaping @Sendable (Lookup) -> Bool) -> Flaw {
        .shows("loses the last sign-in of \(name)") { lookup, answer in
            guard isLost(lookup) else { return answer }
            return switch answer {
            case .account(let row): .account(Snapshot.Row(row.account))
            case .record(let record, let row): .record(record, row.map { Snapshot.Row($0.account) })
            case .accounts(let rows, let version): .accounts(rows.map { Snapshot.Row($0.account) }, version: version)
            default: answer
            }
        }
    }

    private static let lostSignIns: [Flaw] = [
        losesSignIn("a number's owner") { if case .owner(.phone) = $0 { true } else { false } },
        losesSignIn("an address's owner") { if case .owner(.primaryEmail) = $0 { true } else { false } },
        losesSignIn("a record's account") { if case .record = $0 { true } else { false } },
        losesSignIn("an account that references") { if case .referencing = $0 { true } else { false } },
    ]

    // MARK: Sessions

    private static func sessions(
        _ name: String,
        _ spoil: @escaping @Sendable (_ before: Session?, inout Session) -> Void
    ) -> Flaw {
        .edits(name) { before, changes, after in
            for change in changes.sessions {
                switch change {
                case .put(var session), .update(var session, _):
                    spoil(before.sessions[session.id], &session)
                    after.sessions[session.id] = session
                default: break
                }
            }
        }
    }

    private static let sessionMembers: [Flaw] = [
        sessions("loses the methods that a session used") { $1.used = [] },
        sessions("orders the methods that a session used") { $1.used.sort { $0.kind.rawValue < $1.kind.rawValue } },
        sessions("keeps each method once by its provider") { $1.used = Array($1.used.prefix(1)) },
        sessions("loses what a session verified") { $1.verified = [] },
        sessions("loses the address verified on request") { $1.verifiedOnRequest = nil },
        sessions("loses the factor of a session") { $1.factor = nil },
        sessions("keeps 16 bits of a rotation") { $1.rotation &= 0xFFFF },
        sessions("loses the method's generation") {
            $1.basis = Session.Basis(kind: $1.basis.kind, provider: $1.basis.provider, generation: nil)
        },
        sessions("loses the provider") {
            $1.basis = Session.Basis(kind: $1.basis.kind, provider: .anonymous, generation: $1.basis.generation)
        },
        sessions("takes every session for authenticated at its beginning") { $1.authenticatedAt = $1.createdAt },
        sessions("takes every session for used at its beginning") { $1.activeAt = $1.createdAt },
        sessions("loses the hash of a refresh token that ends in zero") {
            if $1.refreshHash?.last == 0 { $1.refreshHash?.removeLast() }
        },
        sessions("takes an empty hash for none") { if $1.refreshHash == [] { $1.refreshHash = nil } },
        sessions("loses a session's claims") { $1.claims = [:] },
        sessions("keeps claims that an update removes") { if $1.claims.isEmpty { $1.claims = $0?.claims ?? [:] } },
        sessions("keeps an expiry that an update removes") { $1.expiresAt = $1.expiresAt ?? $0?.expiresAt },
        sessions("does not update the expiry") { if let old = $0 { $1.expiresAt = old.expiresAt } },
        sessions("does not update the generation") { if let old = $0 { $1.sessionGeneration = old.sessionGeneration } },
        sessions("does not update the factor") { if let old = $0 { $1.factor = old.factor } },
        sessions("does not update the count of exchanges") { if let old = $0 { $1.refreshCount = old.refreshCount } },
        .wraps("lists sessions as they began") { store in
            let first = FirstValues<SessionID, Session>()
            store.onCommit = { changes, whole in
                for case .put(let session) in changes.sessions { first.keep(session, under: session.id) }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    guard case .sessions(let sessions) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                    return .sessions(sessions.map { first[$0.id] ?? $0 })
                }
            }
        },
        .wraps("lists a session twice that was updated") { store in
            let updated = FirstValues<SessionID, Bool>()
            store.onCommit = { changes, whole in
                for case .update(let session, _) in changes.sessions { updated.keep(true, under: session.id) }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    guard case .sessions(let sessions) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                    return .sessions(sessions + sessions.filter { updated[$0.id] == true })
                }
            }
        },
        .findsNothing("no sessions of an identity's owner") {
            if case .sessions(of: .owner(.identity)) = $0 { true } else { false }
        },
    ]

    // MARK: Records

    private static func records(
        _ name: String,
        _ spoil: @escaping @Sendable (_ before: OneTimeRecord?, OneTimeRecord) -> OneTimeRecord
    ) -> Flaw {
        .edits(name) { before, changes, after in
            for change in changes.records {
                switch change {
                case .put(let record), .replace(let record):
                    after.records[record.key] = spoil(before.records[record.key], record)
                default: break
                }
            }
        }
    }

    private static let recordMembers: [Flaw] = [
        records("loses the device of a record") { $1.with(device: .some(nil)) },
        records("loses the session generation of a record") { $1.with(sessionGeneration: .some(nil)) },
        records("does not replace the time of a record") { $1.with(createdAt: $0?.createdAt) },
        records("does not replace the expiry of a record") { old, new in
            old.map { new.with(expiresAt: .some($0.expiresAt)) } ?? new
        },
        records("does not replace the device of a record") { old, new in
            old.map { new.with(device: .some($0.device)) } ?? new
        },
        records("does not replace the content of a record") { old, new in
            old.map { new.with(content: $0.content) } ?? new
        },
        records("loses the session that asked") { _, new in
            guard case .verifyEmail(let email, _) = new.content else { return new }
            return new.with(content: .verifyEmail(email))
        },
        records("loses the successor") { _, new in
            new.purpose == .tombstone ? new.with(content: .tombstone(successor: nil)) : new
        },
        records("begins every merge anew") { _, new in
            guard case .mergeIntent(var intent) = new.content else { return new }
            intent.phase = .preparing
            return new.with(content: .mergeIntent(intent))
        },
        records("orders the hooks of a merge") { _, new in
            guard case .mergeIntent(var intent) = new.content else { return new }
            intent.prepared.sort()
            return new.with(content: .mergeIntent(intent))
        },
        records("keeps empty seeds") { _, new in
            new.purpose == .totpSeed ? new.with(content: .totpSeed([])) : new
        },
        .findsNothing("no records of nonces") {
            if case .records(_, .nonce) = $0 { true } else { false }
        },
        .wraps("lists records of purposes that begin alike") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var more: [Lookup: [OneTimeRecord]] = [:]
                for case .records(let reference, .phoneCode) in lookups {
                    let other = Lookup.records(of: reference, .phoneOwnership)
                    guard case .records(let records) = try await whole.load([other]).answer(to: other) else { continue }
                    more[.records(of: reference, .phoneCode)] = records
                }
                let all = more
                return Snapshot(lookups) { lookup in
                    guard case .records(let records) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                    return .records(records + (all[lookup] ?? []))
                }
            }
        },
        listsRecords("lists records under the purpose that they had first") { first, now, _ in
            first.purpose == now.purpose
        },
    ]

    // MARK: Events and messages

    private static func events(_ name: String, _ spoil: @escaping @Sendable (IdentityEvent) -> IdentityEvent) -> Flaw {
        .writes(name) { $0.events = $0.events.map(spoil) }
    }

    private static let eventMembers: [Flaw] = [
        events("takes no methods for an empty list") { $0.copy(before: .some($0.before ?? [])) },
        events("takes an empty list of methods for none") { event in
            event.copy(before: .some(event.before?.isEmpty == true ? nil : event.before))
        },
        events("swaps the methods before and after") { $0.copy(before: .some($0.after), after: .some($0.before)) },
        events("loses the methods before") { $0.copy(before: .some(nil)) },
        events("keeps one piece of evidence") { $0.copy(evidence: Array($0.evidence.prefix(1))) },
        events("cuts kinds at sixteen bytes") { event in
            event.copy(kind: IdentityEvent.Kind(rawValue: String(event.kind.rawValue.prefix(16))))
        },
        events("knows its own kinds of events only") { event in
            event.copy(kind: event.kind.rawValue.hasPrefix("kind") ? .signedIn : event.kind)
        },
        events("orders reasons") { $0.copy(reasons: $0.reasons.sorted { $0.rawValue < $1.rawValue }) },
        events("takes times before 1970 for 1970") { event in
            event.copy(at: max(event.at, Timestamp(milliseconds: 0)))
        },
    ]

    private static func messages(_ name: String, _ spoil: @escaping @Sendable (OutboxEntry) -> OutboxEntry) -> Flaw {
        .writes(name) { $0.messages = $0.messages.map(spoil) }
    }

    private static let messageMembers: [Flaw] = [
        messages("knows its own kinds of messages only") { entry in
            entry.with(kind: entry.kind.rawValue.allSatisfy(\.isLetter) ? entry.kind : .verifyEmail)
        },
        messages("loses the account of a message") { $0.with(account: .some(nil)) },
        messages("loses the settings of a message") { $0.with(settings: .some(nil)) },
        messages("takes no settings for empty ones") { $0.with(settings: .some($0.settings ?? Message.Settings())) },
        messages("loses the language") { entry in
            var settings = entry.settings
            settings?.language = nil
            return entry.with(settings: .some(settings))
        },
        messages("takes an empty language for none") { entry in
            var settings = entry.settings
            if settings?.language == "" { settings?.language = nil }
            return entry.with(settings: .some(settings))
        },
        messages("takes every message for one without an end") { $0.with(expiresAt: .some(nil)) },
        messages("takes a message for made when it was due") { $0.with(createdAt: $0.leasedUntil) },
        messages("loses the record of a message") { $0.with(record: OneTimeRecordID(bits: 0)) },
        .wraps("loses the tries of messages that were given up") { store in
            store.onMessages = { status, id, limit, whole in
                let found = try await whole.messages(status, after: id, limit: limit)
                return found.map {
                    Store.QueuedMessage($0.entry, tries: $0.dueAt == nil ? 1 : $0.tries, dueAt: $0.dueAt)
                }
            }
        },
        .wraps("hands out messages as they were") { store in
            store.onLease = { now, end, limit, whole in
                let leased = try await whole.leaseMessages(at: now, until: end, limit: limit)
                return leased.map { Store.QueuedMessage($0.entry, tries: $0.tries, dueAt: now) }
            }
        },
        .wraps("cuts leases to seconds") { store in
            store.onLease = { now, end, limit, whole in
                try await whole.leaseMessages(at: now, until: Timestamp(seconds: end.seconds), limit: limit)
            }
        },
    ]

    // MARK: Large values

    private static let largeValues: [Flaw] = [
        accounts("keeps 64 KiB of a name") { $0.displayName = $0.displayName.map { String($0.prefix(24_000)) } },
        accounts("keeps a hundred issuers") { $0.blockedIssuers = Array($0.blockedIssuers.prefix(100)) },
        accounts("keeps a thousand elements of a claim") { account in
            account.customClaims = account.customClaims.mapValues { value in
                if case .array(let list) = value { .array(Array(list.prefix(1000))) } else { value }
            }
        },
        sessions("loses claims that are too long") { if "\($1.claims)".utf8.count > 65_536 { $1.claims = [:] } },
        records("cuts seeds at 64 KiB") { _, new in
            guard case .totpSeed(let seed) = new.content else { return new }
            return new.with(content: .totpSeed(Array(seed.prefix(65_536))))
        },
    ]
}
