@testable import AuthCore
import Foundation
import XCTest

@testable import authlab

/// That the bare dictionaries record what the service records: else a quotient would not compare the same writes.
final class FloorTests: LimitedTestCase {
    func testTheFloorTellsOfEveryEventAsTheServiceDoes() async throws {
        let bench = try await play(unlinking: true)
        let id = try await account(in: bench).id
        let events = try await bench.service.events(limit: 1000).events.filter { $0.account == id }
        let floor = bench.bare.locked { tables in
            tables.log.filter { $0.account == tables.identities[Self.google] }.map(Told.init)
        }
        XCTAssertEqual(floor, events.map(Told.init))
        XCTAssertEqual(
            events.map(\.kind),
            [.accountCreated, .signedIn, .methodsChanged, .signedIn, .methodsChanged, .methodsChanged]
        )
    }

    func testTheFloorKeepsTheSameAccount() async throws {
        for unlinking in [false, true] {
            let bench = try await play(unlinking: unlinking)
            let account = try await account(in: bench)
            let bare = try bareAccount(in: bench)
            XCTAssertEqual(bare.email, account.email)
            XCTAssertEqual(bare.version, account.version)
            XCTAssertEqual(bare.blockedIssuers, account.blockedIssuers)
            XCTAssertEqual(bare.methods.map(\.identity), account.methods.map(\.identity))
            XCTAssertEqual(bare.methods.map(\.generation), account.methods.map(\.generation))
            XCTAssertEqual(bare.methods.map { $0.coveredBy != nil }, account.methods.map { !$0.coverage.isEmpty })
            XCTAssertEqual(bare.evidence.map(\.key), account.evidence.compactMap(\.voucher))
            XCTAssertEqual(bare.evidence.map(\.count), account.evidence.map(\.count))
        }
    }

    func testTheFloorKeepsTheSameSession() async throws {
        for unlinking in [false, true] {
            let bench = try await play(unlinking: unlinking)
            let sessions = try await sessions(in: bench)
            let bare = try bareAccount(in: bench)
            let rows = bench.bare.locked { tables in bare.sessions.compactMap { tables.sessions[$0] } }
            XCTAssertEqual(rows.count, sessions.count)
            let row = try XCTUnwrap(rows.last)
            let same = sessions.filter { session in
                session.basis.generation == row.method
                    && session.used.compactMap(\.generation) == row.added.map { [$0] } ?? []
                    && session.verified.map(\.subject) == row.verified.map { [.email($0)] } ?? []
            }
            XCTAssertEqual(same.count, 1, "of \(sessions), one is as the floor keeps it: \(row)")
        }
    }

    func testTheFloorKeepsTheSameRightsToContest() async throws {
        let bench = try await play(unlinking: true)
        let reference = Lookup.Reference.account(try await account(in: bench).id)
        let kept = try await bench.service.store.load([.records(of: reference, .changeReport)]).records(
            of: reference,
            .changeReport
        )
        let bare = bench.bare.locked { tables in
            tables.contests.values.filter { $0.account == tables.identities[Self.google] }
        }
        XCTAssertEqual(kept.count, 3)
        XCTAssertEqual(
            bare.map { change in
                Contestable(
                    method: change.method,
                    notifiedAddress: nil,
                    lifetime: change.expiresAt - change.createdAt
                )
            }.sorted(),
            kept.compactMap(Contestable.init).sorted()
        )
        XCTAssertTrue(bench.bare.locked { $0.outbox.isEmpty })
        let pending = try await bench.service.store.messages(.waiting, after: nil, limit: 1)
        XCTAssertTrue(pending.isEmpty)
    }

    func testTheFloorKeepsTheSameOfAConflict() async throws {
        let bench = try await play(unlinking: true)
        let credential = bench.verified(BenchPeople.facebook(Self.person, isEmailVerified: true))
        var met: Conflict?
        do throws(AuthError) {
            _ = try await bench.client.signIn(with: credential)
        } catch {
            met = error.conflict
        }
        let now = bench.clock.timestamp
        let proof = try XCTUnwrap(credential.federated)
        let name = try XCTUnwrap(bench.bare.locked { $0.conflict(proof, now) })
        let id = try XCTUnwrap(met).pending.key
        let found = try await bench.service.store.load([.record(id)]).record(id)
        let kept = try XCTUnwrap(found)
        let bare = try XCTUnwrap(bench.bare.locked { $0.pending[name] })
        guard case .pendingIdentity(let pending) = kept.content else { return XCTFail("\(kept)") }
        XCTAssertEqual(bare.assertion, pending.assertion)
        XCTAssertEqual(bare.expiresAt - bare.createdAt, kept.lifetime)
        let owner = try await account(in: bench).id
        XCTAssertEqual(pending.target, owner)
        let refused = try XCTUnwrap(bench.service.refusals(limit: 1).first)
        let bareRefused = try XCTUnwrap(bench.bare.locked { $0.refusals.last })
        XCTAssertEqual(refused.account, owner)
        XCTAssertEqual(bareRefused.code, refused.code)
        XCTAssertEqual(bareRefused.cause, refused.reason)
        let bareOwner = bench.bare.locked { $0.identities[Self.google] }
        XCTAssertEqual(bareRefused.account, bareOwner)
        XCTAssertEqual(bare.account, bareOwner)
    }
}

/// One person, who signs up on both sides, links a second identity, signs in again, links a third, and takes it off.
extension FloorTests {
    private static let person = 1
    private static let google = Identity.Key(
        issuer: BenchPeople.google(person).issuer,
        subject: BenchPeople.google(person).subject
    )

    private func play(unlinking: Bool) async throws -> Bench {
        let bench = try await Bench()
        try await bench.populate(3)
        let google = bench.verified(BenchPeople.google(Self.person))
        let facebook = bench.verified(BenchPeople.facebook(Self.person, isEmailVerified: false))
        let (first, third) = (try XCTUnwrap(google.identity), try XCTUnwrap(facebook.identity))
        let now = bench.clock.timestamp
        let user = try await bench.client.signIn(with: google).user
        let session = try XCTUnwrap(bench.bare.locked { $0.signIn(first, now) })
        try await user.link(with: facebook)
        XCTAssertTrue(bench.bare.locked { $0.link(third, in: session, now) })
        if !unlinking { return bench }
        try await user.unlink(.facebook)
        XCTAssertTrue(bench.bare.locked { $0.unlink(third.key, in: session, now) })
        return bench
    }

    private func account(in bench: Bench) async throws -> Account {
        let account = try await bench.service.account(identity: Self.google)
        return try XCTUnwrap(account)
    }

    private func bareAccount(in bench: Bench) throws -> BareTables.Account {
        try XCTUnwrap(
            bench.bare.locked { tables in tables.identities[Self.google].flatMap { tables.accounts[$0] } }
        )
    }

    private func sessions(in bench: Bench) async throws -> [Session] {
        let reference = Lookup.Reference.account(try await account(in: bench).id)
        return try await bench.service.store.load([.sessions(of: reference)]).sessions(of: reference)
    }
}

/// What either side tells of one event.
private struct Told: Equatable {
    var kind: IdentityEvent.Kind
    var hasSession: Bool
    var causes: [Reason]
    var vouchers: [Identity.Key]
    var before: [Identity.Key?]
    var after: [Identity.Key?]

    init(_ event: IdentityEvent) {
        kind = event.kind
        hasSession = event.actor != .unauthenticated
        causes = event.reasons
        vouchers = event.evidence.compactMap(\.voucher)
        before = event.before?.map(\.identity) ?? []
        after = event.after?.map(\.identity) ?? []
    }

    init(_ event: BareTables.Event) {
        switch event.kind {
        case .accountCreated: kind = .accountCreated
        case .signedIn: kind = .signedIn
        case .methodsChanged: kind = .methodsChanged
        }
        hasSession = event.actor != nil
        causes = [event.cause]
        vouchers = event.evidence.map(\.key)
        before = event.methods[..<event.countBefore].map(\.identity?.key)
        after = event.methods[event.countBefore...].map(\.identity?.key)
    }
}

/// What a code can contest, and for how long.
private struct Contestable: Equatable, Comparable {
    var method: UInt32?
    var notifiedAddress: EmailAddress?
    var lifetime: Duration?

    init(method: UInt32?, notifiedAddress: EmailAddress?, lifetime: Duration?) {
        (self.method, self.notifiedAddress, self.lifetime) = (method, notifiedAddress, lifetime)
    }

    init?(_ record: OneTimeRecord) {
        guard case .changeReport(let change) = record.content else { return nil }
        self.init(method: change.methods.first, notifiedAddress: change.notifiedAddress, lifetime: record.lifetime)
    }

    static func < (left: Contestable, right: Contestable) -> Bool { left.method ?? .max < right.method ?? .max }
}

extension OneTimeRecord {
    /// How long it works.
    fileprivate var lifetime: Duration? { expiresAt.map { $0 - createdAt } }
}

extension Evidence {
    /// Whose word it is, if it is a provider's.
    fileprivate var voucher: Identity.Key? {
        guard case .provider(let key, _) = source else { return nil }
        return key
    }
}
