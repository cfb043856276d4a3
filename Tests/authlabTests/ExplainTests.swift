@testable import AuthCore
import XCTest

@testable import authlab

final class ExplainTests: XCTestCase {
    private func explained(_ names: String...) throws -> [String] {
        var lines: [String] = []
        try ExplainCommand(arguments: names).run { lines.append($0) }
        return lines
    }

    func testACodeIsFoundByEachOfItsNames() throws {
        let expected = try explained("lastMethod")
        XCTAssertEqual(expected.count, 1)
        XCTAssertTrue(expected[0].hasPrefix("error lastMethod ("))
        for name in [String(AuthErrorCode.lastMethod.rawValue), AuthErrorCode.lastMethod.firebaseName] {
            XCTAssertEqual(try explained(name), expected)
        }
    }

    func testAReasonIsExplainedInItsSentence() throws {
        XCTAssertEqual(
            try explained("methodsAreNotCovered"),
            ["reason methodsAreNotCovered\n  The account has methods that no verification of the address covers."]
        )
    }

    func testWithoutANameEverythingIsExplained() throws {
        XCTAssertEqual(try explained().count, AuthErrorCode.all.count + Reason.all.count)
    }

    func testWhatIsNeitherCodeNorReasonIsRefused() {
        for name in ["nonsense", "--loud", ""] { XCTAssertThrowsError(try explained(name), name) }
    }

    func testTheMatrixHasEveryChoiceOfThePolicyOnce() {
        let rows = Matrix().rows
        let names = rows.map(\.choice)
        XCTAssertEqual(Set(names).count, names.count)
        for child in Mirror(reflecting: AuthPolicy.standard).children where child.label != "verifiedProviders" {
            let label = child.label ?? ""
            XCTAssertTrue(names.contains { $0 == label || $0.hasPrefix(label + ".") }, label)
        }
        XCTAssertTrue(
            rows.contains(Matrix.Row(choice: "disclosure", firebase: "detailed", standard: "uniform"))
        )
        XCTAssertTrue(
            rows.contains(Matrix.Row(choice: "lifetimes.signInLink", firebase: "3600", standard: "600"))
        )
        XCTAssertEqual(Matrix().lines.count { $0.hasPrefix("* ") }, rows.count { $0.firebase != $0.standard })
    }
}
