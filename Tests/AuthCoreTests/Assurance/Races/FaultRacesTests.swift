@testable import AuthCore
import AuthCoreTesting
import XCTest

final class FaultRacesTests: LimitedTestCase {
    private let violated = StoreFault.violates(.absent("stranger"))

    func testACommitThatIsWrittenButReportsFailureHappensOnce() async throws {
        for failures in 1...3 {
            let scene = RaceScene()
            scene.store.script(.commit, Array(repeating: .failsAfterwards(), count: failures))
            let result = try await scene.service.client().signIn(with: scene.google(.ann))
            XCTAssertTrue(result.isNewUser)
            let after = try await scene.summary()
            XCTAssertEqual(after.people.map(\.id.text), [result.user.uid])
            XCTAssertEqual(after.people.map(\.sessions), [[result.user.session.id]])
            XCTAssertEqual(after.count(of: .accountCreated), 1)
            XCTAssertEqual(scene.store.calls(of: .commit), failures + 1)
            try await result.user.reload()
        }
    }

    func testACommitThatFailsAndIsNotWrittenIsSentAgain() async throws {
        let scene = RaceScene()
        scene.store.script(.commit, .failsBefore(), .failsBefore(), .failsAfterwards())
        let result = try await scene.service.client().signIn(with: scene.google(.ann))
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.id.text), [result.user.uid])
        XCTAssertEqual(after.count(of: .accountCreated), 1)
    }

    func testACommitThatAlwaysFailsLeavesTheOutcomeUnknownAndTheStoreAsItWas() async throws {
        let scene = RaceScene()
        let user = try await scene.service.client().signUp(email: "ann@example.com", password: "secret1").user
        let before = try await scene.summary()
        scene.store.script(.commit, [], then: .failsBefore())
        let operations: [() async throws -> Any] = [
            { try await scene.service.client().signIn(with: scene.google(.ben)) },
            { try await scene.service.client().signUp(email: "cem@example.com", password: "secret1") },
            { try await user.link(with: scene.google(.ann)) },
            { try await user.delete() },
        ]
        for operation in operations {
            let refused = await scene.error(of: operation)
            XCTAssertEqual(refused?.code, .outcomeUnknown)
            XCTAssertEqual(refused?.cause as? StoreFailure, StoreFailure())
            let after = try await scene.summary()
            XCTAssertEqual(after, before)
        }
    }

    func testACommitThatMayHaveFailedIsSentThreeMoreTimes() async throws {
        for (failures, isWritten) in [(3, true), (4, false)] {
            let scene = RaceScene()
            scene.store.script(.commit, Array(repeating: .failsBefore(), count: failures))
            let refused = await scene.error { try await scene.service.client().signInAnonymously() }
            XCTAssertEqual(refused?.code, isWritten ? nil : .outcomeUnknown, "after \(failures) failures")
        }
    }

    func testTheErrorOfAnUnknownOutcomeHasTheLastFailureAsItsCause() async throws {
        struct Failure: Error, Equatable { let number: Int }
        let scene = RaceScene()
        scene.store.script(.commit, (1...4).map { .failsBefore(Failure(number: $0)) })
        let refused = await scene.error { try await scene.service.client().signInAnonymously() }
        XCTAssertEqual(refused?.code, .outcomeUnknown)
        XCTAssertEqual(refused?.cause as? Failure, Failure(number: 4), "of four failures")
    }

    func testAfterAnUnknownOutcomeTheSameCredentialFindsWhatWasWritten() async throws {
        let scene = RaceScene()
        scene.store.script(.commit, [], then: .failsAfterwards())
        let credential = scene.google(.ann)
        let unknown = await scene.error { try await scene.service.client().signIn(with: credential) }
        XCTAssertEqual(unknown?.code, .outcomeUnknown)
        scene.store.script(.commit)
        let result = try await scene.service.client().signIn(with: credential)
        XCTAssertFalse(result.isNewUser)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.id.text), [result.user.uid])
    }

    func testAFailedReadChangesNothing() async throws {
        let scene = RaceScene()
        let user = try await scene.service.client().signUp(email: "ann@example.com", password: "secret1").user
        let before = try await scene.summary()
        scene.store.script(.load, [], then: .failsBefore())
        let operations: [() async throws -> Any] = [
            { try await scene.service.client().signIn(with: .password(email: "ann@example.com", password: "secret1")) },
            { try await scene.service.client().signIn(with: scene.google(.ben)) },
            { try await scene.service.client().signUp(email: "cem@example.com", password: "secret1") },
            { try await user.link(with: scene.google(.ann)) }, { try await user.delete() },
        ]
        for operation in operations {
            let refused = await scene.error(of: operation)
            XCTAssertEqual(refused?.code, .storeUnavailable)
            XCTAssertEqual(refused?.cause as? StoreFailure, StoreFailure())
            let after = try await scene.summary()
            XCTAssertEqual(after, before)
        }
        let commits = scene.store.calls(of: .commit)
        XCTAssertEqual(commits, 1)
    }

    func testContentionBeyondTheRetriesIsReportedAndChangesNothing() async throws {
        let scene = RaceScene(retries: 3)
        let before = try await scene.summary()
        scene.store.script(.commit, [violated, violated, violated])
        let refused = await scene.error { try await scene.service.client().signIn(with: scene.google(.ann)) }
        XCTAssertEqual(refused?.code, .storeUnavailable)
        XCTAssertEqual(scene.store.calls(of: .commit), 3)
        let after = try await scene.summary()
        XCTAssertEqual(after, before)
    }

    func testContentionWithinTheRetriesIsDecidedAgain() async throws {
        let scene = RaceScene(retries: 3)
        scene.store.script(.commit, [violated, violated])
        let result = try await scene.service.client().signIn(with: scene.google(.ann))
        XCTAssertEqual(scene.store.calls(of: .commit), 3)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.map(\.id.text), [result.user.uid])
        XCTAssertEqual(after.count(of: .accountCreated), 1)
    }

    func testAConflictThatShowsOnlyWhenACommitIsSentAgainIsDecidedAgain() async throws {
        let scene = RaceScene()
        let gate = Gate()
        let credential = scene.google(.ann)
        scene.store.script(.commit, .failsBefore(), .waitsBefore(gate))
        async let late = scene.service.client().signIn(with: credential)
        await gate.waitForArrivals()
        let first = try await scene.service.client().signIn(with: credential)
        gate.open()
        let second = try await late
        XCTAssertTrue(first.isNewUser)
        XCTAssertFalse(second.isNewUser)
        XCTAssertEqual(first.user.uid, second.user.uid)
        let after = try await scene.summary()
        XCTAssertEqual(after.people.count, 1)
    }
}
