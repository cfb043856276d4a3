@testable import AuthCore

/// A second, independent telling of the rules: lists, loops and no regard for speed.
///
/// Where several reasons speak against a step, the documents do not say which is named, so the model names them all.
struct NaiveModel {
    /// What is expected of a step.
    enum Expectation: Equatable {
        /// No person is signed in there to do it.
        case nothing
        case granted(person: Int? = nil, isNew: Bool = false)
        case refused(Set<AuthErrorCode>)
    }

    let rules: Rules
    var now = 0
    var people: [NaivePerson] = []
    var sessions: [NaiveSession] = []
    /// Who sits where: the place in the list of sessions.
    var devices: [Device: Int] = [:]
    var codes: [NaiveCode] = []
    /// How many people there ever were.
    var born = 0
    /// The number of the next method or factor.
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
        // After each step, each person who is signed in looks at their account, which uses the session.
        for session in devices.values
        where status(of: sessions[session]) == nil && now - sessions[session].usedAt >= 3600 {
            sessions[session].usedAt = now
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
        case .signUp(let device, let mailbox, let password): return signUp(device, mailbox, password)
        case .signIn(let device, let authentication, let answers): return signIn(device, authentication, answers)
        case .link(let device, let authentication, let answers):
            return acting(device) { model, session in model.link(session, authentication, answers, replacing: nil) }
        case .replace(let device, let site, let authentication, let answers):
            return acting(device) { model, session in model.link(session, authentication, answers, replacing: site) }
        case .reauthenticate(let device, let authentication, let answers):
            return acting(device) { model, session in model.reauthenticate(session, authentication, answers) }
        case .unlink(let device, let site): return acting(device) { model, session in model.unlink(session, site) }
        case .updateEmail(let device, let mailbox):
            return acting(device) { model, session in model.updateEmail(session, mailbox) }
        case .updatePassword(let device, let password):
            return acting(device) { model, session in model.updatePassword(session, password) }
        case .askForVerification(let device):
            return acting(device) { model, session in model.askForVerification(session) }
        case .askForChange(let device, let mailbox):
            return acting(device) { model, session in model.askForChange(session, mailbox) }
        case .askForReset(let mailbox): return askForReset(mailbox)
        case .open(let code, let device): return open(code, device)
        case .reset(let code, let password): return reset(code, password)
        case .enroll(let device): return acting(device) { model, session in model.enroll(session) }
        case .unenroll(let device): return acting(device) { model, session in model.unenroll(session) }
        case .signOut(let device): return signOut(device)
        case .delete(let device): return acting(device) { model, session in model.delete(session) }
        case .setDisabled(let isDisabled, let person):
            guard let index = people.firstIndex(where: { $0.id == person }) else { return .nothing }
            if rules == .standard && people[index].isDisabled && !isDisabled { endSessions(of: person) }
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
    /// Why the handle at the device is good for nothing, if it is.
    func status(of session: NaiveSession) -> AuthErrorCode? {
        guard let person = people.first(where: { $0.id == session.person }) else { return .userNotFound }
        if session.isOver || rules == .standard && session.isTooOld(for: person, at: now) { return .userTokenExpired }
        if rules == .standard, let method = session.method,
            !person.methods.contains(where: { $0.number == method && !$0.isSuspended })
        {
            return .userTokenExpired
        }
        return person.isDisabled ? .userDisabled : nil
    }

    /// Does what needs a person who is signed in on the device.
    private mutating func acting(
        _ device: Device,
        _ body: (inout NaiveModel, _ session: Int) -> Expectation
    ) -> Expectation {
        guard let session = devices[device] else { return .nothing }
        if let code = status(of: sessions[session]) { return .refused([code]) }
        return body(&self, session)
    }

    /// The place of the person in the list.
    func place(of session: Int) -> Int { people.firstIndex { $0.id == sessions[session].person } ?? 0 }

    /// Whose alone the address is: as the primary one, or kept for its return.
    func owner(of mailbox: Mailbox) -> Int? {
        people.firstIndex { person in
            (person.mailbox == mailbox && person.ownsMailbox) || person.reserved.contains { $0.mailbox == mailbox }
        }
    }

    func owner(of digits: Digits) -> Int? { people.firstIndex { $0.methods.contains { $0.kind == .digits(digits) } } }

    func owner(of site: Site, _ subject: Int) -> Int? {
        people.firstIndex { $0.method(site, subject) != nil }
    }

    /// Ends everything that the person has open, but for one session.
    mutating func endSessions(of person: Int, except kept: Int?...) {
        for index in sessions.indices where sessions[index].person == person && !kept.contains(index) {
            sessions[index].isOver = true
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

    /// Whether the person has the address only until another person verifies it.
    func yieldsEmail(_ place: Int, _ mailbox: Mailbox) -> Bool {
        rules == .standard && people[place].mailbox == mailbox && !people[place].isDisabled
            && people[place].proofs(of: .mailbox(mailbox), under: rules).isEmpty
            && !people[place].reserved.contains { $0.mailbox == mailbox }
    }

    /// An account that never verified the address yields it to one that has.
    mutating func releaseEmail(_ place: Int) {
        people[place].methods.removeAll(where: \.isOfMailbox)
        people[place].dropMailbox(at: now)
        endSessions(of: people[place].id)
        spendCodes(of: people[place].id) { purpose in
            if case .recover = purpose { false } else { true }
        }
    }

    /// Whether a factor that still counts was presented in the session.
    func hasFactor(_ session: Int) -> Bool {
        people[place(of: session)].factors.contains { !$0.isSuspended && $0.number == sessions[session].factor }
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

    /// A password that is set in a session ends the codes that would set another.
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

    mutating func newMethod(_ kind: NaivePerson.Method.Kind) -> NaivePerson.Method {
        NaivePerson.Method(number: number(), kind: kind, added: now, senior: now)
    }

    /// Mailed links are as old as the first proof of their mailbox.
    mutating func newMailedLink(to mailbox: Mailbox, of person: NaivePerson) -> NaivePerson.Method {
        var method = newMethod(.mail)
        let proofs = person.mailbox == mailbox ? person.proofs(of: .mailbox(mailbox), under: .standard) : []
        method.senior = proofs.map(\.first).min() ?? now
        return method
    }

    /// Signs in a person who has just authenticated.
    mutating func openSession(
        _ place: Int,
        at device: Device,
        _ base: NaiveSession.Base,
        method: Int?,
        verifying subject: Subject? = nil,
        factor: Int? = nil
    ) {
        people[place].goneAt = nil
        sessions.append(
            NaiveSession(
                person: people[place].id,
                device: device,
                base: base,
                method: method,
                authenticatedAt: now,
                begunAt: now,
                factor: factor,
                usedAt: now
            )
        )
        let session = sessions.count - 1
        if let subject { sessions[session].verified = [(subject, now)] }
        cover(session)
        useFactor(factor, of: place)
        devices[device] = session
    }

    /// What was used in a session is covered by what was verified in it.
    mutating func cover(_ session: Int) {
        let place = place(of: session)
        let used = sessions[session].before + [sessions[session].method].compactMap(\.self)
        for index in people[place].methods.indices where used.contains(people[place].methods[index].number) {
            let method = people[place].methods[index]
            for subject in stillVerified(session) where !people[place].covers(method, subject) {
                people[place].methods[index].covered[subject] = now
            }
        }
    }

    /// What was verified in a session and still counts: now, or when the person had the address or number without a
    /// break since.
    func stillVerified(_ session: Int) -> [Subject] {
        let evidence = people[place(of: session)].evidence
        return sessions[session].verified.compactMap { (subject, at) in
            at == now || evidence.contains { $0.subject == subject && !$0.isStale && $0.first <= at } ? subject : nil
        }
    }

    mutating func useFactor(_ factor: Int?, of place: Int) {
        for index in people[place].factors.indices where people[place].factors[index].number == factor {
            people[place].factors[index].used = now / 30
        }
    }
}

extension NaivePerson {
    func method(_ site: Site, _ subject: Int) -> Method? {
        methods.first { method in
            if case .site(site, subject, _, _) = method.kind { true } else { false }
        }
    }

    /// What the authenticator app displays now would be taken by this factor.
    func answer(at now: Int) -> Factor? { factors.first { !$0.isSuspended && now / 30 > $0.used } }
}
