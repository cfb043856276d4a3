@testable import AuthCore

extension NaiveModel {
    /// What a change asks of a login: that it is recent and, where the account has any, showed a second factor.
    func recency(_ session: Int, isLink: Bool = false, _ isAsked: Bool = true) -> Set<AuthErrorCode> {
        let person = people[place(of: session)]
        if !isAsked || person.isAnonymous { return [] }
        if now - sessions[session].authenticatedAt > 300 { return [.requiresRecentLogin] }
        if rules == .standard && !isLink && person.requiresFactor && !hasFactor(session) {
            return [.requiresRecentLogin]
        }
        return []
    }

    /// Since when the method that was presented last in the session signs in to the account.
    func seniorSince(_ session: Int) -> Int {
        let method = people[place(of: session)].methods.first { $0.number == sessions[session].method }
        return method?.senior ?? sessions[session].authenticatedAt
    }

    /// What is older than the login, and not for seven days, is not the login's to change.
    func seniority(_ session: Int, since: Int? = nil, over ages: [Int]) -> Set<AuthErrorCode> {
        guard rules == .standard, !people[place(of: session)].methods.isEmpty, let oldest = ages.min() else {
            return []
        }
        let since = since ?? seniorSince(session)
        return since <= oldest || now - since >= 7 * 86400 ? [] : [.requiresRecentLogin]
    }

    mutating func link(
        _ session: Int,
        _ authentication: Authentication,
        _ answers: Bool,
        replacing old: Site?
    ) -> Expectation {
        let place = place(of: session)
        let before = people[place]
        let wasVerified = before.isVerified(under: rules)
        var no = recency(session, isLink: old == nil, rules == .standard)
        no.formUnion(seniority(session, over: before.givingWay(to: authentication).map(\.senior)))
        if let old, confirms(authentication, old, before),
            let method = add(authentication, to: place, session, seniorSince(session), no: &no)
        {
            return finish(session, place, authentication, method, answers, nil, before, wasVerified, no: no)
        } else if let old {
            if !before.listed.contains(old) { no.insert(.noSuchProvider) }
            if case .password = authentication, old == .password, before.listed.contains(old) {
                no.formUnion(recency(session))
            }
            if isLocked(authentication, by: before) { no.insert(.providerAlreadyLinked) }
            let (new, shown) = (newMailbox(authentication), shownMailbox(authentication))
            no.formUnion(seniority(session, over: ages(of: old, at: place, keeping: new ?? shown, movingTo: new)))
            if case .password(let mailbox, _) = authentication, rules == .standard, mailbox != before.mailbox,
                wasVerified
            {
                no.insert(.emailChangeNeedsVerification)
            }
            let since = seniorSince(session)
            drop(old, from: place, keeping: new ?? shown)
            if rules == .standard, people[place].mailbox == nil, before.mailbox != nil, new != before.mailbox {
                offerRecovery(of: before, place)
            }
            let isLost = rules == .standard && wasVerified && people[place].mailbox == nil
            if let method = add(authentication, to: place, session, since, no: &no) {
                // A provider's assertion about another address does not replace a proof.
                if isLost, shown != nil, !people[place].isVerified(under: rules) {
                    people[place].dropMailbox(at: now)
                }
                return finish(session, place, authentication, method, answers, old, before, wasVerified, no: no)
            }
        } else if let method = add(authentication, to: place, session, seniorSince(session), no: &no) {
            return finish(session, place, authentication, method, answers, nil, before, wasVerified, no: no)
        }
        if before.requiresFactor && !hasFactor(session) { no.formUnion(owed(before, answers)) }
        return .refused(no)
    }

    /// The address on which a new method depends.
    private func newMailbox(_ authentication: Authentication) -> Mailbox? {
        switch authentication {
        case .password(let mailbox, _), .mail(let mailbox): mailbox
        case .digits, .provider, .anonymous: nil
        }
    }

    /// The address that a new method displays, beside the one on which it depends.
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
        case .provider(let site, let subject, _, _): person.method(site, subject).map { !$0.isSuspended } ?? false
        case .digits(let digits): person.phone?.kind == .digits(digits)
        case .password, .mail, .anonymous: false
        }
    }

    /// Whether what is to be replaced is presented itself, and waits for that.
    private func confirms(_ authentication: Authentication, _ old: Site, _ person: NaivePerson) -> Bool {
        guard case .provider(let site, let subject, _, _) = authentication, site == old else { return false }
        return person.method(site, subject)?.isSuspended ?? false
    }

    /// The methods of a site go, and an address that only they had with them.
    mutating func drop(_ site: Site, from place: Int, keeping shown: Mailbox? = nil) {
        people[place].methods.removeAll { $0.site == site }
        if rules == .standard, Site.federated.contains(site), !people[place].blocked.contains(site) {
            people[place].blocked.append(site)
        }
        guard site == .password, let mailbox = people[place].mailbox else { return }
        let isShownElsewhere = people[place].methods.contains { method in
            if case .site(_, _, mailbox, _) = method.kind { true } else { false }
        }
        if !isShownElsewhere && shown != mailbox { people[place].dropMailbox(at: now) }
    }

    /// The ages of what goes with the methods of a site: theirs, and the address's where it goes with them or another
    /// comes.
    func ages(of site: Site, at place: Int, keeping shown: Mailbox? = nil, movingTo new: Mailbox? = nil) -> [Int] {
        let person = people[place]
        var after = self
        after.drop(site, from: place, keeping: shown)
        let isLeft = after.people[place].mailbox != person.mailbox || new.map { $0 != person.mailbox } ?? false
        return person.methods.filter { $0.site == site }.map(\.senior) + (isLeft ? addressAges(person) : [])
    }

    /// Adds what is presented, or says why not; the number of the method that was added or confirmed.
    private mutating func add(
        _ authentication: Authentication,
        to place: Int,
        _ session: Int,
        _ since: Int,
        no: inout Set<AuthErrorCode>
    ) -> Int? {
        let person = people[place]
        switch authentication {
        case .anonymous:
            no.insert(.operationNotAllowed)
            return nil
        case .password(let mailbox, let password):
            if person.listed.contains(.password) { no.insert(.providerAlreadyLinked) }
            if let owner = owner(of: mailbox), owner != place { no.insert(.emailAlreadyInUse) }
            if password.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
            if rules == .standard, person.mailbox != mailbox, person.isVerified(under: rules) {
                no.insert(.emailChangeNeedsVerification)
            }
            if person.mailbox != mailbox { people[place].move(to: mailbox, at: now) }
            people[place].ownsMailbox = true
            var method = newMethod(.password(password))
            // A password is as old as the login that set it, and takes the place of one that had no address.
            method.senior = min(now, since)
            people[place].methods.removeAll { if case .password = $0.kind { true } else { false } }
            people[place].add(method)
            spendResets(of: person.id)
            return method.number
        case .mail(let mailbox):
            let confirms = person.mail?.isSuspended ?? false && person.mailbox == mailbox
            if person.listed.contains(.password) && !confirms { no.insert(.providerAlreadyLinked) }
            if let owner = owner(of: mailbox), owner != place {
                if yieldsEmail(owner, mailbox) { releaseEmail(owner) } else { no.insert(.emailAlreadyInUse) }
            }
            if person.mailbox != mailbox {
                no.formUnion(seniority(session, since: since, over: addressAges(person)))
                people[place].move(to: mailbox, at: now)
                if rules == .standard { offerRecovery(of: person, place) }
            }
            let method = newMailedLink(to: mailbox, of: people[place])
            people[place].own(mailbox, at: now)
            if let index = people[place].methods.firstIndex(where: { $0.kind == .mail }) {
                people[place].methods[index].confirm(at: now)
                return people[place].methods[index].number
            }
            people[place].add(method)
            return method.number
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
        if confirms, let index = people[place].methods.firstIndex(where: { $0.site == .phone }) {
            people[place].methods[index].confirm(at: now)
            return people[place].methods[index].number
        }
        let method = newMethod(.digits(digits))
        if let index = people[place].methods.firstIndex(where: { $0.site == .phone && $0.isSuspended }) {
            people[place].methods[index] = method
        } else {
            people[place].add(method)
        }
        return method.number
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
        // What was suspended is confirmed by presenting it again.
        let held = person.method(site, subject)
        let confirms = held?.isSuspended ?? false
        // One that is suspended gives way to another of its site.
        if person.methods.contains(where: { $0.site == site && !$0.isSuspended }) { no.insert(.providerAlreadyLinked) }
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
        // A password that waits for an address does not get one that is only displayed, and earlier evidence does not
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
        if let held, confirms, let index = people[place].methods.firstIndex(where: { $0.number == held.number }) {
            people[place].methods[index].confirm(at: now)
            return held.number
        }
        people[place].methods.removeAll { $0.site == site }
        let method = newMethod(.site(site, subject: subject, address: mailbox, strength))
        people[place].add(method)
        return method.number
    }

    /// The second factor, what ends with the change, and what the session rests on afterwards.
    private mutating func finish(
        _ session: Int,
        _ place: Int,
        _ authentication: Authentication,
        _ method: Int,
        _ answers: Bool,
        _ old: Site?,
        _ before: NaivePerson,
        _ wasVerified: Bool,
        no found: Set<AuthErrorCode>
    ) -> Expectation {
        var no = found
        var factor: Int?
        let hadFactor = before.factors.contains { !$0.isSuspended && $0.number == sessions[session].factor }
        if !hadFactor { factor = self.factor(of: before, answers, no: &no) }
        if rules == .standard && people[place].lacksMethod(at: now) { no.insert(.lastMethod) }
        if isFactorStranded(before, place) { no.insert(.unverifiedEmail) }
        if !no.isEmpty { return .refused(no) }
        // What is added says nothing of who adds it, unless there was nothing before.
        if rules == .firebase || before.methods.isEmpty {
            rest(session, on: method, authentication)
            sessions[session].authenticatedAt = now
        } else if sessions[session].method != method, !sessions[session].before.contains(method) {
            sessions[session].before.append(method)
        }
        if let subject = verified(by: authentication) { prove(subject, in: session) }
        if let factor { sessions[session].factor = factor }
        cover(session)
        useFactor(factor, of: place)
        let isPassword = if case .password = authentication { true } else { false }
        let isFirst = before.methods.isEmpty || !wasVerified && people[place].isVerified(under: rules)
        if isPassword || rules == .standard && (isFirst || old != nil) { endSessions(of: before.id, except: session) }
        settle(session)
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

    mutating func prove(_ subject: Subject, in session: Int) {
        sessions[session].verified.removeAll { $0.subject == subject }
        sessions[session].verified.append((subject, now))
    }

    /// The session rests on this method from now on, and remembers what it rested on.
    mutating func rest(_ session: Int, on method: Int, _ authentication: Authentication) {
        if let old = sessions[session].method, old != method, !sessions[session].before.contains(old) {
            sessions[session].before.append(old)
        }
        sessions[session].before.removeAll { $0 == method }
        sessions[session].method = method
        sessions[session].base =
            switch authentication {
            case .password: .password
            case .mail: .mail
            case .digits: .digits
            case .provider: .site
            case .anonymous: .anonymous
            }
    }

    /// A mailed link without a method of its own speaks for the method that was presented before it only where the
    /// mailbox was the person's as early, or for a week.
    mutating func rest(_ session: Int, onMailTo mailbox: Mailbox, of person: NaivePerson) {
        let last = sessions[session].method ?? sessions[session].before.last
        let found = person.methods.first { $0.number == last }
        let since = person.proofs(of: .mailbox(mailbox), under: rules).map(\.first).min() ?? now
        if rules == .firebase || since <= found?.senior ?? seniorSince(session) || now - since >= 7 * 86400 {
            if let found { rest(session, onShown: found) }
        } else {
            if let old = sessions[session].method, !sessions[session].before.contains(old) {
                sessions[session].before.append(old)
            }
            sessions[session].method = nil
            sessions[session].base = .mail
        }
    }

    /// The session rests on a method that was presented earlier in it.
    private mutating func rest(_ session: Int, onShown method: NaivePerson.Method) {
        sessions[session].before.removeAll { $0 == method.number }
        sessions[session].method = method.number
        sessions[session].base =
            switch method.kind {
            case .password: .password
            case .mail: .mail
            case .digits: .digits
            case .site: .site
            }
    }

    /// A session that would end with its method rests on what was used in it before when the method is gone.
    mutating func settle(_ session: Int) {
        let person = people[place(of: session)]
        sessions[session].before.removeAll { method in !person.methods.contains { $0.number == method } }
        guard rules == .standard, let method = sessions[session].method,
            !person.methods.contains(where: { $0.number == method }),
            let other = sessions[session].before.popLast(),
            let found = person.methods.first(where: { $0.number == other })
        else { return }
        rest(session, onShown: found)
        // What was presented last is gone, and the other method was presented at some time since the session began.
        if found.added < now {
            sessions[session].authenticatedAt = min(sessions[session].authenticatedAt, sessions[session].begunAt)
        }
    }
}
