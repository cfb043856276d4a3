import AuthCore

extension StoreClause {
    static let sessions = [
        StoreClause("recording a sign-in does not move the version", signInsKeepTheVersion),
        StoreClause("of two sign-ins the one recorded last counts, whatever their times are", signInsCountInOrder),
        StoreClause("a session ends alone", sessionsEnd),
        StoreClause("all sessions of an account end but the one kept", allSessionsEnd),
        StoreClause("a session that begins where all others end stays", newSessionStays),
        StoreClause("a session that is written where all others end stays as it was written", writtenSessionStays),
        StoreClause("the sessions that were unused longest end", unusedSessionsEnd),
        StoreClause("what has expired ends like the rest, whichever session is kept", expiredRowsEnd),
        StoreClause("a record stays when a session ends that it names", recordsOutliveSessions),
    ]

    private static func signInsKeepTheVersion(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let later = probe.later(60)
        try await probe.commit("a sign-in") { transaction in
            transaction.changes.signIns.append(Store.SignInRecord(account: scene.ann.id, at: later))
        }
        let id = scene.ann.id
        probe.expect(try await probe.lastSignIn(of: id), is: later, "the last sign-in")
        probe.expect(try await probe.account(id)?.version, is: scene.ann.version, "the version after a sign-in")
        var renamed = scene.ann
        renamed.displayName = "A."
        try await probe.commit("an update that saw the account before the sign-in") {
            $0.replace(scene.ann, with: &renamed)
        }
        probe.expect(try await probe.lastSignIn(of: id), is: later, "the last sign-in after an update")
        let key = UniqueKey.identity(StoreScene.identity("ann"))
        let byKey = try await probe.load(.owner(key)).lastSignIn(of: id)
        probe.expect(byKey, is: later, "the last sign-in, found by a key")
    }

    private static func signInsCountInOrder(_ probe: inout StoreProbe) async throws {
        let ann = try await StoreScene.stage(in: &probe).ann.id
        for seconds in [60.0, 90, 30] {
            let signIn = Store.SignInRecord(account: ann, at: probe.later(seconds))
            try await probe.commit("a sign-in") { $0.changes.signIns = [signIn] }
            probe.expect(try await probe.lastSignIn(of: ann), is: signIn.at, "the sign-in that was recorded last")
        }
    }

    private static func sessionsEnd(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let second = StoreScene.session(of: scene.ann.id, &probe)
        try await probe.commit("a second session") { $0.changes.sessions.append(.put(second)) }
        let mail = try StoreScene.email("ann@example.com")
        let content = OneTimeRecord.Content.verifyEmail(mail, askedBy: scene.session.id)
        let asked = StoreScene.code(about: scene.ann.id, &probe, content: content)
        try await probe.commit("a code that a session asked for") { $0.changes.records.append(.put(asked)) }
        let both = [scene.session.id, second.id].sorted()
        probe.expect(try await probe.sessions(of: scene.ann.id), is: both, "the sessions")
        try await probe.commit("ending one session") { $0.changes.sessions.append(.end(scene.session.id)) }
        probe.expect(try await probe.sessions(of: scene.ann.id), is: [second.id], "the sessions after one ended")
        probe.expect(try await probe.session(scene.session.id) == nil, "a session that ended was found")
        probe.expect(try await probe.record(asked.key), is: asked, "a code that a session asked for which ended")
        try await probe.commit("ending a session again") { $0.changes.sessions.append(.end(scene.session.id)) }
    }

    private static func recordsOutliveSessions(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let samples = try StoreSamples()
        let session = samples.bareSession(of: ann.id, samples.session, at: probe.now)
        // Some of these contents name the session.
        let records = samples.records(about: ann.id, &probe)
        try await probe.commit("a session, and a record of each content") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = [.put(session)]
            transaction.changes.records = records.map { .put($0) }
        }
        for end in [Store.SessionChange.end(session.id), .endAll(ann.id, except: nil)] {
            try await probe.commit("the end of the session") { $0.changes.sessions = [end] }
            let left = try await probe.store.load(Lookups(records.map { .record($0.key) }))
            for record in records where left.record(record.key) != record {
                probe.report("a \(record.purpose) is gone or was changed when a session ended that it may name")
            }
            try await probe.commit("the session again") { $0.changes.sessions = [.put(session)] }
        }
    }

    private static func expiredRowsEnd(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let old = StoreScene.code(about: ann, &probe, lasting: -5)
        let (over, bens) = (StoreScene.session(of: ann, &probe, lasting: -5), StoreScene.session(of: ben, &probe))
        try await probe.commit("an expired code and session, and one of another account") { transaction in
            transaction.changes.records = [.put(old)]
            transaction.changes.sessions = [.put(over), .put(bens)]
        }
        try await probe.commit("the end of all but a session of another account") { transaction in
            transaction.changes.records = [.revokeAll(ann, [old.purpose])]
            transaction.changes.sessions = [.endAll(ann, except: bens.id)]
        }
        probe.expect(try await probe.record(old.key), is: nil, "an expired code that was revoked with all")
        probe.expect(try await probe.sessions(of: ann), is: [], "the sessions when all but another account's ended")
        probe.expect(try await probe.session(bens.id), is: bens, "the session of another account")
    }

    private static func allSessionsEnd(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        let more = (0..<3).map { _ in StoreScene.session(of: ann, &probe) }
        let other = StoreScene.session(of: ben, &probe)
        try await probe.commit("more sessions") { $0.changes.sessions += (more + [other]).map { .put($0) } }
        let kept = more[1].id
        try await probe.commit("ending all sessions but one") { $0.changes.sessions.append(.endAll(ann, except: kept)) }
        probe.expect(try await probe.sessions(of: ann), is: [kept], "the sessions when all but one ended")
        probe.expect(try await probe.session(kept)?.id, is: kept, "the session that was kept")
        probe.expect(try await probe.session(scene.session.id) == nil, "a session that ended with all was found")
        try await probe.commit("ending all sessions") { $0.changes.sessions.append(.endAll(ann, except: nil)) }
        probe.expect(try await probe.sessions(of: ann), is: [], "the sessions when all ended")
        probe.expect(try await probe.sessions(of: ben), is: [other.id], "another account's sessions")
        // A session under another account's name is not stored, and it does not change its owner.
        try await probe.commit("ending all sessions but another account's") {
            $0.changes.sessions.append(.endAll(ann, except: other.id))
        }
        probe.expect(try await probe.sessions(of: ann), is: [], "the sessions when another account's was kept")
    }

    private static func newSessionStays(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let new = StoreScene.session(of: scene.ann.id, &probe)
        try await probe.commit("ending all sessions and adding a new one") {
            $0.changes.sessions += [.endAll(scene.ann.id, except: nil), .put(new)]
        }
        probe.expect(try await probe.sessions(of: scene.ann.id), is: [new.id], "the sessions")
        probe.expect(try await probe.session(new.id)?.id, is: new.id, "the new session")
        probe.expect(try await probe.session(scene.session.id) == nil, "a session that ended was found")
    }

    private static func writtenSessionStays(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let ann = scene.ann.id
        var current = scene.session
        for isFirst in [true, false] {
            let other = StoreScene.session(of: ann, &probe)
            try await probe.commit("another session") { $0.changes.sessions = [.put(other)] }
            let count = current.refreshCount
            current.refreshCount += 1
            current.claims["round"] = .integer(Int64(current.refreshCount))
            let (update, end) = (
                Store.SessionChange.update(current, refreshCount: count),
                Store.SessionChange.endAll(ann, except: current.id)
            )
            try await probe.commit("an update, and the end of all others") {
                $0.changes.sessions = isFirst ? [update, end] : [end, update]
            }
            probe.expect(try await probe.rows(of: ann), is: [current], "the session that was updated and kept")
        }
    }

    private static func unusedSessionsEnd(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let (ann, ben) = (scene.ann.id, scene.ben.id)
        var sessions = (0..<4).map { _ in StoreScene.session(of: ann, &probe) }
        // The first and the third were used last, and the second, fourth and the scene's own at the same time.
        sessions[0].activeAt = probe.later(20)
        sessions[2].activeAt = probe.later(10)
        let other = StoreScene.session(of: ben, &probe)
        let added = sessions
        try await probe.commit("more sessions") { $0.changes.sessions += (added + [other]).map { .put($0) } }
        let new = StoreScene.session(of: ann, &probe)
        try await probe.commit("a new session, and room for three") {
            $0.changes.sessions += [.put(new), .endUnused(ann, keeping: 3, besides: new.id)]
        }
        let kept = [sessions[0].id, sessions[2].id, new.id].sorted()
        probe.expect(try await probe.sessions(of: ann), is: kept, "the sessions that are left")
        probe.expect(try await probe.sessions(of: ben), is: [other.id], "another account's sessions")
        try await probe.commit("room for more than there are") {
            $0.changes.sessions.append(.endUnused(ann, keeping: 3, besides: new.id))
        }
        probe.expect(try await probe.sessions(of: ann), is: kept, "the sessions when there was room")
        try await probe.commit("room for two, besides a session of another account") {
            $0.changes.sessions.append(.endUnused(ann, keeping: 2, besides: other.id))
        }
        probe.expect(try await probe.sessions(of: ann).count, is: 2, "how many sessions are left of three")
        let last = StoreScene.session(of: ann, &probe)
        try await probe.commit("a new session, and room for none") {
            $0.changes.sessions += [.put(last), .endUnused(ann, keeping: 0, besides: last.id)]
        }
        probe.expect(
            try await probe.sessions(of: ann),
            is: [last.id],
            "the session that is named where there is no room"
        )
    }
}
