@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import XCTest

final class RemappingTests: LimitedTestCase {
    func testTwoThousandPeopleMoveToANewTenant() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        let world = World(providers: [provider])
        let device = world.device()
        var moves: [SubjectMove] = []
        var uids: [String: String] = [:]
        for index in 0..<2000 {
            let token = SimulatedToken(subject: "old-\(index)", email: .absent)
            let user = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: token)).user
            uids["new-\(index)"] = user.uid
            moves.append(
                SubjectMove(
                    from: Identity.Key(issuer: provider.issuer, subject: "old-\(index)"),
                    to: Identity.Key(issuer: provider.issuer, subject: "new-\(index)")
                )
            )
        }
        let report = try await world.service.remapSubjects(moves)
        XCTAssertEqual(report.moved, 2000)
        for index in [0, 999, 1999] {
            let token = SimulatedToken(subject: "new-\(index)", email: .absent)
            let result = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: token))
            XCTAssertEqual(result.user.uid, uids["new-\(index)"])
            let old = SimulatedToken(subject: "old-\(index)", email: .absent)
            let stranger = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: old))
            XCTAssertTrue(stranger.isNewUser)
        }
        let again = try await world.service.remapSubjects(Array(moves.suffix(3)))
        XCTAssertEqual(again.moved, 0)
        XCTAssertEqual(again.taken.count + again.unknown.count, 3)
    }

    /// A provider that numbers its people anew: neither a repeated call nor another order moves one person twice.
    func testS28_AMoveOntoTheKeyOfAnotherMoveIsNotMade() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        for isReversed in [false, true] {
            let world = World(providers: [provider])
            func key(_ subject: String) -> Identity.Key { Identity.Key(issuer: provider.issuer, subject: subject) }
            func member(_ subject: String) -> AuthCredential {
                world.credential("oidc.acme", .ann, saying: SimulatedToken(subject: subject, email: .absent))
            }
            let ann = try await world.device("phone").signIn(with: member("1")).user
            let first = SubjectMove(from: key("1"), to: key("2"))
            let second = SubjectMove(from: key("2"), to: key("3"))
            for _ in 0..<2 {
                let report = try await world.service.remapSubjects(isReversed ? [second, first] : [first, second])
                XCTAssertEqual(report.dependent, [first])
                XCTAssertEqual(report.unknown, [second])
            }
            let alone = try await world.service.remapSubjects([first])
            XCTAssertEqual(alone.moved, 1)
            let stranger = try await world.device("stranger").signIn(with: member("3")).user
            XCTAssertNotEqual(stranger.uid, ann.uid, "subject 3 signs in to the account of subject 1, who is 2 now")
        }
    }

    func testAMoveToAKeyThatNoAssertionHasIsNotMade() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        let world = World(providers: [provider])
        let member = world.credential("oidc.acme", .ann, saying: SimulatedToken(subject: "1", email: .absent))
        let ann = try await world.device().signIn(with: member).user
        let from = Identity.Key(issuer: provider.issuer, subject: "1")
        let longest = String(repeating: "s", count: 1024)
        let moves = [
            (provider.issuer, ""), (provider.issuer, longest + "s"), (provider.issuer, "2\u{0}"), ("", "2"),
        ].map { SubjectMove(from: from, to: Identity.Key(issuer: $0, subject: $1)) }
        let report = try await world.service.remapSubjects(moves)
        XCTAssertEqual(report.invalid, moves, "moves to keys that are empty, too long or have a control character")
        XCTAssertEqual(report.moved, 0, "moves that were made")
        XCTAssertEqual(world.service.refusals().first?.reason, .identityIsImpossible, "why the last one was refused")
        let again = try await world.device().signIn(with: member).user
        XCTAssertEqual(again.uid, ann.uid, "the account of the old key")
        let move = SubjectMove(from: from, to: Identity.Key(issuer: provider.issuer, subject: longest))
        let last = try await world.service.remapSubjects([move])
        XCTAssertEqual([last.moved, last.invalid.count], [1, 0], "a move to the longest key")
    }

    func testAStoreThatFailsEndsTheMoves() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        let move = SubjectMove(
            from: Identity.Key(issuer: "https://id.acme.example", subject: "1"),
            to: Identity.Key(issuer: "https://id.acme.example", subject: "2")
        )
        store.script(.load, .failsBefore())
        let error = await authError { try await world.service.remapSubjects([move]) }
        XCTAssertEqual(error?.code, .storeUnavailable, "a move that was not tried")
    }

    func testAMoveOntoSomebodysKeyIsReportedAsTaken() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        let world = World(providers: [provider])
        for subject in ["1", "2"] {
            let token = SimulatedToken(subject: subject, email: .absent)
            try await world.device(subject).signIn(with: world.credential("oidc.acme", .ann, saying: token))
        }
        let move = SubjectMove(
            from: Identity.Key(issuer: provider.issuer, subject: "1"),
            to: Identity.Key(issuer: provider.issuer, subject: "2")
        )
        let report = try await world.service.remapSubjects([move])
        XCTAssertEqual(report.taken, [move], "moves onto a key that another account owns")
        XCTAssertEqual(report.unknown, [], "moves of keys that no account owns")
    }

    func testAMoveInAnAccountThatIsBeingMergedIsReportedAsLockedAndTheOthersAreMade() async throws {
        let world = World { $0.mergeHooks = [FailingHook()] }
        let ann = try await world.device("ann").signIn(with: world.credential(.gitHub)).user
        _ = try await world.verifiedUser("ben@example.com", in: world.device("ben"))
        let eve = try await world.device("eve").signIn(with: world.credential(.facebook, .eve)).user
        let client = world.service.client(for: nil, origin: .local)
        let source = try await client.verify(world.credential(.gitHub))
        let target = try await client.verify(.password(email: "ben@example.com", password: "correct horse"))
        let merged = try await client.merge(.verified(source), into: .verified(target))
        XCTAssertFalse(merged.isFinished, "the test needs a merge that still locks its account")
        let moves = try [ann, eve].map { user in
            let key = try XCTUnwrap(user.account.methods.first?.identity).key
            return SubjectMove(from: key, to: Identity.Key(issuer: key.issuer.text, subject: "new"))
        }
        let report = try? await world.service.remapSubjects(moves)
        XCTAssertNotNil(report, "a move that is locked ended the others")
        XCTAssertEqual(report?.locked, [moves[0]], "moves of an account that is being merged")
        XCTAssertEqual(report?.moved, 1, "the move of another person")
        XCTAssertEqual(report?.taken, [], "moves onto a key that another account owns")
    }
}

/// A hook that cannot move its data, so that the merge goes on to lock the account.
private struct FailingHook: Merge.Hook {
    let name = "orders"

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws { throw StoreFailure() }
}
