/// Two policies, for the naive model as for the library.
enum Rules: String, CaseIterable, Sendable { case firebase, standard }

/// How much a provider's assertion about an address is worth.
enum Strength: Int, Comparable {
    case claimed, confirmed, authoritative

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
}

/// What a proof is about.
enum Subject: Hashable {
    case mailbox(Mailbox)
    case number(Digits)
}

/// An account, as the documents describe one.
struct NaivePerson {
    let id: Int
    let born: Int
    var methods: [Method] = []
    var mailbox: Mailbox?
    /// When the mailbox was set, if the account did not begin with it.
    var mailboxSetAt: Int?
    /// Whether the mailbox is this person's alone, or only displayed.
    var ownsMailbox = false
    /// Former addresses that no other account gets until then.
    var reserved: [(mailbox: Mailbox, until: Int)] = []
    /// The first address that was ever left.
    var firstMailbox: Mailbox?
    var evidence: [Vouching] = []
    var isAnonymous = false
    var isDisabled = false
    var wasEverVerified = false
    /// Sites that never join by themselves again.
    var blocked: [Site] = []
    var factors: [Factor] = []
    var goneAt: Int?

    /// Who vouched for an address or a number.
    struct Vouching {
        enum Source: Equatable {
            case code
            case site(Site, subject: Int, Strength)
        }

        let subject: Subject
        let source: Source
        let first: Int
        var last: Int
        /// When the person left the address.
        var staleAt: Int?
        var isStale: Bool { staleAt != nil }

        func proves(under rules: Rules) -> Bool {
            if case .site(_, _, let strength) = source { strength >= rules.verifying } else { true }
        }
    }

    /// One sign-in method.
    struct Method {
        enum Kind: Equatable {
            case password(Password)
            case mail
            case digits(Digits)
            case site(Site, subject: Int, address: Mailbox?, Strength)
        }

        let number: Int
        var kind: Kind
        let added: Int
        var senior: Int
        /// What was verified together with the method, and when.
        var covered: [Subject: Int] = [:]
        var isSuspended = false

        var site: Site {
            switch kind {
            case .password, .mail: .password
            case .digits: .phone
            case .site(let site, _, _, _): site
            }
        }

        var isOfMailbox: Bool { site == .password }

        /// What was suspended is as new as its confirmation.
        mutating func confirm(at now: Int) {
            if isSuspended { senior = now }
            isSuspended = false
        }
    }

    /// An authenticator app.
    struct Factor {
        let number: Int
        let added: Int
        /// The half minute whose code was used last.
        var used: Int
        var isSuspended = false
    }
}

extension NaivePerson {
    /// Adds a sign-in method; a number and an identity are only ever added by presenting them.
    mutating func add(_ method: Method) {
        methods.append(method)
        // A password without an address opens nothing.
        if !listed.isEmpty { isAnonymous = false }
        if !method.isOfMailbox { wasEverVerified = true }
    }

    var password: Method? { methods.first { if case .password = $0.kind { true } else { false } } }
    var mail: Method? { methods.first { $0.kind == .mail } }
    var phone: Method? { methods.first { $0.site == .phone } }
    var requiresFactor: Bool { factors.contains { !$0.isSuspended } }

    /// The sites that are listed: a password or mailed links only with an address.
    var listed: [Site] {
        var sites: [Site] = []
        for method in methods where !(method.isOfMailbox && mailbox == nil) && !sites.contains(method.site) {
            sites.append(method.site)
        }
        return sites
    }

    /// The methods that open the account today.
    var usable: [Method] { methods.filter { !$0.isSuspended && !($0.isOfMailbox && mailbox == nil) } }

    /// What is suspended, and lost when another identity of its site, or another number, is linked.
    func givingWay(to authentication: Authentication) -> [Method] {
        methods.filter { method in
            guard method.isSuspended else { return false }
            return switch (method.kind, authentication) {
            case (.digits(let old), .digits(let new)): old != new
            case (.site(let old, let subject, _, _), .provider(let new, let other, _, _)):
                old == new && subject != other
            default: false
            }
        }
    }

    /// The evidence for a subject that counts under the rules.
    func proofs(of subject: Subject, under rules: Rules) -> [Vouching] {
        evidence.filter { $0.subject == subject && !$0.isStale && $0.proves(under: rules) }
    }

    func isVerified(under rules: Rules) -> Bool {
        guard let mailbox else { return false }
        return !proofs(of: .mailbox(mailbox), under: rules).isEmpty
    }

    func isCovered(by mailbox: Mailbox) -> Bool {
        methods.allSatisfy { $0.isSuspended || covers($0, .mailbox(mailbox)) }
    }

    /// Whether mailed links sign in: the mailbox was verified together with a method, or no other method signs in.
    func opens(byMailTo mailbox: Mailbox, under rules: Rules) -> Bool {
        guard let mail, !mail.isSuspended else { return false }
        if isVerified(under: rules) && isKnown(at: mailbox) { return true }
        return methods.allSatisfy { $0.isSuspended || $0.kind == .mail }
    }

    /// Whether the mailbox was verified together with a method that is not suspended.
    func isKnown(at mailbox: Mailbox) -> Bool {
        methods.contains { !$0.isSuspended && covers($0, .mailbox(mailbox)) }
    }

    /// Whether the address or number that was verified together with the method has been the person's since.
    func covers(_ method: Method, _ subject: Subject) -> Bool {
        guard let at = method.covered[subject] else { return false }
        return proofs(of: subject, under: .standard).contains { $0.first <= at }
    }

    /// Takes over what a provider says of an identity.
    ///
    /// If the provider that ran the old mailbox now gives another address, the old one is no longer verified.
    mutating func renew(_ method: Int, as kind: Method.Kind, at now: Int) {
        guard let index = methods.firstIndex(where: { $0.number == method }) else { return }
        // An assertion without an address takes none back that its site runs.
        if case .site(_, _, _?, .authoritative) = methods[index].kind, case .site(_, _, nil, _) = kind { return }
        if case .site(let site, _, let left?, let strength) = methods[index].kind,
            case .site(_, _, let new?, let newStrength) = kind, new != left
        {
            // Google runs mailboxes of any domain, and may not have said so before.
            if strength == .authoritative || newStrength == .authoritative && site == .google { forget(left, at: now) }
        }
        // An assertion that counts for more than before verifies the same address.
        if case .site(let site, let subject, let old?, let strength) = methods[index].kind, strength < .authoritative,
            case .site(_, _, old, .authoritative) = kind, mailbox != old || ownsMailbox
        {
            note(.mailbox(old), .site(site, subject: subject, .authoritative), at: now)
        }
        methods[index].kind = kind
    }

    /// Nothing was ever verified, and nothing depends on it but the address.
    var isAdoptable: Bool { !wasEverVerified && !isDisabled && factors.isEmpty && methods.allSatisfy(\.isOfMailbox) }

    mutating func note(_ subject: Subject, _ source: Vouching.Source, at now: Int) {
        switch source {
        case .code, .site(_, _, .authoritative): wasEverVerified = true
        case .site: break
        }
        for index in evidence.indices where evidence[index].subject == subject && evidence[index].source == source {
            // A reserved address was not available to another account.
            let wasReserved = reserved.contains { .mailbox($0.mailbox) == subject && now < $0.until }
            if evidence[index].isStale && !wasReserved {
                evidence[index] = Vouching(subject: subject, source: source, first: now, last: now)
            } else {
                evidence[index].last = now
                evidence[index].staleAt = nil
            }
            return
        }
        evidence.append(Vouching(subject: subject, source: source, first: now, last: now))
    }

    /// An assertion that a site repeats is as young as that time, looked at about once a month; one about an address
    /// that the person had left counts from then on, unless the address is only displayed.
    mutating func hearAgain(of subject: Subject, from source: Vouching.Source, at now: Int) {
        for index in evidence.indices where evidence[index].subject == subject && evidence[index].source == source {
            let isShown = mailbox.map { .mailbox($0) == subject } ?? false
            if evidence[index].isStale {
                if !isShown || ownsMailbox { note(subject, source, at: now) }
            } else if (now - evidence[index].last) * 12 > 365 * 86400 {
                evidence[index].last = now
            }
        }
    }

    mutating func forget(_ mailbox: Mailbox, at now: Int) {
        for index in evidence.indices where evidence[index].subject == .mailbox(mailbox) {
            evidence[index].staleAt = evidence[index].staleAt ?? now
        }
    }

    mutating func move(to new: Mailbox, at now: Int) {
        if let mailbox, mailbox != new { forget(mailbox, at: now) }
        if mailbox != new {
            forget(new, at: now)
            // Mailed links go to another mailbox from now on.
            dateMail(now)
            // A mailbox that was not reserved for this account may have another owner now.
            if !reserved.contains(where: { $0.mailbox == new }) {
                for index in methods.indices { methods[index].covered[.mailbox(new)] = nil }
            }
        }
        mailbox = new
        ownsMailbox = true
        if password != nil { isAnonymous = false }
    }

    /// Mailed links are as old as the proof of the mailbox they go to.
    mutating func dateMail(_ since: Int) {
        for index in methods.indices where methods[index].kind == .mail { methods[index].senior = since }
    }

    /// A mailed code verified the address.
    mutating func own(_ mailbox: Mailbox, at now: Int) {
        note(.mailbox(mailbox), .code, at: now)
        ownsMailbox = true
        // Its owner ends the rights of the addresses that came after it.
        if let index = reserved.firstIndex(where: { $0.mailbox == mailbox }) { reserved.removeSubrange((index + 1)...) }
        dateMail(proofs(of: .mailbox(mailbox), under: .standard).map(\.first).min() ?? now)
    }

    mutating func dropMailbox(at now: Int) {
        if let mailbox { forget(mailbox, at: now) }
        mailbox = nil
        ownsMailbox = false
    }
}

extension Rules {
    /// From which assurance on a provider's assertion verifies an address.
    var verifying: Strength { self == .firebase ? .confirmed : .authoritative }

    /// What a provider's assertion is worth.
    func strength(_ site: Site, _ mailbox: Mailbox, _ saying: Saying) -> Strength {
        switch self {
        case .firebase: return saying == .verified ? .confirmed : .claimed
        case .standard:
            if site == .facebook { return .confirmed }
            if saying != .verified { return .claimed }
            return site == .google && mailbox == .gmail ? .authoritative : .confirmed
        }
    }

    var shortestPassword: Int { self == .firebase ? 6 : 8 }
}

/// A person who is signed in on a device.
struct NaiveSession {
    enum Base { case password, mail, digits, site, anonymous }

    let person: Int
    let device: Device
    var base: Base
    /// The number of the method it rests on.
    var method: Int?
    /// The methods that were used before.
    var before: [Int] = []
    /// What was verified in it, and when last.
    var verified: [(subject: Subject, at: Int)] = []
    var authenticatedAt: Int
    let begunAt: Int
    var factor: Int?
    var isOver = false
    /// When it was last used, to within an hour.
    var usedAt: Int

    /// Whether it was not used for too long, or the person did not authenticate in it for too long.
    func isTooOld(for person: NaivePerson, at now: Int) -> Bool {
        let day = 86400
        if person.isAnonymous { return now - usedAt >= 90 * day }
        return now - usedAt >= 30 * day || now - authenticatedAt >= 180 * day
    }
}

/// A mailed code.
struct NaiveCode {
    enum Purpose: Equatable {
        case verify(Mailbox)
        case change(from: Mailbox, to: Mailbox)
        case reset(Mailbox)
        /// Back to this address; what has this number or a later one came afterwards.
        case recover(Mailbox, from: Int)
    }

    let purpose: Purpose
    let person: Int
    let sentAt: Int
    /// The session that asked for it.
    var asker: Int?
    var isSpent = false

    func isOver(at now: Int) -> Bool {
        if case .recover = purpose { return now - sentAt >= 14 * 86400 }
        return now - sentAt >= 3600
    }
}
