@testable import AuthCore
import XCTest

/// The fixtures pin only what is in them, so nothing may be missing there.
final class RecordCoverageTests: LimitedTestCase {
    func testEveryFieldIsSetAndEveryCaseOccursInTheSamples() throws {
        var census = Census()
        for value in try RecordSamples.accounts() { census.visit(value) }
        for value in try RecordSamples.sessions() { census.visit(value) }
        for value in try RecordSamples.records() { census.visit(value) }
        for value in try RecordSamples.events() { census.visit(value) }
        for value in try RecordSamples.messages() { census.visit(value) }
        for value in try RecordSamples.changeSets() { census.visit(value) }
        XCTAssertEqual(census.neverSet.sorted(), [])
        XCTAssertGreaterThan(census.set.count, 100)
        // A case more in one of these types needs a sample, and so a look at the format.
        let counts = census.cases.mapValues(\.count)
        XCTAssertEqual(
            counts,
            [
                "AccountWrite": 3, "EmailAssurance": 3, "OneTimeRecordChange": 5, "ClaimValue": 7, "Collision": 7,
                "Intent": 3, "Actor": 5,
                "Content": 21, "SignInMethod.Kind": 4, "SecondFactor.Kind": 2, "Purpose": 26, "MethodKind": 6,
                "Phase": 5, "KeyRule": 2,
                "ProfileField": 2, "Recipient": 2,
                "SessionChange": 5, "Source": 5, "StoredProof": 6, "Strength": 3, "Subject": 2, "UniqueKey": 3,
                "Use": 3,
            ]
        )
    }
}

/// Which fields were seen with something in them, and which cases of enums.
struct Census {
    var set: Set<String> = []
    var cases: [String: Set<String>] = [:]
    private var seen: Set<String> = []

    var neverSet: Set<String> { seen.subtracting(set) }

    mutating func visit(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        let type = name(of: value)
        switch mirror.displayStyle {
        case .enum:
            let label = mirror.children.first?.label ?? "\(value)"
            cases[type, default: []].insert(label)
            for child in mirror.children { visit(child.value) }
        case .struct, .class:
            for child in mirror.children {
                let field = "\(type).\(child.label ?? "")"
                seen.insert(field)
                if !isEmpty(child.value) { set.insert(field) }
                visit(child.value)
            }
        default:
            for child in mirror.children { visit(child.value) }
        }
    }

    private func isEmpty(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .dictionary: return mirror.children.isEmpty
        default: return false
        }
    }

    private func name(of value: Any) -> String {
        let parts = String(reflecting: type(of: value)).split(separator: ".").map(String.init)
        return parts.last == "Kind" ? parts.suffix(2).joined(separator: ".") : parts.last ?? ""
    }
}
