@testable import AuthCore

extension NaiveModel {
    mutating func reauthenticate(_ sitting: Int, _ authentication: Authentication, _ answers: Bool) -> Expectation {
        let place = place(of: sitting)
        let person = people[place]
        let wrong: Set<AuthErrorCode> = [rules == .firebase ? .wrongPassword : .invalidCredential]
        var no: Set<AuthErrorCode> = []
        var way: NaivePerson.Way?
        var released: Int?
        switch authentication {
        case .anonymous:
            no.insert(.userMismatch)
        case .password(let mailbox, let word):
            let isOwn = person.mailbox == mailbox && person.ownsMailbox
            way = person.password
            if person.mailbox != mailbox { no.insert(.userMismatch) }
            if !isOwn || way?.kind != .password(word) || way?.isSuspended ?? true { no.formUnion(wrong) }
            if person.mailbox == mailbox && !isOwn { no.insert(.userMismatch) }
        case .mail(let mailbox):
            way = person.mail
            if person.mailbox != mailbox { no.insert(.userMismatch) }
            if let owner = owner(of: mailbox), owner != place {
                if yieldsEmail(owner, mailbox) {
                    released = owner
                } else {
                    no.formUnion([.userMismatch, .emailAlreadyInUse])
                }
            }
            if way?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
        case .digits(let digits):
            way = person.phone
            if way?.kind != .digits(digits) { no.insert(.userMismatch) }
            if let owner = owner(of: digits), rules == .firebase, people[owner].requiresFactor {
                no.insert(.unsupportedFirstFactor)
            }
            if way?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
            if rules == .standard && person.hasOldNumber(digits, at: now) { no.insert(.requiresRecentLogin) }
        case .provider(let site, let subject, _, _):
            way = person.way(site, subject)
            if way == nil { no.insert(.userMismatch) }
            if way?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
        }
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        let wasVerified = person.isVerified(under: rules)
        if let released { releaseEmail(released) }
        switch authentication {
        case .mail(let mailbox):
            people[place].note(.mailbox(mailbox), .code, at: now)
            people[place].ownsMailbox = true
        case .digits(let digits): people[place].note(.number(digits), .code, at: now)
        case .provider(let site, let subject, let mailbox, let saying):
            let address = saying == .noAddress ? nil : mailbox
            let strength = address.map { rules.strength(site, $0, saying) } ?? .claimed
            let kind = NaivePerson.Way.Kind.site(site, subject: subject, address: address, strength)
            if let way { people[place].renew(way.number, as: kind, at: now) }
            if let address, strength == .authoritative, rules == .standard {
                people[place].hearAgain(of: .mailbox(address), from: .site(site, subject: subject, strength), at: now)
            }
        case .password, .anonymous: break
        }
        if let way {
            rest(sitting, on: way.number, authentication)
        } else if case .mail(let mailbox) = authentication {
            rest(sitting, onMailTo: mailbox, of: person)
        }
        if let subject = verified(by: authentication) { prove(subject, in: sitting) }
        sittings[sitting].shownAt = now
        if let factor { sittings[sitting].factor = factor }
        cover(sitting)
        useFactor(factor, of: place)
        if rules == .standard && !wasVerified && people[place].isVerified(under: rules) {
            endSittings(of: person.id, except: sitting)
        }
        return .granted(person: person.id)
    }

    mutating func unlink(_ sitting: Int, _ site: Site) -> Expectation {
        let place = place(of: sitting)
        let before = people[place]
        var no = recency(sitting, rules == .standard)
        if !before.listed.contains(site) { no.insert(.noSuchProvider) }
        no.formUnion(seniority(sitting, over: ages(of: site, at: place)))
        drop(site, from: place)
        if rules == .standard && people[place].lacksMethod(at: now) { no.insert(.lastMethod) }
        if isFactorStranded(before, place) { no.insert(.unverifiedEmail) }
        if !no.isEmpty { return .refused(no) }
        if people[place].mailbox == nil && rules == .standard { offerWayBack(of: before, place) }
        if rules == .standard { endSittings(of: before.id, except: sitting) }
        settle(sitting)
        return .granted(person: before.id)
    }

    /// Whether a factor would be left without the verified address by which its loss is mended.
    func isFactorStranded(_ before: NaivePerson, _ place: Int) -> Bool {
        rules == .standard && before.requiresFactor && before.isVerified(under: rules) && people[place].mailbox == nil
    }

    /// Since when the address, and what hangs on it, is the person's.
    func addressAges(_ person: NaivePerson) -> [Int] {
        guard let mailbox = person.mailbox else { return [] }
        return person.proofs(of: .mailbox(mailbox), under: .standard).map(\.first)
            + person.ways.filter(\.isOfMailbox).map(\.senior)
    }

    mutating func updateEmail(_ sitting: Int, _ mailbox: Mailbox) -> Expectation {
        let place = place(of: sitting)
        let person = people[place]
        var no = recency(sitting)
        if rules == .standard && person.ways.isEmpty { return .refused(no.union([.emailChangeNeedsVerification])) }
        if person.mailbox == mailbox { return no.isEmpty ? .granted() : .refused(no) }
        if let owner = owner(of: mailbox), owner != place { no.insert(.emailAlreadyInUse) }
        if rules == .standard && person.isVerified(under: rules) { no.insert(.emailChangeNeedsVerification) }
        no.formUnion(seniority(sitting, over: addressAges(person)))
        if !no.isEmpty { return .refused(no) }
        people[place].move(to: mailbox, at: now)
        if sittings[sitting].base != .anonymous { offerWayBack(of: person, place) }
        endSittings(of: person.id, except: sitting)
        return .granted()
    }

    /// The address that was left can come back.
    mutating func offerWayBack(of old: NaivePerson, _ place: Int) {
        guard let left = old.mailbox else { return }
        if rules == .standard && !old.isVerified(under: rules) { return }
        let first = rules == .standard ? left : old.firstMailbox ?? left
        people[place].firstMailbox = old.firstMailbox ?? left
        if rules == .standard && old.ownsMailbox {
            people[place].reserved.removeAll { $0.mailbox == left }
            people[place].reserved.append((left, now + 14 * 86400))
        }
        codes.append(NaiveCode(purpose: .recover(first, from: next + 1), person: old.id, sentAt: now))
    }

    mutating func updatePassword(_ sitting: Int, _ word: Word) -> Expectation {
        let place = place(of: sitting)
        let person = people[place]
        var no = recency(sitting)
        if person.mailbox == nil, rules == .standard { no.insert(.missingEmail) }
        if word.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
        if let old = person.password { no.formUnion(seniority(sitting, over: [old.senior])) }
        // A password hangs on the address, so a person who sets one has to own it.
        if let mailbox = person.mailbox, let owner = owner(of: mailbox), owner != place {
            no.insert(.emailAlreadyInUse)
        }
        if !no.isEmpty { return .refused(no) }
        var way = newWay(.password(word))
        way.senior = min(now, seniorSince(sitting))
        way.covered = stillVerified(sitting)
        people[place].ways.removeAll { $0.number == person.password?.number }
        people[place].add(way)
        spendResets(of: person.id)
        people[place].ownsMailbox = people[place].mailbox != nil
        if let old = sittings[sitting].way, !sittings[sitting].before.contains(old) {
            sittings[sitting].before.append(old)
        }
        sittings[sitting].way = way.number
        sittings[sitting].base = .password
        endSittings(of: person.id, except: sitting)
        settle(sitting)
        return .granted()
    }

    mutating func signOut(_ desk: Desk) -> Expectation {
        guard let sitting = desks[desk] else { return .nothing }
        sittings[sitting].isOver = true
        return .granted()
    }

    mutating func delete(_ sitting: Int) -> Expectation {
        let place = place(of: sitting)
        let person = people[place]
        let no = recency(sitting).union(
            seniority(sitting, over: addressAges(person) + person.ways.map(\.senior) + person.factors.map(\.added))
        )
        if !no.isEmpty { return .refused(no) }
        if rules == .firebase || person.ways.isEmpty {
            remove(person.id)
            return .granted()
        }
        // A former address can come back for as long as it is reserved, and the person with it.
        people[place].goneAt = person.reserved.map(\.until).reduce(now + 7 * 86400, max)
        endSittings(of: person.id)
        spendCodes(of: person.id) { purpose in
            switch purpose {
            case .verify, .change: true
            case .reset, .recover: false
            }
        }
        return .granted()
    }
}

extension NaiveModel {
    private func mayEnrol(_ sitting: Int) -> Set<AuthErrorCode> {
        let person = people[place(of: sitting)]
        var no = recency(sitting, rules == .standard)
        switch sittings[sitting].base {
        case .password, .mail, .site: break
        case .digits: if rules == .firebase { no.insert(.unsupportedFirstFactor) }
        case .anonymous: no.insert(.unsupportedFirstFactor)
        }
        if !person.isVerified(under: rules) { no.insert(.unverifiedEmail) }
        if rules == .standard && person.factors.count >= 5 { no.insert(.maximumSecondFactorCountExceeded) }
        if rules == .standard && person.requiresFactor && !hasFactor(sitting) {
            no.insert(.requiresRecentLogin)
        }
        return no
    }

    mutating func enroll(_ sitting: Int) -> Expectation {
        let no = mayEnrol(sitting)
        if !no.isEmpty { return .refused(no) }
        let place = place(of: sitting)
        let isFirst = !people[place].requiresFactor
        let factor = NaivePerson.Factor(number: number(), added: now, used: now / 30)
        people[place].factors.append(factor)
        if isFirst && rules == .standard { endSittings(of: people[place].id, except: sitting) }
        sittings[sitting].factor = factor.number
        return .granted()
    }

    mutating func unenroll(_ sitting: Int) -> Expectation {
        let place = place(of: sitting)
        guard let factor = people[place].factors.first else { return .nothing }
        var no = recency(sitting, rules == .standard)
        if rules == .standard && people[place].requiresFactor && !hasFactor(sitting) {
            no.insert(.requiresRecentLogin)
        }
        no.formUnion(seniority(sitting, over: [factor.added]))
        if !no.isEmpty { return .refused(no) }
        people[place].factors.removeFirst()
        if sittings[sitting].factor == factor.number { sittings[sitting].factor = nil }
        return .granted()
    }
}
