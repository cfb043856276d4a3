import AuthCore

extension StoreClause {
    static let parallel = [
        StoreClause("of parallel claims to one key one wins", oneClaimWins),
        StoreClause("of parallel updates of one version one wins", oneUpdateWins),
        StoreClause("of parallel removals and updates of one account one wins", oneRemovalOrUpdateWins),
        StoreClause("of parallel creations of one account one wins", oneCreationWins),
        StoreClause("of parallel puts of one record one wins", onePutWins),
        StoreClause("of parallel uses of one record one wins", oneUseWins),
        StoreClause("of parallel exchanges of one refresh token one wins", oneExchangeWins),
        StoreClause("of parallel insertions of one session one wins", oneInsertionWins),
        StoreClause("one operation sent in parallel is written once", oneOperationIsWrittenOnce),
        StoreClause("an operation that is answered as a duplicate is there", duplicatesAreThere),
        StoreClause("a session that is updated while it ends stays ended", endedSessionsStayEnded),
        StoreClause("of two changes that each read what the other writes one wins", oneOfTwoReadersWins),
        StoreClause("a key that a change expects to be free is free when it is written", freeKeysStayFree),
        StoreClause("of parallel changes that read one list of references one wins", oneReaderOfAListWins),
        StoreClause("changes that name the same rows in other orders do not wait for each other", ordersDoNotLock),
    ]

    private static func oneClaimWins(_ probe: inout StoreProbe) async throws {
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("wanted")), .phone(try StoreScene.number(of: "wanted")),
            .primaryEmail(try StoreScene.email("wanted@example.com")),
        ]
        try probe.requireLog(of: keys.count)
        for (round, key) in keys.enumerated() {
            let now = probe.now
            try await expectOneWinner(losers: .owner(key), in: &probe) { number, transaction in
                let account = Account(id: try StoreScene.id("contender\(round)-\(number)"), createdAt: now)
                transaction.insert(account)
                transaction.changes.keys.append(KeyChange(key, from: nil, to: account.id))
                transaction.event(.accountCreated, account.id, by: .unauthenticated)
            }
            let accounts = try await probe.store.accounts(after: nil, limit: 1000).map(\.id)
            probe.expect(accounts.count, is: round + 1, "how many accounts there are")
            let owner = try await probe.owner(of: key)
            probe.expect(owner.map(accounts.contains) == true, "the key belongs to an account that does not exist")
            let events = try await probe.store.events(after: .start, limit: 1000).events
            probe.expect(events.map(\.account).sorted(), is: accounts, "the accounts of the events")
            try await oneMoveWins(of: key, from: owner, &probe)
        }
    }

    /// Each gives the key to another account, or releases it.
    private static func oneMoveWins(
        of key: UniqueKey,
        from owner: AccountID?,
        _ probe: inout StoreProbe
    ) async throws {
        let heirs = try (0..<contenders).map { try StoreScene.id("heir\($0)") }
        try await expectOneWinner(losers: .owner(key), in: &probe) { number, transaction in
            let heir = number.isMultiple(of: 4) ? nil : heirs[number]
            transaction.changes.keys = [KeyChange(key, from: owner, to: heir)]
        }
    }

    private static func oneUpdateWins(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann
        try await expectOneWinner(losers: .version(ann.id), in: &probe) { number, transaction in
            var next = ann
            next.displayName = "\(number)"
            transaction.replace(ann, with: &next)
        }
        probe.expect(try await probe.account(ann.id)?.version, is: ann.version + 1, "the version")
    }

    private static func oneRemovalOrUpdateWins(_ probe: inout StoreProbe) async throws {
        for round in 0..<rounds {
            let ann = try StoreScene.bareAccount("ann\(round)", probe)
            try await probe.commit("an account") { $0.insert(ann) }
            try await expectOneWinner(losers: .version(ann.id), in: &probe) { number, transaction in
                var next = ann
                next.displayName = "\(number)"
                // In every other round the last to arrive, which is often the first to write, updates.
                if (round + number).isMultiple(of: 2) {
                    transaction.replace(ann, with: &next)
                } else {
                    transaction.remove(ann)
                }
            }
        }
    }

    private static func oneCreationWins(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 1)
        let id = try StoreScene.id("wanted")
        let now = probe.now
        try await expectOneWinner(losers: .absent(id), in: &probe) { number, transaction in
            var account = Account(id: id, createdAt: now)
            account.displayName = "\(number)"
            transaction.insert(account)
            transaction.event(.accountCreated, id, by: .unauthenticated)
        }
        let events = try await probe.store.events(after: .start, limit: 100).events
        probe.expect(events.count, is: 1, "how many events tell of the account")
    }

    private static func onePutWins(_ probe: inout StoreProbe) async throws {
        // What a single-use token leaves behind: a second sign-in with the token must find it.
        let used = StoreScene.code(about: nil, &probe)
        try await expectOneWinner(losers: .record(used.key), in: &probe) { _, transaction in
            transaction.changes.records.append(.put(used))
            transaction.event(.signedIn, "ann", by: .unauthenticated)
        }
    }

    private static func oneUseWins(_ probe: inout StoreProbe) async throws {
        let code = try await StoreScene.stage(in: &probe).code
        try await expectOneWinner(losers: .record(code.key), in: &probe) { _, transaction in
            transaction.changes.records.append(.consume(code.key))
        }
    }

    private static func oneExchangeWins(_ probe: inout StoreProbe) async throws {
        let session = try await StoreScene.stage(in: &probe).session
        try await expectOneWinner(losers: .session(session.id), in: &probe) { number, transaction in
            var next = session
            next.refreshCount += 1
            next.refreshHash = [UInt8(number)]
            transaction.changes.sessions.append(.update(next, refreshCount: session.refreshCount))
        }
    }

    private static func oneInsertionWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let session = StoreScene.session(of: scene.ann.id, &probe)
        try await expectOneWinner(losers: .session(session.id), in: &probe) { number, transaction in
            var mine = session
            mine.refreshHash = [UInt8(number)]
            transaction.changes.sessions.append(.put(mine))
        }
    }

    private static func oneOperationIsWrittenOnce(_ probe: inout StoreProbe) async throws {
        try probe.requireLog(of: 1)
        let scene = try await StoreScene.stageEverything(in: &probe)
        // What creates something could also be refused as a second creation; an event alone could not.
        var event = probe.transaction()
        event.event(.signedIn, scene.ann.id, by: .system)
        for change in [try scene.richChange(&probe), event.changes] {
            let outcomes = try await race(Array(repeating: change, count: contenders), probe)
            probe.expect(outcomes.count { $0 == .committed }, is: 1, "how many were committed")
            let duplicates = outcomes.count { $0 == .duplicate }
            probe.expect(duplicates, is: contenders - 1, "how many were answered as duplicates")
        }
        let written = try await probe.store.events(after: .start, limit: 100).events.count { $0.kind == .signedIn }
        probe.expect(written, is: 1, "how many events an operation of one event wrote")
    }

    /// The service takes a duplicate for a success, and so goes on with what it believes to be written.
    private static func duplicatesAreThere(_ probe: inout StoreProbe) async throws {
        for _ in 0..<rounds {
            let code = StoreScene.code(about: nil, &probe)
            var change = probe.transaction().changes
            change.records = [.put(code)]
            let sent = change
            let answers = try await together(8, probe) { _, store in
                let outcome = try await store.commit(sent)
                return (outcome, try await store.load([.record(code.key)]).record(code.key) == code)
            }
            for (outcome, isThere) in answers {
                probe.expect(isThere, "a change was answered before it was there: \(outcome)")
            }
        }
    }

    private static func endedSessionsStayEnded(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        for round in 0..<rounds {
            let session = StoreScene.session(of: scene.ann.id, &probe)
            try await probe.commit("a session") { $0.changes.sessions.append(.put(session)) }
            let changes = (0..<contenders).map { number in
                var transaction = probe.transaction()
                if number == 5 {
                    let isAlone = round % 2 == 0
                    transaction.changes.sessions = [
                        isAlone ? .end(session.id) : .endAll(scene.ann.id, except: nil)
                    ]
                } else {
                    transaction.changes.sessions = [.update(session, refreshCount: session.refreshCount)]
                }
                return transaction.changes
            }
            _ = try await race(changes, probe)
            probe.expect(try await probe.session(session.id) == nil, "a session came back after it had ended")
            let left = try await probe.sessions(of: scene.ann.id)
            probe.expect(!left.contains(session.id), "a session that ended is listed")
        }
    }

    private static func oneOfTwoReadersWins(_ probe: inout StoreProbe) async throws {
        for round in 0..<rounds {
            let pair = try (0..<2).map { try StoreScene.bareAccount("pair\(round)-\($0)", probe) }
            try await probe.commit("two accounts") { for account in pair { $0.insert(account) } }
            let losers = pair.map { Store.Precondition.version($0.id) }
            try await expectOneWinner(2, losers: losers[0], losers[1], in: &probe) { number, transaction in
                var mine = pair[number]
                mine.displayName = "written"
                transaction.replace(pair[number], with: &mine)
                transaction.changes.reads = [Store.AccountRead(id: pair[1 - number].id, version: 0)]
            }
        }
    }

    private static func freeKeysStayFree(_ probe: inout StoreProbe) async throws {
        let keys: [UniqueKey] = try (0..<rounds).flatMap { round in
            [
                .identity(StoreScene.identity("wanted\(round)")), .phone(try StoreScene.number(of: "w\(round)")),
                .primaryEmail(try StoreScene.email("wanted\(round)@example.com")),
            ]
        }
        for (round, key) in keys.enumerated() {
            let account = try StoreScene.bareAccount("account\(round)", probe)
            try await probe.commit("an account") { $0.insert(account) }
            try await expectOneWinner(2, losers: .owner(key), .version(account.id), in: &probe) { number, transaction in
                // Whichever comes first must win, so each does in half of the rounds.
                if number == round % 2 {
                    var renamed = account
                    renamed.displayName = "decided while the key was free"
                    transaction.replace(account, with: &renamed)
                    transaction.changes.keys = [KeyChange(key, from: nil, to: nil)]
                } else {
                    transaction.changes.reads = [Store.AccountRead(id: account.id, version: 0)]
                    transaction.changes.keys = [KeyChange(key, from: nil, to: account.id)]
                }
            }
        }
    }

    private static func oneReaderOfAListWins(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        for round in 0..<rounds {
            let now = probe.now
            let accounts = try await probe.store.accounts(after: nil, limit: 100)
            // The list is empty in half of the rounds.
            let left = round % 2 == 0 ? nil : accounts.first?.id
            for account in accounts where account.id != left {
                try await probe.refer(to: mail, by: account, isReferenced: false)
            }
            let version = try await probe.referenceVersion(of: mail)
            let read = Store.EmailReferenceRead(email: mail, version: version)
            try await expectOneWinner(losers: .references(mail), in: &probe) { number, transaction in
                let account = Account(id: try StoreScene.id("contender\(round)-\(number)"), createdAt: now)
                transaction.insert(account)
                transaction.changes.referenceReads = [read]
                transaction.changes.references = [StoreScene.reference(to: mail, by: account)]
            }
        }
    }

    private static func ordersDoNotLock(_ probe: inout StoreProbe) async throws {
        let accounts = try (0..<4).map { try StoreScene.bareAccount("account\($0)", probe) }
        let mails = try accounts.map { try StoreScene.email("\($0.id.text)@example.com") }
        let keys = accounts.map { UniqueKey.identity(StoreScene.identity($0.id.text)) }
        let codes = accounts.map { StoreScene.code(about: $0.id, &probe) }
        let sessions = accounts.map { StoreScene.session(of: $0.id, &probe) }
        try await probe.commit("accounts") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.keys = zip(keys, accounts).map { KeyChange($0, from: nil, to: $1.id) }
            transaction.changes.records = codes.map { .put($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        // Nothing is expected but what stays, so that all are written.
        let changes = (0..<contenders).map { number in
            let isBackwards = number % 4 > 1
            func ordered<Part>(_ parts: [Part]) -> [Part] { isBackwards ? parts.reversed() : parts }
            var transaction = probe.transaction()
            transaction.changes.reads = ordered(accounts.map { Store.AccountRead(id: $0.id, version: $0.version) })
            transaction.changes.keys = ordered(zip(keys, accounts).map { KeyChange($0, from: $1.id, to: $1.id) })
            transaction.changes.references = ordered(
                zip(mails, accounts).map { StoreScene.reference(to: $0, by: $1, isReferenced: number % 3 > 0) }
            )
            transaction.changes.records = ordered(codes.map { .replace($0) })
            transaction.changes.sessions = ordered(sessions.map { .update($0, refreshCount: $0.refreshCount) })
            transaction.changes.signIns = ordered(accounts.map { Store.SignInRecord(account: $0.id, at: probe.now) })
            return transaction.changes
        }
        let outcomes = try await race(changes, probe)
        probe.expect(outcomes.count(where: \.isWritten), is: contenders, "how many of the changes were written")
        try await sweepsDoNotLock(&probe)
    }

    /// Sweeps remove what changes write in the other order: each ends, though some changes come too late.
    private static func sweepsDoNotLock(_ probe: inout StoreProbe) async throws {
        let codes = (0..<40).map { StoreScene.code(about: nil, &probe, lasting: Double($0)) }
        let sessions = try codes.map { _ in StoreScene.session(of: try StoreScene.id("ann"), &probe, lasting: 10) }
        let (now, sweeper) = (probe.later(100), probe.other)
        for _ in 0..<3 {
            try await probe.commit("what expires") {
                $0.changes.records = codes.map { .put($0) }
                $0.changes.sessions = sessions.map { .put($0) }
            }
            let changes = (0..<8).map { _ in
                var change = ChangeSet(operation: OperationID(bits: probe.draw()), at: probe.now)
                change.records = codes.reversed().map { .replace($0) }
                change.sessions = sessions.reversed().map { .update($0, refreshCount: $0.refreshCount) }
                return change
            }
            async let sweeping: Void = {
                var isComplete = false
                for _ in codes where !isComplete {
                    isComplete = try await sweeper.sweep(at: now, limit: 30).isComplete
                    await Task.yield()
                }
            }()
            _ = try await race(changes, probe)
            try await sweeping
            _ = try await probe.store.sweep(at: now, limit: 100)
        }
    }
}
