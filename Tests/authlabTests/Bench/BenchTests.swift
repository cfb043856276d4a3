import Foundation
import XCTest

@testable import authlab

/// What `authlab bench` takes, and that it measures what it says.
final class BenchTests: LimitedTestCase {
    func testTheBenchMeasuresEveryPowerOfTenUpToTheNumberAsked() throws {
        XCTAssertEqual(try BenchCommand(arguments: []).sizes, [10_000, 100_000])
        XCTAssertEqual(
            try BenchCommand(arguments: ["--accounts", "10000000"]).sizes,
            [10_000, 100_000, 1_000_000, 10_000_000]
        )
        XCTAssertEqual(try BenchCommand(arguments: ["--accounts", "20000"]).sizes, [10_000, 20_000])
        XCTAssertEqual(try BenchCommand(arguments: ["--accounts", "50"]).sizes, [50])
    }

    func testTheBenchReadsItsOptions() throws {
        let command = try BenchCommand(arguments: ["--json", "--seconds", "0.5", "--accounts", "100"])
        XCTAssertTrue(command.isJSON)
        XCTAssertEqual(command.seconds, 0.5)
        XCTAssertEqual(command.accounts, 100)
    }

    func testTheBenchRefusesWhatItDoesNotKnow() {
        let refused = [
            ["--accounts"], ["--accounts", "many"], ["--accounts", "0"], ["--accounts", "-5"], ["--seconds"],
            ["--seconds", "0"], ["--seconds", "nan"], ["--seconds", "inf"], ["--quick"], ["--only"], ["--only", "x"],
            ["100"],
        ]
        for arguments in refused { XCTAssertThrowsError(try BenchCommand(arguments: arguments), "\(arguments)") }
    }

    func testAnOptionThatWouldBeIgnoredIsRefused() throws {
        func refusal(_ words: String..., store: StoreChoice = .memory) -> String {
            do {
                let arguments = try BenchCommand.synopsis.read(words)
                if store == .memory {
                    _ = try BenchCommand(arguments)
                } else {
                    _ = try StoreBenchCommand(store: store, arguments)
                }
                return "nothing"
            } catch {
                return "\(error)"
            }
        }
        let (sqlite, postgres) = (StoreChoice.sqlite(path: "a"), StoreChoice.postgres(url: "postgres:dbname=a"))
        XCTAssertEqual(
            refusal("--scale", "--only", "link"),
            "bench: --scale takes no --only",
            "one operation is asked for, and single calls are measured"
        )
        for store in [sqlite, postgres] {
            XCTAssertEqual(
                refusal("--scale", store: store),
                "bench: --scale is for the store in memory",
                "\(store): single calls are asked for, and operations are measured"
            )
        }
        XCTAssertEqual(refusal("--normal", store: sqlite), "nothing", "--normal is for SQLite")
        XCTAssertEqual(
            refusal("--normal", store: postgres),
            "bench: --normal is for SQLite",
            "commits that do not wait are asked for, and commits that wait are measured"
        )
    }

    func testTheHelpSaysHowLargeThePopulationsAre() throws {
        let numbers = BenchCommand.synopsis.help(width: 500).split { !$0.isNumber }.map(String.init)
        let durable = try StoreBenchCommand(store: .sqlite(path: "a"), BenchCommand.synopsis.read([])).accounts
        for accounts in [try BenchCommand(arguments: []).accounts, durable] {
            XCTAssertTrue(numbers.contains("\(accounts)"), "the help does not name the default \(accounts)")
        }
    }

    func testATinyBenchMeasuresSingleCallsAndAYear() async throws {
        XCTAssertTrue(try BenchCommand(arguments: ["--scale"]).isScale)
        let calls = try await Bench().measureScale(accounts: 40)
        let year = try await Bench().measureYear(accounts: 40, days: 8)
        XCTAssertGreaterThan(calls.lines.count, 8, "single calls")
        if residentSize() != nil {
            let quarters = [2, 4, 6, 8].map { "resident after day \($0)" }
            XCTAssertEqual(year.lines.map(\.name), quarters, "quarters of a year")
        }
        for line in calls.lines + year.lines { XCTAssertGreaterThan(line.value, 0, line.name) }
        var report = BenchReport(seconds: 1)
        report.scale = [calls, year]
        for line in calls.lines { XCTAssertTrue(report.table.contains(line.name), line.name) }
    }

    func testTheBytesOfAnAccountAreAlsoGivenWithoutWhatFilledTheLogs() {
        let first = Growth(from: 0, to: 10, sizes: [5, 105, 125])
        let later = Growth(from: Growth.fillsLogs, to: Growth.fillsLogs + 10, sizes: [125, 165, 175])
        XCTAssertEqual([first, later].bytesPerAccount(\.service), 7, "all accounts of the service")
        XCTAssertEqual([first, later].bytesPerAccount(\.bare), 1.5, "all accounts of the floor")
        XCTAssertEqual([first, later].filter(\.areLogsFull).bytesPerAccount(\.service), 4, "made with full logs")
        let unknown = Growth(from: 20, to: 30, sizes: [nil, 40, 50])
        XCTAssertNil([first, unknown].bytesPerAccount(\.service), "a size that the system did not report")
        XCTAssertNil([Growth]().bytesPerAccount(\.service), "no accounts")
    }

    func testATinyBenchMeasuresEveryOperationBesideItsFloor() async throws {
        var printed: [String] = []
        let command = try BenchCommand(arguments: ["--accounts", "40", "--seconds", "0.001", "--json"])
        let report = try await command.run { printed.append($0) }
        let size = try XCTUnwrap(report.sizes.first)
        XCTAssertEqual(
            size.operations.map(\.name),
            Bench.operationNames
        )
        for operation in size.operations {
            XCTAssertGreaterThan(operation.nanoseconds, 0, operation.name)
            XCTAssertGreaterThan(operation.floor, 0, operation.name)
            XCTAssertGreaterThanOrEqual(operation.rounds, 3, operation.name)
        }
        XCTAssertEqual(size.cores.map(\.tasks), Bench.taskCounts)
        XCTAssertEqual(size.cores.prefix(2).map(\.tasks), [1, 2])
        let decoded = try JSONDecoder().decode(BenchReport.self, from: Data(XCTUnwrap(printed.first).utf8))
        XCTAssertEqual(decoded.sizes.first?.accounts, 40)
        for operation in size.operations { XCTAssertTrue(report.table.contains(operation.name), operation.name) }
    }
}
