@testable import AuthCore

extension NaiveModel {
    /// What a change asks of a login: that it is recent and, where the account has any, showed a second factor.
    func recency(_ sitting: Int, isLink: Bool = false, _ isAsked: Bool = true) -> Set<AuthErrorCode> {
        let person = people[place(of: sitting)]
        if !isAsked || person.isAnonymous { return [] }
        if now - sittings[sitting].shownAt > 300 { return [.requiresRecentLogin] }
        if rules == .standard && !isLink && person.requiresFactor && !hasFactor(sitting) {
            return [.requiresRecentLogin]
        }
        return []
    }

    /// Since when what was shown last in the sitting opens the account.
    func seniorSince(_ sitting: Int) -> Int {
        let way = people[place(of: sitting)].ways.first { $0.number == sittings[sitting].way }
        return way?.senior ?? sittings[sitting].shownAt
    }

    /// What is older than the login, and not for seven days, is not the login's to change.
    func seniority(_ sitting: Int, since: Int? = nil, over ages: [Int]) -> Set<AuthErrorCode> {
        guard rules == .standard, !people[place(of: sitting)].ways.isEmpty, let oldest = ages.min() else { return [] }
        let since = since ?? seniorSince(sitting)
        return since <= oldest || now - since >= 7 * 86400 ? [] : [.requiresRecentLogin]
    }

    mutating func link(
        _ sitting: Int,
        _ authentication: Authentication,
        _ answers: Bool,
        replacing old: Site?
    ) -> Expectation {
        let place = place(of: sitting)
        let before = people[place]
        let wasVerified = before.isVerified(under: rules)
        var no = recency(sitting, isLink: old == nil, rules == .standard)
        if let old, confirms(authentication, old, before),
            let way = add(authentication, to: place, sitting, seniorSince(sitting), no: &no)
        {
            return finish(sitting, place, authentication, way, answers, nil, before, wasVerified, no: no)
        } else if let old {
            if !before.listed.contains(old) { no.insert(.noSuchProvider) }
            if case .password = authentication, old == .password, before.listed.contains(old) {
                no.formUnion(recency(sitting))
            }
            if isLocked(authentication, by: before) { no.insert(.providerAlreadyLinked) }
            let (new, shown) = (newMailbox(authentication), shownMailbox(authentication))
            no.formUnion(seniority(sitting, over: ages(of: old, at: place, keeping: new ?? shown, movingTo: new)))
            if case .password(let mailbox, _) = authentication, rules == .standard, mailbox != before.mailbox,
                wasVerified
            {
                no.insert(.emailChangeNeedsVerification)
            }
            let since = seniorSince(sitting)
            drop(old, from: place, keeping: new ?? shown)
            if rules == .standard, people[place].mailbox == nil, before.mailbox != nil, new != before.mailbox {
                offerWayBack(of: before, place)
            }
            let isLost = rules == .standard && wasVerified && people[place].mailbox == nil
            if let way = add(authentication, to: place, sitting, since, no: &no) {
                // A provider's word about another address does not replace a proof.
                if isLost, shown != nil, !people[place].isVerified(under: rules) {
                    people[place].dropMailbox(at: now)
                }
                return finish(sitting, place, authentication, way, answers, old, before, wasVerified, no: no)
            }
        } else if let way = add(authentication, to: place, sitting, seniorSince(sitting), no: &no) {
            return finish(sitting, place, authentication, way, answers, nil, before, wasVerified, no: no)
        }
        if before.requiresFactor && !hasFactor(sitting) { no.formUnion(owed(before, answers)) }
        return .refused(no)
    }

    /// The address that a new method hangs on.
    private func newMailbox(_ authentication: Authentication) -> Mailbox? {
        switch authentication {
        case .password(let mailbox, _), .mail(let mailbox): mailbox
        case .digits, .provider, .anonymous: nil
        }
    }

    /// The address that a new way shows beside what it hangs on.
    private func shownMailbox(_ authentication: Authentication) -> Mailbox? {
        guard case .provider(_, _, let mailbox, let saying) = authentication, saying != .noAddress else { return nil }
        return mailbox
    }

    private func owed(_ person: NaivePerson, _ answers: Bool) -> Set<AuthErrorCode> {
        if !answers { return [.secondFactorRequired] }
        return person.answer(at: now) == nil ? [.invalidVerificationCode] : []
    }

    private func isLocked(_ authentication: Authentication, by person: NaivePerson) -> Bool {
        switch authentication {
        case .provider(let site, let subject, _, _): person.way(site, subject).map { !$0.isSuspended } ?? false
        case .digits(let digits): person.phone?.kind == .digits(digits)
        case .password, .mail, .anonymous: false
        }
    }

    /// Whether what is to be replaced is shown itself, and waits for that.
    private func confirms(_ authentication: Authentication, _ old: Site, _ person: NaivePerson) -> Bool {
        guard case .provider(let site, let subject, _, _) = authentication, site == old else { return false }
        return person.way(site, subject)?.isSuspended ?? false
    }

    /// The ways of a site go, and an address that only they had with them.
    mutating func drop(_ site: Site, from place: Int, keeping shown: Mailbox? = nil) {
        people[place].ways.removeAll { $0.site == site }
        if rules == .standard, Site.federated.contains(site), !people[place].blocked.contains(site) {
            people[place].blocked.append(site)
        }
        guard site == .password, let mailbox = people[place].mailbox else { return }
        let isShownElsewhere = people[place].ways.contains { way in
            if case .site(_, _, mailbox, _) = way.kind { true } else { false }
        }
        if !isShownElsewhere && shown != mailbox { people[place].dropMailbox(at: now) }
    }

    /// The ages of what goes with the ways of a site: theirs, and the address's where it goes with them or another
    /// comes.
    func ages(of site: Site, at place: Int, keeping shown: Mailbox? = nil, movingTo new: Mailbox? = nil) -> [Int] {
        let person = people[place]
        var after = self
        after.drop(site, from: place, keeping: shown)
        let isLeft = after.people[place].mailbox != person.mailbox || new.map { $0 != person.mailbox } ?? false
        return person.ways.filter { $0.site == site }.map(\.senior) + (isLeft ? addressAges(person) : [])
    }

    /// Adds what is shown, or says why not; the number of the way that was added or confirmed.
    private mutating func add(
        _ authentication: Authentication,
        to place: Int,
        _ sitting: Int,
        _ since: Int,
        no: inout Set<AuthErrorCode>
    ) -> Int? {
        let person = people[place]
        switch authentication {
        case .anonymous:
            no.insert(.operationNotAllowed)
            return nil
        case .password(let mailbox, let word):
            if person.listed.contains(.password) || person.password != nil { no.insert(.providerAlreadyLinked) }
            if let owner = owner(of: mailbox), owner != place { no.insert(.emailAlreadyInUse) }
            if word.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
            if rules == .standard, person.mailbox != mailbox, person.isVerified(under: rules) {
                no.insert(.emailChangeNeedsVerification)
            }
            if person.mailbox != mailbox { people[place].move(to: mailbox, at: now) }
            people[place].ownsMailbox = true
            var way = newWay(.password(word))
            // A password is as old as the login that set it.
            way.senior = min(now, since)
            people[place].add(way)
            spendResets(of: person.id)
            return way.number
        case .mail(let mailbox):
            let confirms = person.mail?.isSuspended ?? false && person.mailbox == mailbox
            if person.listed.contains(.password) && !confirms { no.insert(.providerAlreadyLinked) }
            if let owner = owner(of: mailbox), owner != place {
                if yieldsEmail(owner, mailbox) { releaseEmail(owner) } else { no.insert(.emailAlreadyInUse) }
            }
            if person.mailbox != mailbox {
                no.formUnion(seniority(sitting, since: since, over: addressAges(person)))
                people[place].move(to: mailbox, at: now)
                if rules == .standard { offerWayBack(of: person, place) }
            }
            people[place].own(mailbox, at: now)
            if let index = people[place].ways.firstIndex(where: { $0.kind == .mail }) {
                people[place].ways[index].confirm(at: now)
                return people[place].ways[index].number
            }
            let way = newWay(.mail)
            people[place].add(way)
            return way.number
        case .digits(let digits):
            return add(digits, to: place, no: &no)
        case .provider(let site, let subject, let mailbox, let saying):
            return add(site, subject, saying == .noAddress ? nil : mailbox, saying, to: place, no: &no)
        }
    }

    private mutating func add(_ digits: Digits, to place: Int, no: inout Set<AuthErrorCode>) -> Int? {
        let person = people[place]
        let confirms = person.phone.map { $0.isSuspended && $0.kind == .digits(digits) } ?? false
        if let phone = person.phone, !phone.isSuspended { no.insert(.providerAlreadyLinked) }
        if let owner = owner(of: digits) {
            if owner != place { no.insert(.credentialAlreadyInUse) }
            if rules == .firebase && people[owner].requiresFactor { no.insert(.unsupportedFirstFactor) }
        }
        if rules == .firebase && person.requiresFactor { no.insert(.unsupportedFirstFactor) }
        people[place].note(.number(digits), .code, at: now)
        if confirms, let index = people[place].ways.firstIndex(where: { $0.site == .phone }) {
            people[place].ways[index].confirm(at: now)
            return people[place].ways[index].number
        }
        let way = newWay(.digits(digits))
        if let index = people[place].ways.firstIndex(where: { $0.site == .phone && $0.isSuspended }) {
            people[place].ways[index] = way
        } else {
            people[place].add(way)
        }
        return way.number
    }

    private mutating func add(
        _ site: Site,
        _ subject: Int,
        _ mailbox: Mailbox?,
        _ saying: Saying,
        to place: Int,
        no: inout Set<AuthErrorCode>
    ) -> Int? {
        let person = people[place]
        let strength = mailbox.map { rules.strength(site, $0, saying) } ?? .claimed
        // What was suspended is confirmed by showing it again.
        let held = person.way(site, subject)
        let confirms = held?.isSuspended ?? false
        // One that is suspended gives way to another of its site.
        if person.ways.contains(where: { $0.site == site && !$0.isSuspended }) { no.insert(.providerAlreadyLinked) }
        if let owner = owner(of: site, subject), owner != place { no.insert(.credentialAlreadyInUse) }
        var isTaken = false
        if let mailbox, let owner = owner(of: mailbox), owner != place {
            if strength >= rules.verifying && yieldsEmail(owner, mailbox) {
                if person.mailbox == nil || person.mailbox == mailbox { releaseEmail(owner) }
            } else {
                isTaken = true
                // What is only confirmed brings no new address.
                if !confirms, rules == .firebase || strength > .claimed { no.insert(.emailAlreadyInUse) }
            }
        }
        people[place].blocked.removeAll { $0 == site }
        let proves = strength >= rules.verifying
        let isOwn = !isTaken && (rules == .firebase || proves)
        // A password that waits for an address does not get one that is merely shown, and an earlier word does not
        // verify one.
        if let mailbox, person.mailbox == nil, !isTaken || !proves,
            isOwn || person.password == nil && person.proofs(of: .mailbox(mailbox), under: rules).isEmpty
        {
            people[place].mailbox = mailbox
            people[place].ownsMailbox = isOwn
        }
        let isShown = people[place].mailbox == mailbox
        if let mailbox, isShown ? !proves || !isTaken : rules == .standard && proves, strength > .claimed {
            people[place].note(.mailbox(mailbox), .site(site, subject: subject, strength), at: now)
            if isShown && proves { people[place].ownsMailbox = true }
        }
        if let held, confirms, let index = people[place].ways.firstIndex(where: { $0.number == held.number }) {
            people[place].ways[index].confirm(at: now)
            return held.number
        }
        people[place].ways.removeAll { $0.site == site }
        let way = newWay(.site(site, subject: subject, address: mailbox, strength))
        people[place].add(way)
        return way.number
    }

    /// The second factor, what ends with the change, and what the sitting rests on afterwards.
    private mutating func finish(
        _ sitting: Int,
        _ place: Int,
        _ authentication: Authentication,
        _ way: Int,
        _ answers: Bool,
        _ old: Site?,
        _ before: NaivePerson,
        _ wasVerified: Bool,
        no found: Set<AuthErrorCode>
    ) -> Expectation {
        var no = found
        var factor: Int?
        let hadFactor = before.factors.contains { !$0.isSuspended && $0.number == sittings[sitting].factor }
        if !hadFactor { factor = self.factor(of: before, answers, no: &no) }
        if rules == .standard && people[place].lacksMethod(at: now) { no.insert(.lastMethod) }
        if isFactorStranded(before, place) { no.insert(.unverifiedEmail) }
        if !no.isEmpty { return .refused(no) }
        // What is added says nothing of who adds it, unless there was nothing before.
        if rules == .firebase || before.ways.isEmpty {
            rest(sitting, on: way, authentication)
            sittings[sitting].shownAt = now
        } else if sittings[sitting].way != way, !sittings[sitting].before.contains(way) {
            sittings[sitting].before.append(way)
        }
        if let subject = verified(by: authentication) { prove(subject, in: sitting) }
        if let factor { sittings[sitting].factor = factor }
        cover(sitting)
        useFactor(factor, of: place)
        let isPassword = if case .password = authentication { true } else { false }
        let isFirst = before.ways.isEmpty || !wasVerified && people[place].isVerified(under: rules)
        if isPassword || rules == .standard && (isFirst || old != nil) { endSittings(of: before.id, except: sitting) }
        settle(sitting)
        return .granted(person: before.id)
    }

    func verified(by authentication: Authentication) -> Subject? {
        switch authentication {
        case .password, .anonymous: nil
        case .mail(let mailbox): .mailbox(mailbox)
        case .digits(let digits): .number(digits)
        case .provider(let site, _, let mailbox, let saying):
            saying != .noAddress && rules.strength(site, mailbox, saying) >= rules.verifying ? .mailbox(mailbox) : nil
        }
    }

    mutating func prove(_ subject: Subject, in sitting: Int) {
        sittings[sitting].verified.removeAll { $0.subject == subject }
        sittings[sitting].verified.append((subject, now))
    }

    /// The sitting rests on this way from now on, and remembers what it rested on.
    mutating func rest(_ sitting: Int, on way: Int, _ authentication: Authentication) {
        if let old = sittings[sitting].way, old != way, !sittings[sitting].before.contains(old) {
            sittings[sitting].before.append(old)
        }
        sittings[sitting].before.removeAll { $0 == way }
        sittings[sitting].way = way
        sittings[sitting].base =
            switch authentication {
            case .password: .password
            case .mail: .mail
            case .digits: .digits
            case .provider: .site
            case .anonymous: .anonymous
            }
    }

    /// A mailed link without a way of its own speaks for the way that was shown before it only where the mailbox was
    /// the person's as early, or for a week.
    mutating func rest(_ sitting: Int, onMailTo mailbox: Mailbox, of person: NaivePerson) {
        let last = sittings[sitting].way ?? sittings[sitting].before.last
        let found = person.ways.first { $0.number == last }
        let since = person.proofs(of: .mailbox(mailbox), under: rules).map(\.first).min() ?? now
        if rules == .firebase || since <= found?.senior ?? seniorSince(sitting) || now - since >= 7 * 86400 {
            if let found { rest(sitting, onShown: found) }
        } else {
            if let old = sittings[sitting].way, !sittings[sitting].before.contains(old) {
                sittings[sitting].before.append(old)
            }
            sittings[sitting].way = nil
            sittings[sitting].base = .mail
        }
    }

    /// The sitting rests on a way that was shown earlier in it.
    private mutating func rest(_ sitting: Int, onShown way: NaivePerson.Way) {
        sittings[sitting].before.removeAll { $0 == way.number }
        sittings[sitting].way = way.number
        sittings[sitting].base =
            switch way.kind {
            case .password: .password
            case .mail: .mail
            case .digits: .digits
            case .site: .site
            }
    }

    /// A sitting whose way is gone rests on what was used in it before.
    mutating func settle(_ sitting: Int) {
        let person = people[place(of: sitting)]
        sittings[sitting].before.removeAll { way in !person.ways.contains { $0.number == way } }
        guard let way = sittings[sitting].way, !person.ways.contains(where: { $0.number == way }),
            let other = sittings[sitting].before.popLast(),
            let found = person.ways.first(where: { $0.number == other })
        else { return }
        rest(sitting, onShown: found)
        // What was shown last is gone, and the other way was shown at some time since the sitting began.
        if rules == .standard, found.added < now {
            sittings[sitting].shownAt = min(sittings[sitting].shownAt, sittings[sitting].begunAt)
        }
    }
}
