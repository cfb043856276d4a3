import AuthCore
import Foundation
import XCTest

@testable import authlab

/// How `authlab` is used, rightly and wrongly.
final class CommandLineTests: LimitedTestCase {
    private let terminal = Terminal(environment: ["COLUMNS": "80"], isTerminal: false, deviceWidth: nil)

    private func printed(_ words: String...) async throws -> String {
        var lines: [String] = []
        _ = try await AuthLab.run(words, terminal) { lines.append($0) }
        return lines.joined(separator: "\n")
    }

    func testTheReadmeAndTheChangelogStateTheVersion() throws {
        let version = AuthLab.version
        let text = try PackageFiles.text("README.md")
        XCTAssertTrue(text.contains("from: \"\(version)\""), "README installs version \(version)")
        XCTAssertTrue(text.contains("The version is \(version):"), "README states version \(version)")
        let changes = try PackageFiles.text("Sources/AuthCore/AuthCore.docc/Changelog.md").split(separator: "\n")
        let newest = changes.first { $0.hasPrefix("## ") }
        XCTAssertEqual(newest, "## \(version)", "the changelog begins with the version")
    }

    func testWrongUseIsOneLineAndAHint() async {
        let uses: [(words: [String], text: String, hint: String)] = [
            ([], "a command is needed", "tour, explain"),
            (["tuor"], "there is no command tuor", "did you mean tour?"),
            (["dance"], "there is no command dance", "authlab --help"),
            (["--versoin"], "there is no option --versoin", "--version?"),
            (["--version", "tour"], "--version stands alone", "authlab --version"),
            (["help", "tour", "matrix"], "help is on one command", "authlab help tour"),
            (["help", "matrx"], "there is no command matrx", "matrix?"),
            (["tour", "now"], "tour: now is not expected", "authlab tour --help"),
            (["tour", "--lst"], "tour: there is no option --lst", "--list?"),
            (["tour", "--only"], "tour: --only needs a value", "play one scene"),
            (["tour", "--only", "--list"], "tour: --only needs a value", "play one scene"),
            (["tour", "--only", "unlnk"], "tour: there is no scene unlnk", "unlink"),
            (["tour", "--policy", "standart"], "there is no policy standart", "standard?"),
            (["tour", "--list=all"], "tour: --list takes no value", "authlab tour --help"),
            (["tour", "--step", "--step"], "tour: --step is there twice", "authlab tour --help"),
            (
                ["matrix", "--format", "pdf"], "matrix: --format takes table, markdown, html, svg, svg-dark, not pdf",
                "help"
            ),
            (["matrix", "--format="], "matrix: --format needs a value", "svg-dark"),
            (["explain", ""], "explain: a word is empty", "help"),
            (["explain", "lastmethod"], "explain: lastmethod is no error", "did you mean lastMethod?"),
            (["explain", "99999"], "explain: 99999 is no error", "authlab explain lists every name"),
            (["matrix", "--policy", "none.json"], "none.json is neither a policy nor a file", ""),
            (["explain", "joinning"], "explain: joinning is no error, reason or choice", "joining?"),
            (["explain", "--policy", "firebase"], "explain: --policy needs --state", "authlab matrix"),
            (["explain", "--state", "/nowhere/at/all"], "cannot read /nowhere/at/all", ""),
            (["replay"], "replay: a file is needed, or -", "authlab replay [--policy"),
            (["replay", "/nowhere/at/all"], "cannot read /nowhere/at/all", ""),
            (
                ["replay", "--face", "firebse", "-"], "replay: --face takes authcore, firebase, not firebse",
                "firebase?"
            ),
            (
                ["bench", "--accounts", "many"], "bench: --accounts takes a number from 10 to 100000000, not many",
                "help"
            ),
            (["bench", "--only", "unlnk"], "bench: there is no operation unlnk", "unlink"),
            (["pictures"], "pictures: one folder is needed", "FOLDER"),
            (["pictures", "/nowhere/at/all"], "cannot write /nowhere/at/all/", ""),
            (["pictures", "a", "b"], "pictures: one folder is needed", "FOLDER"),
        ]
        for use in uses {
            do {
                _ = try await AuthLab.run(use.words, terminal) { XCTFail("\(use.words) printed \($0)") }
                XCTFail("\(use.words) was taken")
            } catch let error as UsageError {
                XCTAssertTrue(error.text.contains(use.text), "\(use.words): \(error.text)")
                XCTAssertTrue(
                    use.hint.isEmpty || error.hint?.contains(use.hint) == true,
                    "\(use.words): \(error.hint ?? "")"
                )
                XCTAssertFalse((error.text + (error.hint ?? "")).contains("\n"), "\(use.words): more than one line")
            } catch {
                XCTFail("\(use.words): \(error) is no error of usage")
            }
        }
    }

    func testHelpSaysWhatEveryCommandTakes() async throws {
        let general = try await printed("--help")
        for command in AuthLab.commands {
            XCTAssertTrue(general.contains(command.name), command.name)
            let help = try await printed(command.name, "--help")
            XCTAssertTrue(help.hasPrefix("usage: authlab \(command.name)"), help)
            for option in command.options { XCTAssertTrue(help.contains(option.name), option.name) }
            let same = try await printed("help", command.name)
            XCTAssertEqual(help, same, "help \(command.name) and \(command.name) --help differ")
            for line in (general + "\n" + help).split(separator: "\n") where !line.contains("\"") && !line.contains("|")
            {
                XCTAssertLessThanOrEqual(line.count, 80, String(line))
            }
        }
        let short = try await printed("-h")
        XCTAssertEqual(short, general)
        let version = try await printed("--version")
        XCTAssertEqual(version, "0.1.0")
    }

    func testOptionsAreReadInEveryForm() throws {
        let (flag, named) = (Option(name: "--loud", help: ""), Option(name: "--name", value: "N", help: ""))
        let synopsis = Synopsis(name: "x", summary: "", options: [flag, named], operands: "FILE…")
        let apart = try synopsis.read(["a", "--name", "b", "--loud", "-", "--", "--loud"])
        XCTAssertEqual(apart[named], "b")
        XCTAssertTrue(apart.has(flag))
        XCTAssertEqual(apart.operands, ["a", "-", "--loud"], "after -- every word is an operand")
        XCTAssertEqual(try synopsis.read(["--name=b=c"])[named], "b=c")
        XCTAssertEqual(try synopsis.read(["--name", "-"])[named], "-", "a lone dash is a value")
        XCTAssertNil(try synopsis.read([])[named])
    }

    /// A shell's `<(…)` is a pipe with a path.
    func testAFileMayBeAPipe() async throws {
        func path(of pipe: Pipe, with text: Data) throws -> String {
            try pipe.fileHandleForWriting.write(contentsOf: text)
            try pipe.fileHandleForWriting.close()
            return "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        }
        let (state, policy, empty) = (Pipe(), Pipe(), Pipe())
        let text = try await printed(
            "explain",
            "--state",
            try path(of: state, with: Data(#"{"arrives": "authoritative"}"#.utf8)),
            "--policy",
            try path(of: policy, with: JSONEncoder().encode(AuthPolicy.firebase))
        )
        XCTAssertTrue(text.contains("no account that has the address"), "the state was not read: \(text)")
        XCTAssertTrue(text.contains("makes a separate account"), "the policy was not read: \(text)")
        XCTAssertEqual(try InputFile.text(path(of: empty, with: Data())), "", "an empty pipe was not read to its end")
    }

    func testAFolderIsNoFile() {
        let folder = FileManager.default.temporaryDirectory.path
        XCTAssertThrowsError(try InputFile.text(folder), "a folder was read") {
            XCTAssertEqual("\($0)", "cannot read \(folder)", "the message names another reason")
        }
        XCTAssertThrowsError(try NamedPolicy(presetOrFile: folder), "a folder is a policy") {
            XCTAssertEqual(
                "\($0)",
                "\(folder) is neither a policy nor a file that can be read",
                "the message names another reason"
            )
        }
    }

    func testColorsAndWidthFollowTheEnvironment() {
        func terminal(_ environment: [String: String], _ isTerminal: Bool = true, _ width: Int? = 70) -> Terminal {
            Terminal(environment: environment, isTerminal: isTerminal, deviceWidth: width)
        }
        XCTAssertTrue(terminal([:]).isColored)
        XCTAssertTrue(terminal(["NO_COLOR": ""]).isColored, "an empty NO_COLOR counts as unset")
        XCTAssertFalse(terminal(["NO_COLOR": "1"]).isColored)
        XCTAssertFalse(terminal(["TERM": "dumb"]).isColored)
        XCTAssertFalse(terminal([:], false).isColored, "a pipe gets no colors")
        XCTAssertEqual(terminal([:]).width, 70)
        XCTAssertEqual(terminal(["COLUMNS": "64"]).width, 64)
        XCTAssertEqual(terminal(["COLUMNS": "many"]).width, 70)
        XCTAssertEqual(terminal([:], false).width, 96, "a pipe has the usual width")
        XCTAssertEqual(terminal(["COLUMNS": "9"]).width, 40)
        XCTAssertEqual(terminal([:], true, 500).width, 120)
    }

    func testNearMissesAreTheClosestNamesFirst() {
        let known = ["joining", "joinProfile", "disclosure"]
        XCTAssertEqual(NearMiss.words("joinin", among: known), ["joining"])
        XCTAssertEqual(NearMiss.words("JOIN", among: known), ["joining", "joinProfile"], "a part of a name is enough")
        XCTAssertEqual(NearMiss.words("xyz", among: known), [])
        XCTAssertNil(NearMiss.hint("xyz", among: known))
    }
}
