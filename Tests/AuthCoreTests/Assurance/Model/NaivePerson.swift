/// Two policies, for the naive model as for the library.
enum Rules: String, CaseIterable, Sendable { case firebase, standard }

/// How much a provider's word about an address is worth.
enum Strength: Int, Comparable {
    case claimed, confirmed, authoritative

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
}

/// What a proof is about.
enum Subject: Hashable {
    case mailbox(Mailbox)
    case number(Digits)
}

/// Somebody's account, as the documents describe one.
struct NaivePerson {
    let id: Int
    let born: Int
    var ways: [Way] = []
    var mailbox: Mailbox?
    /// When the mailbox was set, if the account did not begin with it.
    var mailboxSetAt: Int?
    /// Whether the mailbox is this person's alone, or merely shown.
    var ownsMailbox = false
    /// Former addresses that nobody else gets until then.
    var reserved: [(mailbox: Mailbox, until: Int)] = []
    /// The first address that was ever left.
    var firstMailbox: Mailbox?
    var words: [Vouching] = []
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
    struct Way {
        enum Kind: Equatable {
            case password(Word)
            case mail
            case digits(Digits)
            case site(Site, subject: Int, address: Mailbox?, Strength)
        }

        let number: Int
        var kind: Kind
        let added: Int
        var senior: Int
        var covered: [Subject] = []
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
    /// Adds a sign-in method; a number and an identity are only ever added by showing them.
    mutating func add(_ way: Way) {
        ways.append(way)
        isAnonymous = false
        if !way.isOfMailbox { wasEverVerified = true }
    }

    var password: Way? { ways.first { if case .password = $0.kind { true } else { false } } }
    var mail: Way? { ways.first { $0.kind == .mail } }
    var phone: Way? { ways.first { $0.site == .phone } }
    var requiresFactor: Bool { factors.contains { !$0.isSuspended } }

    /// The sites that are listed: a password or mailed links only with an address.
    var listed: [Site] {
        var sites: [Site] = []
        for way in ways where !(way.isOfMailbox && mailbox == nil) && !sites.contains(way.site) {
            sites.append(way.site)
        }
        return sites
    }

    /// The ways that open the account today.
    var usable: [Way] { ways.filter { !$0.isSuspended && !($0.isOfMailbox && mailbox == nil) } }

    /// The words for a subject that count under the rules.
    func proofs(of subject: Subject, under rules: Rules) -> [Vouching] {
        words.filter { $0.subject == subject && !$0.isStale && $0.proves(under: rules) }
    }

    func isVerified(under rules: Rules) -> Bool {
        guard let mailbox else { return false }
        return !proofs(of: .mailbox(mailbox), under: rules).isEmpty
    }

    func isCovered(by mailbox: Mailbox) -> Bool {
        ways.allSatisfy { $0.isSuspended || $0.covered.contains(.mailbox(mailbox)) }
    }

    /// Whether mailed links sign in: the mailbox was verified together with a method, or no other method signs in.
    func opens(byMailTo mailbox: Mailbox, under rules: Rules) -> Bool {
        guard let mail, !mail.isSuspended else { return false }
        if isVerified(under: rules) && isKnown(at: mailbox) { return true }
        return ways.allSatisfy { $0.isSuspended || $0.kind == .mail }
    }

    /// Whether the mailbox was verified together with a method that is not suspended.
    func isKnown(at mailbox: Mailbox) -> Bool {
        ways.contains { !$0.isSuspended && $0.covered.contains(.mailbox(mailbox)) }
    }

    /// Takes over what a provider says of an identity.
    ///
    /// If the provider that ran the old mailbox now gives another address, the old one is no longer verified.
    mutating func renew(_ way: Int, as kind: Way.Kind, at now: Int) {
        guard let index = ways.firstIndex(where: { $0.number == way }) else { return }
        // A word without an address takes none back that its site runs.
        if case .site(_, _, _?, .authoritative) = ways[index].kind, case .site(_, _, nil, _) = kind { return }
        if case .site(let site, _, let left?, let word) = ways[index].kind,
            case .site(_, _, let new?, let newWord) = kind, new != left
        {
            // Google runs mailboxes of any domain, and may not have said so before.
            if word == .authoritative || newWord == .authoritative && site == .google { forget(left, at: now) }
        }
        ways[index].kind = kind
    }

    /// Nothing was ever verified, and nothing hangs on it but the address.
    var isAdoptable: Bool { !wasEverVerified && !isDisabled && factors.isEmpty && ways.allSatisfy(\.isOfMailbox) }

    mutating func note(_ subject: Subject, _ source: Vouching.Source, at now: Int) {
        switch source {
        case .code, .site(_, _, .authoritative): wasEverVerified = true
        case .site: break
        }
        for index in words.indices where words[index].subject == subject && words[index].source == source {
            // A reserved address was not available to another account.
            let wasReserved = reserved.contains { .mailbox($0.mailbox) == subject && now < $0.until }
            if words[index].isStale && !wasReserved {
                words[index] = Vouching(subject: subject, source: source, first: now, last: now)
            } else {
                words[index].last = now
                words[index].staleAt = nil
            }
            return
        }
        words.append(Vouching(subject: subject, source: source, first: now, last: now))
    }

    /// A word that a site says again is as young as that time, looked at about once a month; a word about an address
    /// that the person had left counts from then on, unless the address is only shown.
    mutating func hearAgain(of subject: Subject, from source: Vouching.Source, at now: Int) {
        for index in words.indices where words[index].subject == subject && words[index].source == source {
            let isShown = mailbox.map { .mailbox($0) == subject } ?? false
            if words[index].isStale {
                if !isShown || ownsMailbox { note(subject, source, at: now) }
            } else if (now - words[index].last) * 12 > 365 * 86400 {
                words[index].last = now
            }
        }
    }

    mutating func forget(_ mailbox: Mailbox, at now: Int) {
        for index in words.indices where words[index].subject == .mailbox(mailbox) {
            words[index].staleAt = words[index].staleAt ?? now
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
                for index in ways.indices { ways[index].covered.removeAll { $0 == .mailbox(new) } }
            }
        }
        mailbox = new
        ownsMailbox = true
    }

    /// Mailed links are as old as the proof of the mailbox they go to.
    mutating func dateMail(_ since: Int) {
        for index in ways.indices where ways[index].kind == .mail { ways[index].senior = since }
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
    /// From which word on a provider proves an address.
    var verifying: Strength { self == .firebase ? .confirmed : .authoritative }

    /// What a provider's word is worth.
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

/// Somebody signed in somewhere.
struct NaiveSitting {
    enum Base { case password, mail, digits, site, anonymous }

    let person: Int
    let desk: Desk
    var base: Base
    /// The number of the way it rests on.
    var way: Int?
    /// The ways that were used before.
    var before: [Int] = []
    /// What was verified in it, and when last.
    var verified: [(subject: Subject, at: Int)] = []
    var shownAt: Int
    let begunAt: Int
    var factor: Int?
    var isOver = false
    /// When it was last used, to within an hour.
    var usedAt: Int

    /// Whether it was not used for too long, or nobody authenticated in it for too long.
    func isTooOld(for person: NaivePerson, at now: Int) -> Bool {
        let day = 86400
        if person.isAnonymous { return now - usedAt >= 90 * day }
        return now - usedAt >= 30 * day || now - shownAt >= 180 * day
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
    /// The sitting that asked for it.
    var asker: Int?
    var isSpent = false

    func isOver(at now: Int) -> Bool {
        if case .recover = purpose { return now - sentAt >= 14 * 86400 }
        return now - sentAt >= 3600
    }
}
