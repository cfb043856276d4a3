#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Several processes on one database are killed at random, and its server stops as if it had crashed: what was answered
/// is there, nothing is there twice, and the invariants hold.
///
/// What is stored shows I1, I2, I3, I5, I6 and I10. The others are about answers, and have tests of their own.
final class PostgresKillTests: LimitedTestCase {
    private static var isLong: Bool { ProcessInfo.processInfo.environment["AUTHCORE_LONG"] != nil }
    /// Each on an empty database, since the checks compare everything with everything.
    private static var databases: Int { isLong ? 42 : 1 }
    private static var kills: Int { isLong ? 12 : 4 }

    func testKilledProcessesAndACrashedServerLoseNothingThatWasAnswered() async throws {
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        var generator = SeededGenerator(seed: 16)
        for round in 0..<Self.databases {
            let database = try TestDatabase(server.connection)
            let said = try await work(on: database, server, &generator)
            let store = try await database.open()
            // Events of transactions that the crash or a kill stopped delay no reader for long.
            let view = try await settledView(of: store)
            try assertEverythingAnswered(said, in: view, round)
            let broken = try await Self.invariants(of: store).violations(in: view)
            XCTAssertEqual(broken, [], "database \(round)")
            if !broken.isEmpty { return }
        }
    }

    /// Three processes, one of which is killed and replaced at a time; in the middle the server crashes.
    private func work(
        on database: TestDatabase,
        _ server: TestServer,
        _ generator: inout SeededGenerator
    ) async throws -> [Substring] {
        var (processes, said): ([ServiceProcess], [Substring]) = ([], [])
        for number in 0..<3 { processes.append(try ServiceProcess(on: database, called: "p\(number)")) }
        for kill in 0..<Self.kills {
            let place = Int.random(in: 0..<3, using: &generator)
            processes[place].read(steps: Int.random(in: 1...40, using: &generator))
            said += try processes[place].kill()
            try await assertInvariants(of: database, while: processes, "kill \(kill)")
            processes[place] = try ServiceProcess(on: database, called: "k\(kill)")
            if kill != Self.kills / 2 { continue }
            for process in processes { process.read(steps: 1) }
            try server.stop("immediate")
            try server.start()
        }
        for process in processes {
            // They go on after the crash.
            process.read(steps: 20)
            process.readUntilARace()
            said += try process.kill()
        }
        return said
    }

    private static func invariants(of store: PostgresStore) -> Invariants {
        Invariants(store: store, policy: .standard, hasNoGaps: false)
    }

    /// Checks what is stored while the processes that are left stand still.
    private func assertInvariants(
        of database: TestDatabase,
        while processes: [ServiceProcess],
        _ moment: String
    ) async throws {
        for process in processes { process.pause() }
        let store = try await database.open()
        let broken = try await Self.invariants(of: store).violations(in: settledView(of: store))
        XCTAssertEqual(broken, [], "after \(moment)")
        for process in processes { process.goOn() }
    }

    /// What a reader sees once nothing changes any more: what a process sent just before it was stopped or killed may
    /// still arrive, also while the parts of a view are read.
    private func settledView(of store: PostgresStore) async throws -> StoreView {
        var (last, seen) = (try await view(of: store), try await view(of: store))
        while seen != last { (last, seen) = (seen, try await view(of: store)) }
        return seen
    }

    /// What a reader sees when the transactions of killed processes have ended.
    private func view(of store: PostgresStore) async throws -> StoreView {
        let idle = "SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()"
        while try await store.run(idle, []).first?.number(0) != 0 { await Task.yield() }
        let view = try await StoreView(of: store)
        XCTAssertEqual(view.events.map(\.position), view.events.map(\.position).sorted(), "the order of the log")
        XCTAssertEqual(Set(view.events.map(\.position)).count, view.events.count, "a position occurs twice")
        return view
    }

    private func assertEverythingAnswered(_ said: [Substring], in view: StoreView, _ round: Int) throws {
        var (steps, sessions, races): ([Substring: Int], [SessionID], Int) = ([:], [], 0)
        for line in said {
            let words = line.split(separator: " ")
            if words[0] == "race" {
                races += 1
            } else if words[0] == "shared", let session = SessionID(String(words[1])) {
                sessions.append(session)
            } else if let step = Int(words[1]) {
                steps[words[0]] = max(step, steps[words[0]] ?? 0)
            }
        }
        XCTAssertFalse(steps.isEmpty || sessions.isEmpty, "database \(round): nothing was answered")
        XCTAssertGreaterThan(races, 0, "database \(round): no race was run")
        for (person, step) in steps {
            let account = view.accounts.first { $0.email?.description == "\(person)@gmail.com" }
            let id = try XCTUnwrap(
                account?.id,
                "database \(round): the account of \(person) is lost after step \(step)"
            )
            let changes = view.count(of: .methodsChanged, id)
            XCTAssertTrue(
                [step - 1, step].contains(changes),
                "database \(round): after step \(step) of \(person) the log has \(changes) changes of methods"
            )
            let isLinked = account?.methods.contains { $0.kind.provider == .gitHub } ?? false
            XCTAssertEqual(isLinked, changes % 2 == 1, "database \(round): \(person) has other methods than the log")
        }
        var signIns: [SessionID: Int] = [:]
        for event in view.events where event.kind == .signedIn {
            if case .session(let session) = event.actor { signIns[session, default: 0] += 1 }
        }
        for session in sessions {
            XCTAssertEqual(signIns[session], 1, "database \(round): a sign-in that was answered is lost")
        }
        for (session, count) in signIns where count > 1 {
            XCTFail("database \(round): session \(session) was signed in \(count) times")
        }
    }
}
#endif
