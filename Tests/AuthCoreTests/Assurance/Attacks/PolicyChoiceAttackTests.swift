@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What one other choice of the policy must not open.
final class PolicyChoiceAttackTests: LimitedTestCase {
    private let day = 86_400.0

    func testUnlinkingTheLastMethodMakesNoLoginRecent() async throws {
        let world = World(.firebase)
        let ann = try await world.device("phone").signIn(with: world.google()).user
        world.clock.advance(by: .seconds(day))
        await assertThrows(.requiresRecentLogin) { try await ann.updateEmail(to: "eve@example.net") }
        await assertThrows(.requiresRecentLogin) { try await ann.updatePassword(to: world.evesPassword) }
        try await ann.unlink(.google)
        await assertThrows(.requiresRecentLogin, "the address") { try await ann.updateEmail(to: "eve@example.net") }
        await assertThrows(.requiresRecentLogin, "the password") {
            try await ann.updatePassword(to: world.evesPassword)
        }
        await assertThrows(.requiresRecentLogin, "the deletion") { try await ann.delete() }
    }

    func testUnlinkingTheLastMethodMakesNoLoginRecentForALink() async throws {
        let world = World(
            .weakened {
                $0.lastMethod = .removable
                $0.removedMethod = .keepsItsSessions
                $0.recency.operations.remove(.unlink)
            }
        )
        let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        world.clock.advance(by: .seconds(day))
        await assertThrows(.requiresRecentLogin) { try await ann.link(with: world.eveAtGoogle) }
        try await ann.unlink(.google)
        await assertThrows(.requiresRecentLogin, "a link") { try await ann.link(with: world.eveAtGoogle) }
    }

    func testANumberThatMayNotSignInTakesNoFactorOff() async throws {
        var world = World(.standard)
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.evesNumber, from: phone))
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.policy.phoneWithFactors = .refused
        let thief = world.device("thief")
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(
            with: link.mailed,
            and: world.digits(to: world.evesNumber, from: thief)
        )
        let end = world.clock.now.addingTimeInterval(3 * day)
        XCTAssertEqual(answer, .waiting(until: end), "a number that may not sign in takes factors off")
    }

    func testAnIdentityThatAResetRemovesLeavesItsIssuerBlocked() async throws {
        let world = World(.weakened { $0.passwordReset = .removesFederated })
        let ann = try await world.signUp("ann@gmail.com", in: world.device("phone"))
        try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        try await world.reset("ann@gmail.com")
        let after = try await world.account(ann)
        XCTAssertNil(after.method(of: .google))
        try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked) {
            try await world.device("eve").signIn(with: world.google(.ann.with(email: "ann@gmail.com")))
        }
    }

    func testAMailedLinkAdoptsNoAccountThatAnotherPersonVerified() async throws {
        let world = World(.weakened { $0.joining = .whenVerified })
        let phone = world.device("phone")
        // Ben signs in by his number, and mistypes his address.
        let ben = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await ben.link(with: .password(email: "ann@gmail.com", password: World.password))
        // By Google it is a conflict, as the policy says.
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device("ann").signIn(with: world.google(.ann.with(email: "ann@gmail.com")))
        }
        let own = world.device("own")
        let link = try await world.mailedLink(to: "ann@gmail.com", from: own)
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
            try await own.signIn(with: link)
        }
        let after = try await world.account(ben)
        XCTAssertNotNil(after.phoneMethod, "Ben lost his number")
    }

    func testOneNumberIsNotBothFactorsOfASignIn() async throws {
        let world = World(.weakened { $0.factorChangeNeedsFactor = false })
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: world.number, from: phone))
        // A thief of the number alone would pass both.
        try await world.refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) { try await world.enrollPhone(ann) }
    }

    func testAFactorKeepsTheVerifiedAddressWhereUnverifiedOnesMayReplaceIt() async throws {
        let world = World(.weakened { $0.unverifiedEmailChange = .allowed })
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.enrollTOTP(ann)
        await assertThrows(.unverifiedEmail) { try await ann.updateEmail(to: "typo@example.net") }
    }

    func testAReplacedPasswordNeedsTheLoginOfAChangedOne() async throws {
        let world = World(.firebase)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(day))
        await assertThrows(.requiresRecentLogin) { try await ann.updatePassword(to: world.evesPassword) }
        await assertThrows(.requiresRecentLogin, "replacing") {
            try await ann.replace(.password, with: .password(email: "ann@example.com", password: world.evesPassword))
        }
    }

    func testAYoungMethodMovesNoOldAddressWhereFlagsAreBelieved() async throws {
        for trust in [AuthPolicy.pinned.addressTrust, .verifiedFlag] {
            let world = World(.weakened { $0.addressTrust = trust })
            let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
            XCTAssertTrue(ann.isEmailVerified)
            world.clock.advance(by: .seconds(20 * day))
            // A thief of the session adds an identity, which a login of the next day rests on.
            let stolen = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
            try await stolen.link(with: world.gitHub(.eve))
            world.clock.advance(by: .seconds(day))
            let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
            XCTAssertEqual(eve.uid, ann.uid)
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "\(trust == .verifiedFlag)") {
                try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
            }
        }
    }

    func testALinkToAnotherMailboxNeedsAnOlderLoginWhereFlagsAreBelieved() async throws {
        let world = World(.weakened { $0.addressTrust = .verifiedFlag })
        let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        world.clock.advance(by: .seconds(20 * day))
        let stolen = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(day))
        let device = world.device("eve")
        let eve = try await device.signIn(with: world.gitHub(.eve)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.link(with: world.mailedLink(to: "eve@example.net", from: device))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }
}
