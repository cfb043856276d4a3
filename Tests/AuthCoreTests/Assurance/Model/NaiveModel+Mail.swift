@testable import AuthCore

extension NaiveModel {
    /// Mails a code; of as many live ones for the same thing as may wait the oldest goes.
    private mutating func mail(_ purpose: NaiveCode.Purpose, _ person: Int, askedBy asker: Int? = nil) {
        let live = codes.indices.filter { index in
            codes[index].person == person && !codes[index].isSpent && !codes[index].isOver(at: now)
                && codes[index].purpose.isLike(purpose)
        }
        if live.count >= (rules == .standard ? 50 : 5) { codes[live[0]].isSpent = true }
        codes.append(NaiveCode(purpose: purpose, person: person, sentAt: now, asker: asker))
    }

    mutating func askForVerification(_ session: Int) -> Expectation {
        let person = people[place(of: session)]
        guard let mailbox = person.mailbox else { return .refused([.missingEmail]) }
        mail(.verify(mailbox), person.id, askedBy: session)
        return .granted()
    }

    mutating func askForChange(_ session: Int, _ mailbox: Mailbox) -> Expectation {
        let place = place(of: session)
        let person = people[place]
        var no = recency(session)
        if person.mailbox == nil { no.insert(.missingEmail) }
        if person.mailbox == mailbox { no.insert(.emailAlreadyInUse) }
        if let owner = owner(of: mailbox), owner != place, !yieldsEmail(owner, mailbox) {
            no.insert(.emailAlreadyInUse)
        }
        var ages = person.methods.filter(\.isOfMailbox).map(\.senior)
        if let current = person.mailbox {
            ages += person.proofs(of: .mailbox(current), under: .standard).map(\.first)
        }
        no.formUnion(seniority(session, over: person.mailbox == nil ? [] : ages))
        guard no.isEmpty, let current = person.mailbox else { return .refused(no) }
        mail(.change(from: current, to: mailbox), person.id, askedBy: session)
        return .granted()
    }

    mutating func askForReset(_ mailbox: Mailbox) -> Expectation {
        guard let place = owner(of: mailbox), people[place].mailbox == mailbox else {
            return rules == .firebase ? .refused([.userNotFound]) : .granted()
        }
        mail(.reset(mailbox), people[place].id)
        return .granted()
    }

    /// The code so many from the newest, if there ever was one.
    func code(_ place: Int) -> Int? { place < codes.count ? codes.count - 1 - place : nil }

    private func refusal(of code: NaiveCode) -> AuthErrorCode? {
        // A code that is both used and old was taken away by either.
        if code.isSpent { return .invalidActionCode }
        return code.isOver(at: now) ? .expiredActionCode : nil
    }

    mutating func open(_ place: Int, _ device: Device) -> Expectation {
        guard let index = code(place) else { return .nothing }
        let code = codes[index]
        if let refusal = refusal(of: code) { return .refused([refusal]) }
        guard let place = people.firstIndex(where: { $0.id == code.person }) else {
            return .refused([.invalidActionCode])
        }
        let person = people[place]
        var no: Set<AuthErrorCode> = []
        let verified: Mailbox
        switch code.purpose {
        case .reset:
            return .refused([.invalidActionCode])
        case .verify(let mailbox):
            verified = mailbox
            if person.mailbox != mailbox { no.insert(.invalidActionCode) }
            if let other = owner(of: mailbox), other != place, !yieldsEmail(other, mailbox) {
                no.insert(.emailAlreadyInUse)
            }
        case .change(let current, let new):
            verified = new
            if person.mailbox != current { no.insert(.invalidActionCode) }
            // A change ends with the session that asked for it.
            if rules == .standard, let asker = code.asker, isOver(asker) { no.insert(.invalidActionCode) }
            if person.mailbox == new { no.insert(.emailAlreadyInUse) }
            if let other = owner(of: new), other != place, !yieldsEmail(other, new) { no.insert(.emailAlreadyInUse) }
        case .recover(let mailbox, _):
            verified = mailbox
            let isReserved = person.reserved.contains { $0.mailbox == mailbox }
            // An address that the account put back itself can still be taken back by its owner.
            if person.mailbox == mailbox && !isReserved { no.insert(.emailAlreadyInUse) }
            if let other = owner(of: mailbox), other != place, !yieldsEmail(other, mailbox) {
                no.insert(.emailAlreadyInUse)
            }
            // Whoever came back to an earlier address ended what came after it.
            if rules == .standard, person.mailbox != mailbox, !isReserved { no.insert(.invalidActionCode) }
        }
        if !no.isEmpty { return .refused(no) }
        codes[index].isSpent = true
        apply(code, verifying: verified, place, device)
        return .granted()
    }

    private mutating func apply(_ code: NaiveCode, verifying mailbox: Mailbox, _ place: Int, _ device: Device) {
        let person = people[place]
        let isFirst = !person.isVerified(under: rules)
        var endsAll = false
        var opener = devices[device]
        if let session = opener, sessions[session].person != person.id || isOver(session) { opener = nil }
        if let other = owner(of: mailbox), other != place { releaseEmail(other) }
        var asker = code.asker
        if let session = asker, isOver(session) { asker = nil }
        switch code.purpose {
        case .reset, .verify: break
        case .change:
            people[place].move(to: mailbox, at: now)
            if rules == .standard, !isConfirmedByOldMailbox(code, asker, opener) { offerRecovery(of: person, place) }
        case .recover(_, let later):
            people[place].move(to: mailbox, at: now)
            for index in people[place].evidence.indices where people[place].evidence[index].subject == .mailbox(mailbox)
            {
                if people[place].evidence[index].staleAt ?? 0 >= code.sentAt {
                    people[place].evidence[index].staleAt = nil
                }
            }
            if rules == .standard {
                endsAll = true
                people[place].goneAt = nil
                if let index = people[place].reserved.firstIndex(where: { $0.mailbox == mailbox }) {
                    people[place].reserved.removeSubrange(index...)
                }
                spendCodes(of: person.id) { purpose in
                    if case .recover = purpose { false } else { true }
                }
                // Mailed links go to the address again that comes back.
                for method in people[place].methods.indices
                where people[place].methods[method].number >= later && people[place].methods[method].kind != .mail {
                    people[place].methods[method].isSuspended = true
                }
                for factor in people[place].factors.indices where people[place].factors[factor].number >= later {
                    people[place].factors[factor].isSuspended = true
                }
            }
        }
        people[place].own(mailbox, at: now)
        if let opener {
            prove(.mailbox(mailbox), in: opener)
            cover(opener)
        }
        if endsAll {
            endSessions(of: person.id)
        } else if isFirst && rules == .standard {
            endSessions(of: person.id, except: opener, asker)
        }
    }

    /// Whether the person who asked for the change, and opens the link there, has verified the mailbox that it leaves
    /// since.
    private func isConfirmedByOldMailbox(_ code: NaiveCode, _ asker: Int?, _ opener: Int?) -> Bool {
        guard let asker, asker == opener, sessions[asker].base == .mail else { return false }
        return sessions[asker].authenticatedAt > code.sentAt
    }

    /// Whether the session is over; that its account is shut does not end it.
    private func isOver(_ session: Int) -> Bool {
        let status = status(of: sessions[session])
        return status != nil && status != .userDisabled
    }

    mutating func reset(_ place: Int, _ password: Password) -> Expectation {
        guard let index = code(place) else { return .nothing }
        let code = codes[index]
        var no: Set<AuthErrorCode> = []
        if password.rawValue.utf8.count < rules.shortestPassword { no.insert(.weakPassword) }
        if let refusal = refusal(of: code) { no.insert(refusal) }
        guard case .reset(let mailbox) = code.purpose, let place = people.firstIndex(where: { $0.id == code.person }),
            people[place].mailbox == mailbox
        else { return .refused(no.union([.invalidActionCode])) }
        let subject = Subject.mailbox(mailbox)
        let before = people[place]
        if rules == .firebase {
            people[place].methods.removeAll { Site.federated.contains($0.site) }
        } else {
            if people[place].isAdoptable { people[place].methods = [] }
            for method in people[place].methods.indices where !people[place].methods[method].isOfMailbox {
                suspendIfDoubtful(method, of: place, mailbox)
            }
            if isUnsettled(before, mailbox) || takesTooMuch(from: before, place, mailbox) {
                no.insert(.requiresRecentLogin)
            }
        }
        if !no.isEmpty { return .refused(no) }
        // The new password is as old as the first proof of the mailbox.
        let first = people[place].proofs(of: subject, under: .standard).map(\.first).min()
        people[place].own(mailbox, at: now)
        people[place].goneAt = nil
        var method = newMethod(.password(password))
        method.senior = first ?? now
        method.covered = [subject: now]
        people[place].methods.removeAll { if case .password = $0.kind { true } else { false } }
        people[place].add(method)
        endSessions(of: people[place].id)
        codes[index].isSpent = true
        // Nor may the maker of an account go on that the mailbox's owner adopts.
        let adopts = rules == .standard && before.isAdoptable
        spendCodes(of: people[place].id) { purpose in
            switch purpose {
            case .reset, .change: true
            case .verify, .recover: adopts
            }
        }
        return .granted()
    }

    /// Whether the person came to the mailbox without verifying it, and can still be taken back to one that was left.
    private func isUnsettled(_ person: NaivePerson, _ mailbox: Mailbox) -> Bool {
        if person.reserved.isEmpty || person.reserved.contains(where: { $0.mailbox == mailbox }) { return false }
        guard let since = person.proofs(of: .mailbox(mailbox), under: .standard).map(\.first).min() else { return true }
        return since > person.mailboxSetAt ?? person.born
    }

    /// Whether a mailbox that the account has had for less than seven days takes away what is older.
    private func takesTooMuch(from before: NaivePerson, _ place: Int, _ mailbox: Mailbox) -> Bool {
        var firsts = before.proofs(of: .mailbox(mailbox), under: .standard).map(\.first)
        // A mailbox that was kept for the person counts from its first proof.
        if before.reserved.contains(where: { $0.mailbox == mailbox }) {
            let evidence = before.evidence.filter { $0.subject == .mailbox(mailbox) && $0.proves(under: .standard) }
            firsts += evidence.map(\.first)
        }
        let since = (firsts + [before.mailboxSetAt ?? before.born]).min() ?? now
        if now - since >= 7 * 86400 { return false }
        return before.methods.contains { old in
            !old.isSuspended && !old.isOfMailbox && old.senior < since
                && !people[place].methods.contains { $0.number == old.number && !$0.isSuspended }
        }
    }

    private mutating func suspendIfDoubtful(_ method: Int, of place: Int, _ mailbox: Mailbox) {
        let found = people[place].methods[method]
        if case .site(_, _, mailbox, .authoritative) = found.kind { return }
        let isOld = now - max(found.added, found.senior) >= 30 * 86400
        if isOld && people[place].covers(found, .mailbox(mailbox)) { return }
        people[place].methods[method].isSuspended = true
    }
}

extension NaiveCode.Purpose {
    fileprivate func isLike(_ other: NaiveCode.Purpose) -> Bool {
        switch (self, other) {
        case (.verify, .verify), (.change, .change), (.reset, .reset), (.recover, .recover): true
        default: false
        }
    }
}
