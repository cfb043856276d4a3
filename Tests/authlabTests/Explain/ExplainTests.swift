@testable import AuthCore
import Foundation
import XCTest

@testable import authlab

final class ExplainTests: LimitedTestCase {
    private let terminal = Terminal(environment: [:], isTerminal: false, deviceWidth: nil)

    private func explained(_ names: String...) async throws -> [String] {
        var lines: [String] = []
        try await ExplainCommand(arguments: names).run(terminal) { lines.append($0) }
        return lines
    }

    func testACodeIsFoundByEachOfItsNames() async throws {
        let expected = try await explained("lastMethod")
        XCTAssertEqual(expected.count, 2, "an error and a choice of a policy have this name")
        XCTAssertTrue(expected[0].hasPrefix("error lastMethod ("))
        for name in [String(AuthErrorCode.lastMethod.rawValue), AuthErrorCode.lastMethod.firebaseName] {
            let found = try await explained(name)
            XCTAssertEqual(found, [expected[0]])
        }
    }

    func testAReasonIsExplainedInItsSentence() async throws {
        let found = try await explained("methodsAreNotCovered")
        XCTAssertEqual(
            found,
            [
                "reason methodsAreNotCovered\n  No verification of the address covers all methods of the account, "
                    + "or only the app's server\n  signs in to it."
            ]
        )
    }

    func testWithoutANameEverythingIsExplained() async throws {
        let all = try await explained()
        XCTAssertEqual(all.count, AuthErrorCode.all.count + Reason.all.count + PolicyChoice.all.count)
        var listed = 0
        for list in ["errors", "reasons", "choices"] { listed += try await explained(list).count }
        XCTAssertEqual(listed, all.count)
    }

    func testAChoiceIsExplainedWithItsValuesUnderBothPresets() async throws {
        let found = try await explained("signInLink")
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found[0].contains("standard: 10 minutes"), found[0])
        XCTAssertTrue(found[0].contains("firebase: 1 hour"), found[0])
        let limit = try await explained("limits.passwords")
        XCTAssertTrue(limit[0].contains("firebase: no limit"), limit[0])
        let disclosure = try await explained("disclosure")
        XCTAssertTrue(disclosure[0].contains("firebase: detailed"), disclosure[0])
    }

    func testEveryChoiceOfThePolicyIsExplainedAndNothingElse() {
        let values = PolicyValues(.standard).rows.map(\.name)
        XCTAssertEqual(Set(values).count, values.count)
        XCTAssertEqual(
            Set(PolicyChoice.all.map(\.name)).symmetricDifference(values),
            [],
            "Sources/authlab/Explain/PolicyChoice+….swift says what each choice is for, and what breaks if it is changed"
        )
        for child in Mirror(reflecting: AuthPolicy.standard).children where child.label != "verifiedProviders" {
            let label = child.label ?? ""
            XCTAssertTrue(values.contains { $0 == label || $0.hasPrefix(label + ".") }, label)
        }
        for choice in PolicyChoice.all {
            XCTAssertTrue(choice.purpose.hasSuffix("."), choice.name)
            XCTAssertTrue(choice.risk.hasSuffix("."), choice.name)
        }
    }

    // MARK: States

    private func explained(state: String, under policy: NamedPolicy = .standard) async throws -> String {
        try await StateFile(text: state, file: "state").explained(under: policy).joined(separator: "\n")
    }

    func testAStateSaysWhatHappensWhyAndWhatWouldChangeIt() async throws {
        let text = try await explained(state: #"{"arrives": "authoritative", "account": {"covered": false}}"#)
        XCTAssertTrue(text.contains("Under .standard: conflict"), text)
        XCTAssertTrue(text.contains("Why: " + Reason.methodsAreNotCovered.explanation), text)
        XCTAssertTrue(text.contains("To change that: " + Remedy.verifyMailbox.explanation), text)
        XCTAssertTrue(text.contains("- if the address were verified, in the account's session: join"), text)
        XCTAssertTrue(text.contains("- under .firebase: join"), text)
        XCTAssertFalse(text.contains("“says “verified””"), "what has the same outcome is no difference")
    }

    func testAStateWithoutAnAccountMeetsNone() async throws {
        for text in [#"{"arrives": "claimed"}"#, #"{"arrives": "claimed", "account": null}"#] {
            let words = try await explained(state: text)
            XCTAssertTrue(words.contains("Under .standard: new"), words)
        }
    }

    func testAStateThatCannotBeReadIsOneLineAndAHint() {
        let texts: [(state: String, text: String, hint: String?)] = [
            ("", "state is no JSON", nil),
            ("[]", "state is no object", nil),
            ("{}", "state: arrives is missing", "knownIdentity"),
            (#"{"arrives": "authorative"}"#, "arrives is one of", "authoritative?"),
            (#"{"arrives": 3}"#, "arrives is one of", nil),
            (#"{"arrives": "claimed", "acount": {}}"#, "state has no member acount", "account?"),
            (#"{"arrives": "claimed", "account": 1}"#, "state, account is no object", nil),
            (#"{"arrives": "claimed", "account": {"coverd": true}}"#, "has no member coverd", "covered?"),
            (#"{"arrives": "claimed", "account": {"covered": 1}}"#, "covered is true or false", nil),
            (#"{"arrives": "claimed", "account": {"verifiedDaysAgo": -1}}"#, "is a number from 0", nil),
            (#"{"arrives": "claimed", "account": {"address": "unverified", "secondFactor": true}}"#, "cannot", nil),
        ]
        for (state, text, hint) in texts {
            XCTAssertThrowsError(try StateFile(text: state, file: "state"), state) { error in
                XCTAssertTrue("\(error)".contains(text), "\(state): \(error)")
                if let hint {
                    XCTAssertTrue((error as? UsageError)?.hint?.contains(hint) == true, "\(state): \(error)")
                }
            }
        }
    }

    func testAStateThatCannotHappenSaysWhyItCannot() {
        let states: [(state: String, reason: String)] = [
            (#"{"arrives": "password"}"#, "a password belongs to an account"),
            (#"{"arrives": "knownIdentity"}"#, "a known identity belongs to an account"),
            (
                #"{"arrives": "password", "account": {"address": "displayed"}}"#,
                "an account that displays an address has no password"
            ),
            (
                #"{"arrives": "mailedLink", "account": {"sameProvider": "anotherIdentity"}}"#,
                "sameProvider is about a new identity"
            ),
            (
                #"{"arrives": "claimed", "account": {"address": "unverified", "secondFactor": true}}"#,
                "a second factor needs a verified address"
            ),
        ]
        for (state, reason) in states {
            XCTAssertThrowsError(try StateFile(text: state, file: "state"), "\(state) was taken") { error in
                XCTAssertEqual("\(error)", "state: this cannot happen", state)
                let hint = (error as? UsageError)?.hint ?? ""
                XCTAssertTrue(hint.contains(reason), "\(state): the reason is another one than “\(hint)”")
            }
        }
    }

    // MARK: Policies in files

    func testAPolicyIsAPresetOrAFile() throws {
        XCTAssertEqual(try NamedPolicy(presetOrFile: "firebaseProtected").policy.disclosure, .protected)
        let file = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        var policy = AuthPolicy.standard
        policy.joining = .whenVerified
        try JSONEncoder().encode(policy).write(to: file)
        let read = try NamedPolicy(presetOrFile: file.path)
        XCTAssertEqual(read.name, file.lastPathComponent)
        XCTAssertEqual(read.policy.joining, .whenVerified)
        let mistakes = [
            ("{}", ""), ("no JSON", ""), (#"{"joining": 3}"#, ""), ("[]", "it is no object"), ("3", "it is no object"),
        ]
        for (text, reason) in mistakes {
            try Data(text.utf8).write(to: file)
            XCTAssertThrowsError(try NamedPolicy(presetOrFile: file.path), text) { error in
                XCTAssertTrue("\(error)".contains("is no policy: \(reason)"), "\(error)")
            }
        }
    }

    func testAFileThatIsNamedLikeAPresetIsNotTakenForIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "policies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "standard").path
        var policy = AuthPolicy.standard
        policy.joining = .whenVerified
        try JSONEncoder().encode(policy).write(to: URL(filePath: file))
        let read = try NamedPolicy(presetOrFile: file)
        let text = try await explained(
            state: #"{"arrives": "authoritative", "account": {"covered": false}}"#,
            under: read
        )
        XCTAssertTrue(text.contains("Under \(file): join"), "the file is not named as it was given: \(text)")
        XCTAssertTrue(text.contains("- under .standard: conflict"), "the preset is not compared with it: \(text)")
        let map = try await DecisionMap(policies: [.standard, read])
        let column = try XCTUnwrap(map.columns.first { $0.title == "verified, not covered" })
        XCTAssertEqual(
            map[.authoritative, column].map(\.word),
            ["conflict", "join"],
            "the map shows one policy's answers as the other's"
        )
        XCTAssertTrue(map.markdown.contains("`.standard` / `\(file)`"), "both policies have one name")
    }
}
