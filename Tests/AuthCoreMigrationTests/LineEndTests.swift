@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import Foundation
import XCTest

/// Line ends and marks that other programs see, or leave, in the lines of an export.
final class LineEndTests: LimitedTestCase {
    private func service() -> AuthService {
        AuthService(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(ManualClock()),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    private func importReport(_ lines: [String]) async throws -> ImportReport {
        let file = AsyncStream { file in
            for line in lines { file.yield(line) }
            file.finish()
        }
        return try await service().importAccounts(file)
    }

    func testAFileThatWentThroughWindowsIsRead() async throws {
        let old = service()
        for name in ["ann", "ben"] {
            try await old.client(for: nil, origin: .local).signUp(
                email: "\(name)@example.com",
                password: "correct horse"
            )
        }
        var lines: [String] = []
        for try await exported in old.exportAccounts() { lines.append(exported.line) }
        for (name, texts) in [
            ("line breaks", lines.map { $0 + "\r" }), ("a byte order mark", ["\u{FEFF}" + lines[0], lines[1]]),
            ("a tab at the end", lines + ["\t"]),
        ] {
            let report = try await importReport(texts)
            XCTAssertEqual(report.created, 2, name)
            XCTAssertEqual(report.failed, 0, name)
        }
    }

    /// `URL.lines`, `enumerateLines` and `split(whereSeparator: \.isNewline)` end a line at each of these.
    func testALineOfAnExportHasNoLineBreakWhateverAPersonIsCalled() async throws {
        let old = service()
        let names = ["a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\nb", "a\u{0B}b"]
        for (number, name) in names.enumerated() {
            let client = old.client(for: nil, origin: .local)
            let user = try await client.signUp(email: "ann\(number)@example.com", password: "correct horse").user
            try await user.updateProfile(displayName: .set(name))
        }
        var text = ""
        for try await exported in old.exportAccounts() {
            XCTAssertFalse(exported.line.contains(where: \.isNewline), exported.line)
            text += exported.line + "\n"
        }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let report = try await importReport(lines)
        XCTAssertEqual(report.created, names.count)
        XCTAssertEqual(report.problems.map(\.kind), [])
    }
}
