@testable import AuthCore

extension NaiveModel {
    /// A person presents an identity of a provider.
    mutating func signIn(
        _ device: Device,
        _ site: Site,
        _ subject: Int,
        _ mailbox: Mailbox?,
        _ saying: Saying,
        _ answers: Bool
    ) -> Expectation {
        let strength = mailbox.map { rules.strength(site, $0, saying) } ?? .claimed
        let kind = NaivePerson.Method.Kind.site(site, subject: subject, address: mailbox, strength)
        let verified = mailbox.flatMap { strength >= rules.verifying ? Subject.mailbox($0) : nil }
        if let place = owner(of: site, subject) {
            return signIn(device, known: place, kind, site, subject, verified, answers)
        }
        guard let mailbox else { return newAccount(device, nil, owns: false, kind, verified) }
        guard let place = owner(of: mailbox) else {
            // Another account may display the address, by an assertion that counts, without owning it.
            let isDisplayed = people.contains { person in
                person.mailbox == mailbox
                    && person.evidence.contains { evidence in
                        guard evidence.subject == .mailbox(mailbox), !evidence.isStale else { return false }
                        guard case .site(_, _, let strength) = evidence.source else { return true }
                        return strength >= .confirmed
                    }
            }
            if rules == .standard && isDisplayed && strength > .claimed {
                return .refused([.accountExistsWithDifferentCredential])
            }
            return newAccount(device, mailbox, owns: rules == .firebase || verified != nil, kind, verified)
        }
        if rules == .standard && strength == .claimed {
            return newAccount(device, mailbox, owns: false, kind, verified)
        }
        return join(device, place, mailbox, kind, site, subject, strength, answers)
    }

    private mutating func newAccount(
        _ device: Device,
        _ mailbox: Mailbox?,
        owns: Bool,
        _ kind: NaivePerson.Method.Kind,
        _ verified: Subject?
    ) -> Expectation {
        var person = newPerson()
        person.mailbox = mailbox
        person.ownsMailbox = owns
        if let mailbox, case .site(let site, let subject, _, let strength) = kind, strength > .claimed {
            person.note(.mailbox(mailbox), .site(site, subject: subject, strength), at: now)
        }
        let method = newMethod(kind)
        person.add(method)
        people.append(person)
        openSession(people.count - 1, at: device, .site, method: method.number, verifying: verified)
        return .granted(person: person.id, isNew: true)
    }

    private mutating func signIn(
        _ device: Device,
        known place: Int,
        _ kind: NaivePerson.Method.Kind,
        _ site: Site,
        _ subject: Int,
        _ verified: Subject?,
        _ answers: Bool
    ) -> Expectation {
        let person = people[place]
        guard let index = person.methods.firstIndex(where: { $0.number == person.method(site, subject)?.number }) else {
            return .nothing
        }
        var no: Set<AuthErrorCode> = []
        if person.isDisabled { no.insert(.userDisabled) }
        if person.methods[index].isSuspended { no.insert(.rejectedCredential) }
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        people[place].renew(person.methods[index].number, as: kind, at: now)
        if let verified, rules == .standard {
            people[place].hearAgain(of: verified, from: .site(site, subject: subject, .authoritative), at: now)
            if !person.isVerified(under: rules), people[place].isVerified(under: rules) {
                endSessions(of: person.id, except: nil)
            }
        }
        openSession(place, at: device, .site, method: person.methods[index].number, verifying: verified, factor: factor)
        return .granted(person: person.id)
    }

    /// An identity of no account meets the owner of its address.
    private mutating func join(
        _ device: Device,
        _ place: Int,
        _ mailbox: Mailbox,
        _ kind: NaivePerson.Method.Kind,
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
        people[place].methods.removeAll { $0.site == site }
        let method = newMethod(kind)
        people[place].add(method)
        people[place].note(.mailbox(mailbox), .site(site, subject: subject, strength), at: now)
        openSession(place, at: device, .site, method: method.number, verifying: .mailbox(mailbox), factor: factor)
        return .granted(person: person.id)
    }
}
