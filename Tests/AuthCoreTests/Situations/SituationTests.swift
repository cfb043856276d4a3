@testable import AuthCore
import XCTest

final class SituationTests: XCTestCase {
    func testSituationsHaveNamesOfTheirOwn() throws {
        let names = try Situations().all.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
    }

    /// What is there before anything is decided is what a store can hold.
    func testWhatIsThereIsSound() throws {
        for situation in try Situations().all {
            let scene = situation.scene
            let view = StoreView(scene, after: scene, [])
            for preset in PolicyKnob.Preset.allCases {
                let invariants = Invariants(store: InMemoryIdentityStore(), policy: preset.policy)
                XCTAssertEqual(invariants.accounts(view) + invariants.history(view), [], situation.name)
            }
            for owner in scene.sessions.map(\.account) + scene.capabilities.compactMap(\.account) {
                XCTAssertNotNil(scene.account(owner), situation.name)
            }
        }
    }

    func testWhatIsLookedForDoesNotDependOnThePolicy() throws {
        for situation in try Situations().all {
            for preset in PolicyKnob.Preset.allCases {
                for knob in PolicyKnob.all {
                    for setting in knob.settings.indices {
                        var policy = preset.policy
                        knob.turn(&policy, setting, situation.provider)
                        XCTAssertEqual(situation.query(policy), situation.query(.standard), situation.name)
                    }
                }
            }
        }
    }
}
