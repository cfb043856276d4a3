@testable import AuthCore

extension NaiveModel {
    mutating func reauthenticate(_ session: Int, _ authentication: Authentication, _ answers: Bool) -> Expectation {
        let place = place(of: session)
        let person = people[place]
        let wrong: Set<AuthErrorCode> = [rules == .firebase ? .wrongPassword : .invalidCredential]
        var no: Set<AuthErrorCode> = []
        var method: NaivePerson.Method?
        var released: Int?
        switch authentication {
        case .anonymous:
            no.insert(.userMismatch)
        case .password(let mailbox, let password):
            let isOwn = person.mailbox == mailbox && person.ownsMailbox
            method = person.password
            if person.mailbox != mailbox { no.insert(.userMismatch) }
            if !isOwn || method?.kind != .password(password) || method?.isSuspended ?? true { no.formUnion(wrong) }
            if person.mailbox == mailbox && !isOwn { no.insert(.userMismatch) }
        case .mail(let mailbox):
            method = person.mail
            if person.mailbox != mailbox { no.insert(.userMismatch) }
            if let owner = owner(of: mailbox), owner != place {
                if yieldsEmail(owner, mailbox) {
                    released = owner
                } else {
                    no.formUnion([.userMismatch, .emailAlreadyInUse])
                }
            }
            if method?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
        case .digits(let digits):
            method = person.phone
            if method?.kind != .digits(digits) { no.insert(.userMismatch) }
            if let owner = owner(of: digits), rules == .firebase, people[owner].requiresFactor {
                no.insert(.unsupportedFirstFactor)
            }
            if method?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
            if rules == .standard && person.hasOldNumber(digits, at: now) { no.insert(.requiresRecentLogin) }
        case .provider(let site, let subject, _, _):
            method = person.method(site, subject)
            if method == nil { no.insert(.userMismatch) }
            if method?.isSuspended ?? false { no.formUnion([.invalidCredential, .rejectedCredential]) }
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
            let kind = NaivePerson.Method.Kind.site(site, subject: subject, address: address, strength)
            if let method { people[place].renew(method.number, as: kind, at: now) }
            if let address, strength == .authoritative, rules == .standard {
                people[place].hearAgain(of: .mailbox(address), from: .site(site, subject: subject, strength), at: now)
            }
        case .password, .anonymous: break
        }
        if let method {
            rest(session, on: method.number, authentication)
        } else if case .mail(let mailbox) = authentication {
            rest(session, onMailTo: mailbox, of: person)
        }
        if let subject = verified(by: authentication) { prove(subject, in: session) }
        sessions[session].authenticatedAt = now
        if let factor { sessions[session].factor = factor }
        cover(session)
        useFactor(factor, of: place)
        if rules == .standard && !wasVerified && people[place].isVerified(under: rules) {
            endSessions(of: person.id, except: session)
        }
        return .granted(person: person.id)
    }

    mutating func unlink(_ session: Int, _ site: Site) -> Expectation {
        let place = place(of: session)
        let before = people[place]
        var no = recency(session, rules == .standard)
        if !before.listed.contains(site) { no.insert(.noSuchProvider) }
        no.formUnion(seniority(session, over: ages(of: site, at: place)))
        drop(site, from: place)
        if rules == .standard && people[place].lacksMethod(at: now) { no.insert(.lastMethod) }
        if isFactorStranded(before, place) { no.insert(.unverifiedEmail) }
        if !no.isEmpty { return .refused(no) }
        if people[place].mailbox == nil && rules == .standard { offerRecovery(of: before, place) }
        if rules == .standard { endSessions(of: before.id, except: session) }
        settle(session)
        return .granted(person: before.id)
    }

    /// Whether a factor would be left without the verified address by which its loss is mended.
    func isFactorStranded(_ before: NaivePerson, _ place: Int) -> Bool {
        rules == .standard && before.requiresFactor && before.isVerified(under: rules) && people[place].mailbox == nil
    }

    /// Since when the address, and what depends on it, is the person's.
    func addressAges(_ person: NaivePerson) -> [Int] {
        guard let mailbox = person.mailbox else { return [] }
        return person.proofs(of: .mailbox(mailbox), under: .standard).map(\.first)
            + person.methods.filter(\.isOfMailbox).map(\.senior)
    }

    mutating func updateEmail(_ session: Int, _ mailbox: Mailbox) -> Expectation {
        let place = place(of: session)
        let person = people[place]
        var no = recency(session)
        if rules == .standard && person.methods.isEmpty { return .refused(no.union([.emailChangeNeedsVerification])) }
        if person.mailbox == mailbox { return no.isEmpty ? .granted() : .refused(no) }
        if let owner = owner(of: mailbox), owner != place { no.insert(.emailAlreadyInUse) }
        if rules == .standard && person.isVerified(under: rules) { no.insert(.emailChangeNeedsVerification) }
        no.formUnion(seniority(session, over: addressAges(person)))
        if !no.isEmpty { return .refused(no) }
        people[place].move(to: mailbox, at: now)
        if sessions[session].base != .anonymous { offerRecovery(of: person, place) }
        endSessions(of: person.id, except: session)
        return .granted()
    }

    /// The address that was left can come back.
    mutating func offerRecovery(of old: NaivePerson, _ place: Int) {
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

    mutating func updatePassword(_ session: Int, _ password: Password) -> Expectation {
        let place = place(of: session)
        let person = people[place]
        var no = recency(session)
        if person.mailbox == nil, rules == .standard { no.insert(.missingEmail) }
        if password.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
        if let old = person.password { no.formUnion(seniority(session, over: [old.senior])) }
        // A password depends on the address, so a person who sets one has to own it.
        if let mailbox = person.mailbox, let owner = owner(of: mailbox), owner != place {
            no.insert(.emailAlreadyInUse)
        }
        if !no.isEmpty { return .refused(no) }
        var method = newMethod(.password(password))
        method.senior = min(now, seniorSince(session))
        for subject in stillVerified(session) { method.covered[subject] = now }
        people[place].methods.removeAll { $0.number == person.password?.number }
        people[place].add(method)
        spendResets(of: person.id)
        people[place].ownsMailbox = people[place].mailbox != nil
        if let old = sessions[session].method, !sessions[session].before.contains(old) {
            sessions[session].before.append(old)
        }
        sessions[session].method = method.number
        sessions[session].base = .password
        endSessions(of: person.id, except: session)
        settle(session)
        return .granted()
    }

    mutating func signOut(_ device: Device) -> Expectation {
        guard let session = devices[device] else { return .nothing }
        sessions[session].isOver = true
        return .granted()
    }

    mutating func delete(_ session: Int) -> Expectation {
        let place = place(of: session)
        let person = people[place]
        let no = recency(session).union(
            seniority(session, over: addressAges(person) + person.methods.map(\.senior) + person.factors.map(\.added))
        )
        if !no.isEmpty { return .refused(no) }
        if rules == .firebase || person.methods.isEmpty {
            remove(person.id)
            return .granted()
        }
        // A former address can come back for as long as it is reserved, and the person with it.
        people[place].goneAt = person.reserved.map(\.until).reduce(now + 7 * 86400, max)
        endSessions(of: person.id)
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
    private func mayEnrol(_ session: Int) -> Set<AuthErrorCode> {
        let person = people[place(of: session)]
        var no = recency(session, rules == .standard)
        switch sessions[session].base {
        case .password, .mail, .site: break
        case .digits: if rules == .firebase { no.insert(.unsupportedFirstFactor) }
        case .anonymous: no.insert(.unsupportedFirstFactor)
        }
        if !person.isVerified(under: rules) { no.insert(.unverifiedEmail) }
        if rules == .standard && person.factors.count >= 5 { no.insert(.maximumSecondFactorCountExceeded) }
        if rules == .standard && person.requiresFactor && !hasFactor(session) {
            no.insert(.requiresRecentLogin)
        }
        return no
    }

    mutating func enroll(_ session: Int) -> Expectation {
        let no = mayEnrol(session)
        if !no.isEmpty { return .refused(no) }
        let place = place(of: session)
        let isFirst = !people[place].requiresFactor
        let factor = NaivePerson.Factor(number: number(), added: now, used: now / 30)
        people[place].factors.append(factor)
        if isFirst && rules == .standard { endSessions(of: people[place].id, except: session) }
        sessions[session].factor = factor.number
        return .granted()
    }

    mutating func unenroll(_ session: Int) -> Expectation {
        let place = place(of: session)
        guard let factor = people[place].factors.first else { return .nothing }
        var no = recency(session, rules == .standard)
        if rules == .standard && people[place].requiresFactor && !hasFactor(session) {
            no.insert(.requiresRecentLogin)
        }
        no.formUnion(seniority(session, over: [factor.added]))
        if !no.isEmpty { return .refused(no) }
        people[place].factors.removeFirst()
        if sessions[session].factor == factor.number { sessions[session].factor = nil }
        return .granted()
    }
}
