@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ParallelRacesTests: LimitedTestCase {
    func testOfTwoLinksOfOneIdentityOneWins() async throws {
        for _ in 0..<10 {
            let scene = RaceScene()
            let ann = try await scene.service.client().signUp(email: "ann@example.com", password: "secret1").user
            let ben = try await scene.service.client().signUp(email: "ben@example.com", password: "secret1").user
            let before = try await scene.summary()
            let gate = Gate()
            scene.store.script(.commit, [.waitsBefore(gate), .waitsBefore(gate)])
            let credential = scene.google(.eve)
            async let first = scene.error { try await ann.link(with: credential) }
            async let second = scene.error { try await ben.link(with: credential) }
            await gate.waitForArrivals(2)
            gate.open()
            let errors = await [first, second]
            XCTAssertEqual(errors.compactMap { $0?.code }, [.credentialAlreadyInUse])
            let winner = errors[0] == nil ? ann.uid : ben.uid

            let after = try await scene.summary()
            XCTAssertEqual(after.people.map(\.id), before.people.map(\.id))
            for person in after.people {
                let expected: [ProviderID] = person.id.text == winner ? [.password, .google] : [.password]
                XCTAssertEqual(person.methods, expected)
            }
            XCTAssertEqual(after.count(of: .methodsChanged), before.count(of: .methodsChanged) + 1)
            let known = try await scene.service.client().signIn(with: credential)
            XCTAssertEqual(known.user.uid, winner)
        }
    }

    func testFiftyFirstSignInsWithOneIdentityMakeOneAccount() async throws {
        let scene = RaceScene()
        let count = 50
        let gate = Gate()
        scene.store.script(.commit, Array(repeating: .waitsBefore(gate), count: count))
        let credential = scene.google(.ann)
        let results = try await withThrowingTaskGroup(of: AuthResult.self) { group in
            for _ in 0..<count { group.addTask { try await scene.service.client().signIn(with: credential) } }
            await gate.waitForArrivals(count)
            gate.open()
            var results: [AuthResult] = []
            for try await result in group { results.append(result) }
            return results
        }
        XCTAssertEqual(Set(results.map(\.user.uid)).count, 1)
        XCTAssertEqual(results.count { $0.isNewUser }, 1)
        XCTAssertEqual(Set(results.map(\.user.session.id)).count, count)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.methods), [[.google]])
        XCTAssertEqual(after.people.map(\.sessions.count), [count])
        XCTAssertEqual(after.count(of: .accountCreated), 1)
    }

    func testFiftySignUpsWithOneAddressMakeOneAccount() async throws {
        let scene = RaceScene()
        let count = 50
        let gate = Gate()
        scene.store.script(.commit, Array(repeating: .waitsBefore(gate), count: count))
        let codes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for number in 0..<count {
                group.addTask {
                    await scene.error {
                        try await scene.service.client().signUp(email: "ann@example.com", password: "secret\(number)")
                    }?.code
                }
            }
            await gate.waitForArrivals(count)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(codes.count { $0 == nil }, 1)
        XCTAssertEqual(codes.count { $0 == .emailAlreadyInUse }, count - 1)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.methods), [[.password]])
        XCTAssertEqual(after.people.map(\.sessions.count), [1])
    }

    func testParallelUnlinksOfOneProviderRemoveItOnce() async throws {
        let scene = RaceScene()
        let user = try await scene.service.client().signUp(email: "ann@example.com", password: "secret1").user
        try await user.link(with: scene.google(.ann))
        let before = try await scene.summary()
        let gate = Gate()
        scene.store.script(.commit, Array(repeating: .waitsBefore(gate), count: 8))
        let codes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<8 { group.addTask { await scene.error { try await user.unlink(.google) }?.code } }
            await gate.waitForArrivals(8)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(codes.count { $0 == nil }, 1)
        XCTAssertEqual(codes.count { $0 == .noSuchProvider }, 7)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.methods), [[.password]])
        XCTAssertEqual(after.people[0].version, before.people[0].version + 1)
    }
}
