import AuthCore

/// Clauses about which sessions stay where others end.
extension StoreClause {
    static let keptSessions = [
        StoreClause("the session that is kept need not be there", keptSessionsMayBeMissing),
        StoreClause("one device has as many sessions as begin on it", devicesHaveManySessions),
        StoreClause("the unused sessions are those at the time of the change", unusedSessionsAreThoseOfNow),
    ]

    private static func keptSessionsMayBeMissing(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let first = [StoreScene.session(of: ann.id, &probe), StoreScene.session(of: ann.id, &probe)]
        let next = StoreScene.session(of: ann.id, &probe)
        let ghost = SessionID(bits: probe.draw())
        try await probe.commit("two sessions") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = first.map { .put($0) }
        }
        try await probe.commit("the end of all but one that is not there") {
            $0.changes.sessions = [.endAll(ann.id, except: ghost)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [], "sessions after the end of all but a missing one")
        try await probe.commit("two sessions") { $0.changes.sessions = first.map { .put($0) } }
        try await probe.commit("the end of all but one that begins") {
            $0.changes.sessions = [.endAll(ann.id, except: next.id), .put(next)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [next.id], "sessions after the end of all others")
        try await probe.commit("the end of one, and of all but that one") {
            $0.changes.sessions = [.put(first[0]), .end(next.id), .endAll(ann.id, except: next.id)]
        }
        probe.expect(try await probe.sessions(of: ann.id), is: [], "sessions after the end of the kept one, too")
    }

    private static func devicesHaveManySessions(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let samples = try StoreSamples()
        let sessions = (0..<3).map { _ in samples.fullSession(of: ann.id, SessionID(bits: probe.draw())) }
        let ids = sessions.map(\.id)
        try await probe.commit("an account") { $0.insert(ann) }
        for session in sessions { try await probe.commit("a session") { $0.changes.sessions = [.put(session)] } }
        probe.expect(try await probe.sessions(of: ann.id), is: ids.sorted(), "the sessions of one device")
        try await probe.commit("the end of the others") { $0.changes.sessions = [.endAll(ann.id, except: ids[1])] }
        probe.expect(try await probe.sessions(of: ann.id), is: [ids[1]], "the session that was kept on the device")
    }

    private static func unusedSessionsAreThoseOfNow(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        // The fourth is less than the others as a signed number, and as a text.
        let bits: [UInt128] = [1, 2, 3, 0xF8 << 120, .max]
        let samples = try StoreSamples()
        let sessions = bits.map { samples.bareSession(of: ann.id, SessionID(bits: $0), at: probe.now) }
        let ids = sessions.map(\.id)
        let ghost = SessionID(bits: 9)
        try await probe.commit("five sessions of one time") { transaction in
            transaction.insert(ann)
            transaction.changes.sessions = sessions.map { .put($0) }
        }
        // The first is in use again, and another one has expired, which makes it no longer unused.
        var (active, over) = (sessions[0], sessions[1])
        active.activeAt = probe.later(60)
        over.expiresAt = probe.later(-60)
        over.activeAt = probe.later(30)
        let updates = [active, over]
        try await probe.commit("a use of two, and the end of one") { transaction in
            transaction.changes.sessions = updates.map { .update($0, refreshCount: 0) }
            transaction.changes.sessions.append(.endUnused(ann.id, keeping: 4, besides: ids[4]))
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[1], ids[3], ids[4]],
            "what is left when the first of three of one time ends"
        )
        try await probe.commit("the end of one besides a session that is not there") {
            $0.changes.sessions = [.endUnused(ann.id, keeping: 3, besides: ghost)]
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[1], ids[4]],
            "what is left when the lesser ID of two of one time ends"
        )
        try await probe.commit("the end of one of three, of which one has expired") {
            $0.changes.sessions = [.endUnused(ann.id, keeping: 2, besides: ids[4])]
        }
        probe.expect(
            try await probe.sessions(of: ann.id),
            is: [ids[0], ids[4]],
            "what is left when the one ends that has expired"
        )
    }
}
