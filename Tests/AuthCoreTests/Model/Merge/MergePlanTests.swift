@testable import AuthCore
import XCTest

/// A plan that is built by its values is the one that is made of an account.
final class MergePlanTests: LimitedTestCase {
    func testAPlanNamesEachProviderAsItsPeopleKnowIt() {
        let names: [ProviderID: String] = [
            .google: "Google", .facebook: "Facebook", .gitHub: "GitHub", .apple: "Apple", .twitter: "X",
            .microsoft: "Microsoft", .password: "password", .phone: "phone number", "oidc.boats": "oidc.boats",
        ]
        for (provider, name) in names {
            XCTAssertEqual(MergeTexts.name(ofProvider: provider.rawValue), name, "the name of \(provider)")
        }
    }

    func testAPlanNamesAnIdentityByWhatAPersonRecognizes() throws {
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        let key = Identity.Key(issuer: "github.com", subject: "7")
        for (name, identity) in [
            ("GitHub (7)", Identity(key: key, provider: .gitHub)),
            ("GitHub (Ann)", Identity(key: key, provider: .gitHub, displayName: "Ann")),
            ("GitHub (ann@example.com)", Identity(key: key, provider: .gitHub, email: email, displayName: "Ann")),
            (
                "GitHub (ann7)",
                Identity(key: key, provider: .gitHub, email: email, displayName: "Ann", username: "ann7")
            ),
        ] {
            var account = Account(id: "ann", createdAt: Timestamp(seconds: 0))
            let method = account.add(.federated(identity), at: Timestamp(seconds: 0))
            XCTAssertEqual(Merge.Plan.Method(method, of: account).name, name)
        }
    }

    func testAPlanNamesLostRecoveryCodesIfThereAreAny() throws {
        var plan = Merge.Plan(source: "ann", target: "ben", identity: nil, choices: [])
        XCTAssertFalse(plan.description.contains("Recovery codes"), plan.description)
        plan.lostRecoveryCodes = 1
        XCTAssertTrue(plan.description.contains("Recovery codes that stop working: 1."), plan.description)
    }

    func testAPlanNamesTheAddressThatMovesIfThereIsOne() {
        var plan = Merge.Plan(source: "ann", target: "ben", identity: nil, choices: [])
        XCTAssertFalse(plan.description.contains("moves along"), plan.description)
        plan.movedAddress = "ann@example.com"
        XCTAssertTrue(plan.description.contains("The address ann@example.com moves along."), plan.description)
    }

    /// A person agrees to the plan by its text, so each reason and each part of the profile is told apart.
    func testAPlanSaysWhatTheProfileGetsAndWhyEachThingStays() {
        var plan = Merge.Plan(source: "ann", target: "ben", identity: nil, choices: [])
        plan.profile = [.displayName, .photoURL]
        XCTAssertTrue(plan.description.contains("profile gets: the name, the picture."), plan.description)
        let method = Merge.Plan.Method(
            kind: .phone,
            provider: .phone,
            identity: nil,
            name: "phone number",
            generation: 1,
            isSuspended: false
        )
        let reasons: [Merge.Plan.Collision: String] = [
            .targetHasProvider: "the target account keeps its own of this kind",
            .targetHasNumber: "the target account keeps its own number",
            .targetHasAddress: "the target account keeps its own address",
            .numberIsFactor: "the number is a second factor of the target account",
            .numberSignsIn: "the number signs in to the target account",
            .targetHasFactor: "the target account has the same one",
            .factorLimit: "the target account may not have more of them",
        ]
        for (collision, reason) in reasons {
            plan.stays = [Merge.Plan.Staying(thing: method, why: collision)]
            let line = "Does not move: phone number, because \(reason)."
            XCTAssertTrue(plan.description.contains(line), "\(line) is not in: \(plan.description)")
        }
    }

    func testMethodsAndFactorsOfAPlanAreTheirValues() throws {
        let account = try RecordSamples.fullAccount()
        let method = try XCTUnwrap(account.methods.first { $0.identity != nil })
        let made = Merge.Plan.Method(method, of: account)
        let built = Merge.Plan.Method(
            kind: .federated,
            provider: method.kind.provider,
            identity: method.identity?.key,
            name: made.name,
            generation: method.generation,
            isSuspended: method.suspension != nil
        )
        XCTAssertEqual(made, built)
        let suspended = Merge.Plan.Method(
            kind: .emailLink,
            provider: .password,
            identity: nil,
            name: "mailed links",
            generation: 3,
            isSuspended: true
        )
        XCTAssertTrue(suspended.isSuspended, "a method that is suspended")
        let factor = try XCTUnwrap(account.factors.first)
        let name = "codes sent to +*******0002 (“mobile”)"
        XCTAssertEqual(Merge.Plan.Factor(factor), Merge.Plan.Factor(id: factor.id, name: name))
    }
}
