@testable import AuthCore

extension NaiveModel {
    /// A person presents a provider's word.
    mutating func signIn(
        _ desk: Desk,
        _ site: Site,
        _ subject: Int,
        _ mailbox: Mailbox?,
        _ saying: Saying,
        _ answers: Bool
    ) -> Expectation {
        let strength = mailbox.map { rules.strength(site, $0, saying) } ?? .claimed
        let kind = NaivePerson.Way.Kind.site(site, subject: subject, address: mailbox, strength)
        let verified = mailbox.flatMap { strength >= rules.verifying ? Subject.mailbox($0) : nil }
        if let place = owner(of: site, subject) {
            return signIn(desk, known: place, kind, site, subject, verified, answers)
        }
        guard let mailbox else { return newAccount(desk, nil, owns: false, kind, verified) }
        guard let place = owner(of: mailbox) else {
            // Somebody may show the address, on a word that is worth something, without owning it.
            let isShown = people.contains { person in
                person.mailbox == mailbox
                    && person.words.contains { word in
                        guard word.subject == .mailbox(mailbox), !word.isStale else { return false }
                        guard case .site(_, _, let strength) = word.source else { return true }
                        return strength >= .confirmed
                    }
            }
            if rules == .standard && isShown && strength > .claimed {
                return .refused([.accountExistsWithDifferentCredential])
            }
            return newAccount(desk, mailbox, owns: rules == .firebase || verified != nil, kind, verified)
        }
        if rules == .standard && strength == .claimed { return newAccount(desk, mailbox, owns: false, kind, verified) }
        return join(desk, place, mailbox, kind, site, subject, strength, answers)
    }

    private mutating func newAccount(
        _ desk: Desk,
        _ mailbox: Mailbox?,
        owns: Bool,
        _ kind: NaivePerson.Way.Kind,
        _ verified: Subject?
    ) -> Expectation {
        var person = newPerson()
        person.mailbox = mailbox
        person.ownsMailbox = owns
        if let mailbox, case .site(let site, let subject, _, let strength) = kind, strength > .claimed {
            person.note(.mailbox(mailbox), .site(site, subject: subject, strength), at: now)
        }
        let way = newWay(kind)
        person.add(way)
        people.append(person)
        device(people.count - 1, at: desk, .site, way: way.number, verifying: verified)
        return .granted(person: person.id, isNew: true)
    }

    private mutating func signIn(
        _ desk: Desk,
        known place: Int,
        _ kind: NaivePerson.Way.Kind,
        _ site: Site,
        _ subject: Int,
        _ verified: Subject?,
        _ answers: Bool
    ) -> Expectation {
        let person = people[place]
        guard let index = person.ways.firstIndex(where: { $0.number == person.way(site, subject)?.number }) else {
            return .nothing
        }
        var no: Set<AuthErrorCode> = []
        if person.isDisabled { no.insert(.userDisabled) }
        if person.ways[index].isSuspended { no.insert(.rejectedCredential) }
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        people[place].renew(person.ways[index].number, as: kind, at: now)
        if let verified, rules == .standard {
            people[place].hearAgain(of: verified, from: .site(site, subject: subject, .authoritative), at: now)
            if !person.isVerified(under: rules), people[place].isVerified(under: rules) {
                endSittings(of: person.id, except: nil)
            }
        }
        device(place, at: desk, .site, way: person.ways[index].number, verifying: verified, factor: factor)
        return .granted(person: person.id)
    }

    /// An identity nobody has meets the owner of its address.
    private mutating func join(
        _ desk: Desk,
        _ place: Int,
        _ mailbox: Mailbox,
        _ kind: NaivePerson.Way.Kind,
        _ site: Site,
        _ subject: Int,
        _ strength: Strength,
        _ answers: Bool
    ) -> Expectation {
        let person = people[place]
        let conflict = Expectation.refused([.accountExistsWithDifferentCredential])
        if strength < rules.verifying { return conflict }
        var removesMethods = !person.isVerified(under: rules)
        if rules == .standard {
            if person.listed.contains(site) || person.blocked.contains(site) { return conflict }
            removesMethods = person.isAdoptable && person.mailbox == mailbox
            let isFresh = person.proofs(of: .mailbox(mailbox), under: rules).contains {
                mailbox == .gmail || now - $0.last <= 365 * 86400
            }
            if !removesMethods && !(isFresh && person.isCovered(by: mailbox)) { return conflict }
        }
        var no: Set<AuthErrorCode> = []
        if person.isDisabled { no.insert(.userDisabled) }
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        if removesMethods { removeMethods(of: place) }
        people[place].ways.removeAll { $0.site == site }
        let way = newWay(kind)
        people[place].add(way)
        people[place].note(.mailbox(mailbox), .site(site, subject: subject, strength), at: now)
        device(place, at: desk, .site, way: way.number, verifying: .mailbox(mailbox), factor: factor)
        return .granted(person: person.id)
    }
}
