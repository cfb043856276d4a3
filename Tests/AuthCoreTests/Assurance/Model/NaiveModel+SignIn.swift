@testable import AuthCore

extension NaiveModel {
    mutating func signUp(_ device: Device, _ mailbox: Mailbox, _ password: Password) -> Expectation {
        var no: Set<AuthErrorCode> = []
        if owner(of: mailbox) != nil { no.insert(.emailAlreadyInUse) }
        if password.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
        if !no.isEmpty { return .refused(no) }
        var person = newPerson()
        person.mailbox = mailbox
        person.ownsMailbox = true
        return welcome(&person, newMethod(.password(password)), at: device, .password)
    }

    mutating func signIn(_ device: Device, _ authentication: Authentication, _ answers: Bool) -> Expectation {
        switch authentication {
        case .anonymous:
            var person = newPerson()
            person.isAnonymous = true
            people.append(person)
            openSession(people.count - 1, at: device, .anonymous, method: nil)
            return .granted(person: person.id, isNew: true)
        case .password(let mailbox, let password): return signIn(device, mailbox, password, answers)
        case .mail(let mailbox): return signIn(device, byMailTo: mailbox, answers)
        case .digits(let digits): return signIn(device, digits, answers)
        case .provider(let site, let subject, let mailbox, let saying):
            return signIn(device, site, subject, saying == .noAddress ? nil : mailbox, saying, answers)
        }
    }

    /// A person without an account.
    private mutating func welcome(
        _ person: inout NaivePerson,
        _ method: NaivePerson.Method,
        at device: Device,
        _ base: NaiveSession.Base,
        verifying subject: Subject? = nil
    ) -> Expectation {
        person.add(method)
        people.append(person)
        openSession(people.count - 1, at: device, base, method: method.number, verifying: subject)
        return .granted(person: person.id, isNew: true)
    }

    /// What stands against an answer to the question for a second factor, and the factor that answers it.
    func factor(of person: NaivePerson, _ answers: Bool, no: inout Set<AuthErrorCode>) -> Int? {
        guard person.requiresFactor else { return nil }
        guard answers else {
            no.insert(.secondFactorRequired)
            return nil
        }
        guard let factor = person.answer(at: now) else {
            no.insert(.invalidVerificationCode)
            return nil
        }
        return factor.number
    }

    private mutating func signIn(_ device: Device, _ mailbox: Mailbox, _ password: Password, _ answers: Bool)
        -> Expectation
    {
        // Only the primary address signs in; one that is only kept for its return does not.
        guard let place = owner(of: mailbox), people[place].mailbox == mailbox else {
            return .refused([rules == .firebase ? .userNotFound : .invalidCredential])
        }
        let person = people[place]
        let isRight = person.password.map { $0.kind == .password(password) && !$0.isSuspended } ?? false
        if person.isDisabled {
            return .refused([rules == .firebase || isRight ? .userDisabled : .invalidCredential])
        }
        if !isRight { return .refused([rules == .firebase ? .wrongPassword : .invalidCredential]) }
        var no: Set<AuthErrorCode> = []
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        openSession(place, at: device, .password, method: person.password?.number, factor: factor)
        return .granted(person: person.id)
    }

    private mutating func signIn(_ device: Device, byMailTo mailbox: Mailbox, _ answers: Bool) -> Expectation {
        guard let place = owner(of: mailbox) else {
            var person = newPerson()
            person.mailbox = mailbox
            person.ownsMailbox = true
            person.note(.mailbox(mailbox), .code, at: now)
            return welcome(&person, newMethod(.mail), at: device, .mail, verifying: .mailbox(mailbox))
        }
        let person = people[place]
        var no: Set<AuthErrorCode> = []
        if person.isDisabled { no.insert(.userDisabled) }
        if person.mail?.isSuspended ?? false { no.insert(.rejectedCredential) }
        var removesMethods = false
        if rules == .firebase {
            // The recorded server keeps an unverified password here; the design sets that right.
            removesMethods = !person.isVerified(under: rules)
        } else if person.mailbox != mailbox {
            no.insert(.accountExistsWithDifferentCredential)
        } else {
            removesMethods = person.isAdoptable
            let mayJoin = person.isVerified(under: rules) && person.isCovered(by: mailbox)
            if !removesMethods && !person.opens(byMailTo: mailbox, under: rules) && !mayJoin {
                no.insert(.accountExistsWithDifferentCredential)
            }
        }
        let factor = factor(of: person, answers, no: &no)
        if !no.isEmpty { return .refused(no) }
        if removesMethods { removeMethods(of: place) }
        let isFirst = !people[place].isVerified(under: rules)
        let method: NaivePerson.Method
        if let old = people[place].mail {
            method = old
        } else {
            method = newMailedLink(to: mailbox, of: people[place])
            people[place].add(method)
        }
        people[place].note(.mailbox(mailbox), .code, at: now)
        let isNew = person.mail != nil && !person.isKnown(at: mailbox)
        if rules == .standard && (isFirst || isNew) { endSessions(of: person.id) }
        // Nothing goes on that was begun without the mailbox.
        if rules == .standard && isNew {
            spendCodes(of: person.id) { purpose in
                if case .recover = purpose { false } else { true }
            }
        }
        openSession(place, at: device, .mail, method: method.number, verifying: .mailbox(mailbox), factor: factor)
        return .granted(person: person.id)
    }

    private mutating func signIn(_ device: Device, _ digits: Digits, _ answers: Bool) -> Expectation {
        guard let place = owner(of: digits), let method = people[place].phone else {
            var person = newPerson()
            person.note(.number(digits), .code, at: now)
            return welcome(&person, newMethod(.digits(digits)), at: device, .digits, verifying: .number(digits))
        }
        let person = people[place]
        var no: Set<AuthErrorCode> = []
        if person.isDisabled { no.insert(.userDisabled) }
        let isOld = rules == .standard && person.hasOldNumber(digits, at: now)
        if method.isSuspended && !isOld { no.insert(.rejectedCredential) }
        var factor: Int?
        if rules == .firebase {
            if person.requiresFactor { no.insert(.unsupportedFirstFactor) }
        } else {
            if isOld { no.insert(.accountExistsWithDifferentCredential) }
            factor = self.factor(of: person, answers, no: &no)
        }
        if !no.isEmpty { return .refused(no) }
        people[place].note(.number(digits), .code, at: now)
        openSession(place, at: device, .digits, method: method.number, verifying: .number(digits), factor: factor)
        return .granted(person: person.id)
    }

    /// Everything that relies on an address that was never verified is removed, and every session ends.
    mutating func removeMethods(of place: Int) {
        people[place].methods = []
        people[place].firstMailbox = nil
        endSessions(of: people[place].id)
        spendCodes(of: people[place].id) { _ in true }
    }
}

extension NaivePerson {
    /// Whether the number was verified too long ago for a person who has another verified sign-in method.
    func hasOldNumber(_ digits: Digits, at now: Int) -> Bool {
        // A mail to the verified address sets a password.
        let hasOther =
            isVerified(under: .standard)
            || methods.contains { other in if case .site = other.kind { !other.isSuspended } else { false } }
        return hasOther && isOld(digits, at: now)
    }

    /// Whether the number was verified too long ago.
    private func isOld(_ digits: Digits, at now: Int) -> Bool {
        let last = proofs(of: .number(digits), under: .standard).map(\.last).max() ?? 0
        return now - last > 90 * 86400
    }

    /// Whether nothing is left that is sure to open the account: a number of long ago may be another person's.
    func lacksMethod(at now: Int) -> Bool {
        usable.allSatisfy { method in
            if case .digits(let digits) = method.kind { isOld(digits, at: now) } else { false }
        }
    }
}
