@testable import AuthCore

/// A second, independent telling of the rules: lists, loops and no regard for speed.
///
/// Where several reasons speak against a step, the documents do not say which is named, so the model names them all.
struct NaiveModel {
    /// What is expected of a step.
    enum Expectation: Equatable {
        /// Nobody is there to do it.
        case nothing
        case granted(person: Int? = nil, isNew: Bool = false)
        case refused(Set<AuthErrorCode>)
    }

    let rules: Rules
    var now = 0
    var people: [NaivePerson] = []
    var sittings: [NaiveSitting] = []
    /// Who sits where: the place in the list of sittings.
    var desks: [Desk: Int] = [:]
    var codes: [NaiveCode] = []
    /// How many people there ever were.
    var born = 0
    /// The number of the next way or factor.
    var next = 0

    init(_ rules: Rules) { self.rules = rules }

    /// Takes a step and says what must come of it.
    mutating func take(_ step: Step) -> Expectation {
        let before = self
        let expectation = attempt(step)
        // What is refused changes nothing.
        if case .refused = expectation { self = before }
        if rules == .standard { endVerifications(since: before) }
        if rules == .standard { withdrawOffers(since: before) }
        for old in before.people {
            guard let index = people.firstIndex(where: { $0.id == old.id }) else { continue }
            if people[index].mailbox != old.mailbox { people[index].mailboxSetAt = now }
        }
        // After each step, everybody who is signed in looks at their account, which uses the session.
        for sitting in desks.values where status(of: sittings[sitting]) == nil && now - sittings[sitting].usedAt >= 3600
        {
            sittings[sitting].usedAt = now
        }
        return expectation
    }

    /// No address is offered to come back that the same step gave up for good.
    private mutating func withdrawOffers(since before: NaiveModel) {
        let reserved = people.flatMap { person in person.reserved.map { (person.id, $0.mailbox) } }
        let new = codes.dropFirst(before.codes.count).filter { code in
            guard case .recover(let mailbox, _) = code.purpose else { return true }
            return reserved.contains { $0 == (code.person, mailbox) }
        }
        codes = codes.prefix(before.codes.count) + new
    }

    private mutating func attempt(_ step: Step) -> Expectation {
        passTime()
        switch step {
        case .signUp(let desk, let mailbox, let word): return signUp(desk, mailbox, word)
        case .signIn(let desk, let authentication, let answers): return signIn(desk, authentication, answers)
        case .link(let desk, let authentication, let answers):
            return acting(desk) { model, sitting in model.link(sitting, authentication, answers, replacing: nil) }
        case .replace(let desk, let site, let authentication, let answers):
            return acting(desk) { model, sitting in model.link(sitting, authentication, answers, replacing: site) }
        case .reauthenticate(let desk, let authentication, let answers):
            return acting(desk) { model, sitting in model.reauthenticate(sitting, authentication, answers) }
        case .unlink(let desk, let site): return acting(desk) { model, sitting in model.unlink(sitting, site) }
        case .updateEmail(let desk, let mailbox):
            return acting(desk) { model, sitting in model.updateEmail(sitting, mailbox) }
        case .updatePassword(let desk, let word):
            return acting(desk) { model, sitting in model.updatePassword(sitting, word) }
        case .askForVerification(let desk): return acting(desk) { model, sitting in model.askForVerification(sitting) }
        case .askForChange(let desk, let mailbox):
            return acting(desk) { model, sitting in model.askForChange(sitting, mailbox) }
        case .askForReset(let mailbox): return askForReset(mailbox)
        case .open(let code, let desk): return open(code, desk)
        case .reset(let code, let word): return reset(code, word)
        case .enroll(let desk): return acting(desk) { model, sitting in model.enroll(sitting) }
        case .unenroll(let desk): return acting(desk) { model, sitting in model.unenroll(sitting) }
        case .signOut(let desk): return signOut(desk)
        case .delete(let desk): return acting(desk) { model, sitting in model.delete(sitting) }
        case .setDisabled(let isDisabled, let person):
            guard let index = people.firstIndex(where: { $0.id == person }) else { return .nothing }
            if rules == .standard && people[index].isDisabled && !isDisabled { endSittings(of: person) }
            if isDisabled { spendChanges(of: person) }
            people[index].isDisabled = isDisabled
            return .granted()
        case .wait(let seconds):
            now += seconds
            passTime()
            return .granted()
        }
    }

    /// A mail that proves an address dies with the address.
    private mutating func endVerifications(since before: NaiveModel) {
        for old in before.people where old.mailbox != nil {
            guard let new = people.first(where: { $0.id == old.id }), new.mailbox != old.mailbox else { continue }
            spendCodes(of: old.id) { purpose in
                if case .verify = purpose { true } else { false }
            }
        }
    }

    /// What time does by itself: deletions become final, reserved addresses become free.
    private mutating func passTime() {
        for person in people where person.goneAt.map({ $0 <= now }) ?? false { remove(person.id) }
        for index in people.indices { people[index].reserved.removeAll { $0.until <= now } }
    }
}

extension NaiveModel {
    /// Why the handle at the desk is good for nothing, if it is.
    func status(of sitting: NaiveSitting) -> AuthErrorCode? {
        guard let person = people.first(where: { $0.id == sitting.person }) else { return .userNotFound }
        if sitting.isOver || rules == .standard && sitting.isTooOld(for: person, at: now) { return .userTokenExpired }
        if rules == .standard, let way = sitting.way,
            !person.ways.contains(where: { $0.number == way && !$0.isSuspended })
        {
            return .userTokenExpired
        }
        return person.isDisabled ? .userDisabled : nil
    }

    /// Does what needs somebody signed in at the desk.
    private mutating func acting(
        _ desk: Desk,
        _ body: (inout NaiveModel, _ sitting: Int) -> Expectation
    ) -> Expectation {
        guard let sitting = desks[desk] else { return .nothing }
        if let code = status(of: sittings[sitting]) { return .refused([code]) }
        return body(&self, sitting)
    }

    /// The place of the person in the list.
    func place(of sitting: Int) -> Int { people.firstIndex { $0.id == sittings[sitting].person } ?? 0 }

    /// Whose alone the address is: as the primary one, or kept for a way back.
    func owner(of mailbox: Mailbox) -> Int? {
        people.firstIndex { person in
            (person.mailbox == mailbox && person.ownsMailbox) || person.reserved.contains { $0.mailbox == mailbox }
        }
    }

    func owner(of digits: Digits) -> Int? { people.firstIndex { $0.ways.contains { $0.kind == .digits(digits) } } }

    func owner(of site: Site, _ subject: Int) -> Int? {
        people.firstIndex { $0.way(site, subject) != nil }
    }

    /// Ends everything that the person has open, but for one sitting.
    mutating func endSittings(of person: Int, except kept: Int?...) {
        for index in sittings.indices where sittings[index].person == person && !kept.contains(index) {
            sittings[index].isOver = true
        }
        spendChanges(of: person)
    }

    /// The end of all sessions, and disabling, end the changes of address that were asked for before.
    private mutating func spendChanges(of person: Int) {
        if rules != .standard { return }
        spendCodes(of: person) { purpose in
            if case .change = purpose { true } else { false }
        }
    }

    /// Whether the person has the address only until somebody proves it.
    func yieldsEmail(_ place: Int, _ mailbox: Mailbox) -> Bool {
        rules == .standard && people[place].mailbox == mailbox && !people[place].isDisabled
            && people[place].proofs(of: .mailbox(mailbox), under: rules).isEmpty
            && !people[place].reserved.contains { $0.mailbox == mailbox }
    }

    /// An account that never verified the address yields it to one that has.
    mutating func releaseEmail(_ place: Int) {
        people[place].ways.removeAll(where: \.isOfMailbox)
        people[place].dropMailbox(at: now)
        endSittings(of: people[place].id)
        spendCodes(of: people[place].id) { purpose in
            if case .recover = purpose { false } else { true }
        }
    }

    /// Whether a factor that still counts was shown in the sitting.
    func hasFactor(_ sitting: Int) -> Bool {
        people[place(of: sitting)].factors.contains { !$0.isSuspended && $0.number == sittings[sitting].factor }
    }

    mutating func remove(_ person: Int) {
        people.removeAll { $0.id == person }
        spendCodes(of: person) { _ in true }
    }

    mutating func spendCodes(of person: Int, where matches: (NaiveCode.Purpose) -> Bool) {
        for index in codes.indices where codes[index].person == person && matches(codes[index].purpose) {
            codes[index].isSpent = true
        }
    }

    /// A password that is set in a sitting ends the codes that would set another.
    mutating func spendResets(of person: Int) {
        if rules != .standard { return }
        spendCodes(of: person) { purpose in
            if case .reset = purpose { true } else { false }
        }
    }

    mutating func number() -> Int {
        next += 1
        return next
    }

    mutating func newPerson() -> NaivePerson {
        born += 1
        return NaivePerson(id: born, born: now)
    }

    mutating func newWay(_ kind: NaivePerson.Way.Kind) -> NaivePerson.Way {
        NaivePerson.Way(number: number(), kind: kind, added: now, senior: now)
    }

    /// Signs in a person who has just authenticated.
    mutating func device(
        _ place: Int,
        at desk: Desk,
        _ base: NaiveSitting.Base,
        way: Int?,
        verifying subject: Subject? = nil,
        factor: Int? = nil
    ) {
        people[place].goneAt = nil
        sittings.append(
            NaiveSitting(
                person: people[place].id,
                desk: desk,
                base: base,
                way: way,
                shownAt: now,
                begunAt: now,
                factor: factor,
                usedAt: now
            )
        )
        let sitting = sittings.count - 1
        if let subject { sittings[sitting].verified = [(subject, now)] }
        cover(sitting)
        useFactor(factor, of: place)
        desks[desk] = sitting
    }

    /// What was used in a sitting is covered by what was verified in it.
    mutating func cover(_ sitting: Int) {
        let place = place(of: sitting)
        let used = sittings[sitting].before + [sittings[sitting].way].compactMap(\.self)
        for index in people[place].ways.indices where used.contains(people[place].ways[index].number) {
            for subject in stillVerified(sitting) where !people[place].ways[index].covered.contains(subject) {
                people[place].ways[index].covered.append(subject)
            }
        }
    }

    /// What was verified in a sitting and still counts: now, or when the person had the address or number without a
    /// break since.
    func stillVerified(_ sitting: Int) -> [Subject] {
        let words = people[place(of: sitting)].words
        return sittings[sitting].verified.compactMap { (subject, at) in
            at == now || words.contains { $0.subject == subject && !$0.isStale && $0.first <= at } ? subject : nil
        }
    }

    mutating func useFactor(_ factor: Int?, of place: Int) {
        for index in people[place].factors.indices where people[place].factors[index].number == factor {
            people[place].factors[index].used = now / 30
        }
    }
}

extension NaivePerson {
    func way(_ site: Site, _ subject: Int) -> Way? {
        ways.first { way in
            if case .site(site, subject, _, _) = way.kind { true } else { false }
        }
    }

    /// What the authenticator app shows now would be taken by this factor.
    func answer(at now: Int) -> Factor? { factors.first { !$0.isSuspended && now / 30 > $0.used } }
}
