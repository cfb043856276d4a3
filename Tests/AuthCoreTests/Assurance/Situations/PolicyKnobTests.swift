@testable import AuthCore
import XCTest

final class PolicyKnobTests: LimitedTestCase {
    private let knobs = PolicyKnob.all

    func testEveryChoiceOfAPolicyHasAKnob() {
        let choices = Mirror(reflecting: AuthPolicy.pinned).children.compactMap(\.label)
        XCTAssertEqual(knobs.map(\.property).sorted(), choices.sorted())
    }

    func testEveryKnobKnowsItsPresets() throws {
        for knob in knobs {
            XCTAssertGreaterThan(knob.settings.count, 1, knob.property)
            for preset in PolicyKnob.Preset.allCases {
                let setting = try XCTUnwrap(knob.presets[preset], knob.property)
                let own = try XCTUnwrap(setting, "\(preset) is no setting of \(knob.property)")
                XCTAssertEqual(changes(of: preset, by: knob, to: own), [], knob.property)
            }
        }
    }

    func testAKnobTurnsItsChoiceAndNoOther() {
        for knob in knobs {
            for preset in PolicyKnob.Preset.allCases {
                for setting in knob.settings.indices where knob.presets[preset] != setting {
                    XCTAssertEqual(changes(of: preset, by: knob, to: setting), [knob.property])
                }
            }
        }
    }

    /// The choices that differ once a knob is turned.
    private func changes(of preset: PolicyKnob.Preset, by knob: PolicyKnob, to setting: Int) -> [String] {
        var policy = preset.policy
        knob.turn(&policy, setting, .google)
        let (before, after) = (Mirror(reflecting: preset.policy).children, Mirror(reflecting: policy).children)
        return zip(before, after).filter { !isSame($0.value, $1.value) }.compactMap(\.0.label)
    }

    private func isSame(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
        return "\(left)" == "\(right)"
    }

    func testAFamilyHasEverySingleChangeAndEveryPair() {
        let family = PolicyFamily(.standard, around: knobs, comingBy: .google)
        let singles = family.variants.filter { $0.changes.count == 1 }.map { $0.changes[0] }
        XCTAssertEqual(singles, family.changes)
        XCTAssertEqual(Set(singles.map(\.knob)), Set(knobs.indices))
        var pairs = 0
        for (index, first) in singles.enumerated() {
            pairs += singles[(index + 1)...].count { $0.knob != first.knob }
        }
        XCTAssertEqual(Set(family.variants.map(\.changes)).count, 1 + singles.count + pairs)
        XCTAssertEqual(family.variants.count, 1 + singles.count + pairs)
    }
}
