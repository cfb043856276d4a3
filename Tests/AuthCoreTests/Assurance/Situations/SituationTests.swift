@testable import AuthCore
import XCTest

final class SituationTests: LimitedTestCase {
    func testSituationsHaveNamesOfTheirOwn() throws {
        let names = try Situations().all.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
    }

    /// What is there before anything is decided is what a store can hold, under one of the presets at least.
    func testWhatIsThereIsSound() throws {
        for situation in try Situations().all {
            let scene = situation.scene
            let view = StoreView(scene, after: scene, [])
            let found = PolicyKnob.Preset.allCases.map { preset in
                let invariants = Invariants(store: InMemoryIdentityStore(), policy: preset.policy)
                return invariants.accounts(view) + invariants.history(view)
            }
            XCTAssert(found.contains([]), "\(situation.name): \(found)")
            for owner in scene.sessions.map(\.account) + scene.records.compactMap(\.account) {
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
                        XCTAssertEqual(situation.lookups(policy), situation.lookups(.pinned), situation.name)
                    }
                }
            }
        }
    }

    /// Each of what must not be found out is found out where nobody promises otherwise, so that looking is worth it.
    func testWhatIsConcealedShowsWhereThatIsNotPromised() throws {
        let knobs = PolicyKnob.all
        for situation in try Situations().all {
            guard let concealment = situation.concealment else { continue }
            for account in concealment.accounts { XCTAssertNotNil(situation.scene.account(account), situation.name) }
            let families = PolicyKnob.Preset.allCases.map {
                PolicyFamily($0, around: knobs, comingBy: situation.provider)
            }
            let unpromised = families.flatMap(\.variants).map(\.decisionContext).filter {
                !concealment.isPromised($0.policy)
            }
            if unpromised.isEmpty { continue }
            let isFound = unpromised.contains { decisionContext in
                let missing = situation.decidedAnyhowWithout(decisionContext)
                let trial = Trial(
                    situation,
                    decisionContext.policy,
                    situation.decided(decisionContext),
                    missing: missing
                )
                return DecisionInvariant.strangers.violation(trial) != nil
            }
            XCTAssertTrue(isFound, situation.name)
        }
    }

    func testEverythingThatAStrangerMayAskIsTried() throws {
        let tried = Set(try Situations().all.filter { $0.concealment != nil }.map(\.operation))
        XCTAssertEqual(
            tried,
            [
                "SignIn by password", "SignIn by github.com", "SignUp", "FetchSignInMethods", "MailSignInMethods",
                "RequestPasswordReset", "RequestSignInLink", "RequestPhoneCode", "RecoverFromLostFactors",
                // What a device without a person can name an address in.
                "ChangeEmail", "RequestEmailChange", "LinkMethod", "Reauthenticate", "BeginMerge",
            ]
        )
    }
}
