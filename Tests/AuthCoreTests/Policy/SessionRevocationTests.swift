@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The policy says of each change by itself whether it ends the account's other sessions.
final class SessionRevocationTests: LimitedTestCase {
    private typealias Trigger = AuthPolicy.SessionRevocationTrigger

    private struct Change {
        let trigger: Trigger
        let name: String
        /// Makes the account that changes, and what changes it.
        let stage: (World) async throws -> (user: User, act: () async throws -> Void)
    }

    private let changes: [Change] = [
        Change(trigger: .firstMethod, name: "a guest links an identity") { world in
            let guest = try await world.device().signInAnonymously().user
            return (guest, { try await guest.link(with: world.gitHub()) })
        },
        Change(trigger: .firstMethod, name: "a custom token names a guest") { world in
            let guest = try await world.device().signInAnonymously().user
            let token = try await world.service.makeCustomToken(for: guest.account.id)
            return (guest, { try await world.device("server").signIn(with: .customToken(token)) })
        },
        Change(trigger: .firstVerification, name: "a mailed code is opened") { world in
            let ann = try await world.signUpAnn()
            return (ann, { try await world.verifyAddress(of: ann) })
        },
        Change(trigger: .firstVerification, name: "a mailed link re-authenticates") { world in
            let phone = world.device()
            let shown = AuthCredential.simulated(
                .gitHub,
                .ann,
                saying: SimulatedToken(address: .verified),
                at: world.clock.now
            )
            let ann = try await phone.signIn(with: shown).user
            let link = try await world.mailedLink(to: "ann@example.com", from: phone)
            return (ann, { try await ann.reauthenticate(with: link) })
        },
        Change(trigger: .firstVerification, name: "an identity that verifies the address is linked") { world in
            let ann = try await world.signUpAnn()
            return (ann, { try await ann.link(with: world.google(.ann, world.work)) })
        },
        Change(trigger: .firstVerification, name: "a known identity whose domain was pinned since signs in") { world in
            let person = SimulatedPerson.ann.with(email: "ann@later.example")
            let hosted = SimulatedToken(hostedDomain: "later.example")
            let auth = world.device()
            let ann = try await auth.signUp(email: "ann@later.example", password: World.password).user
            try await ann.link(with: world.google(person, hosted))
            var later = world
            later.policy.addressTrust = .authorities(
                .wellKnown.pinning(["later.example"], of: "https://accounts.google.com")
            )
            let tablet = later.device("tablet")
            return (ann, { try await tablet.signIn(with: world.google(person, hosted)) })
        },
        Change(trigger: .passwordChange, name: "the password changes") { world in
            let ann = try await world.signUpVerifiedAnn()
            return (ann, { try await ann.updatePassword(to: "another long one") })
        },
        Change(trigger: .emailChange, name: "the address changes at once") { world in
            let ann = try await world.signUpAnn()
            return (ann, { try await ann.updateEmail(to: "new@example.com") })
        },
        Change(trigger: .passwordLink, name: "a password is linked") { world in
            let ann = try await world.device().signIn(with: world.google()).user
            return (ann, { try await ann.link(with: World.annsPassword) })
        },
        Change(trigger: .firstFactor, name: "the first factor is enrolled") { world in
            let ann = try await world.signUpVerifiedAnn()
            return (ann, { try await world.enrollTOTP(ann) })
        },
        Change(trigger: .unlink, name: "a method is removed") { world in
            let ann = try await world.signUp("ann@example.com", linking: world.gitHub())
            return (ann, { try await ann.unlink(.gitHub) })
        },
        Change(trigger: .unlink, name: "a method is replaced") { world in
            let ann = try await world.signUp("ann@example.com", linking: world.gitHub())
            return (ann, { try await ann.replace(.gitHub, with: world.gitHub(.ben)) })
        },
        Change(trigger: .unlink, name: "an identity gives way to the next one of its address") { world in
            var world = world
            world.policy.recycledSubject = .replaces
            let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
            let successor = world.google(.eve.with(email: "ann@example.com"), world.work)
            let tablet = world.device("tablet")
            return (ann, { try await tablet.signIn(with: successor) })
        },
        Change(trigger: .unlink, name: "an identity moves to another account") { world in
            let ann = try await world.signUp("ann@example.com", linking: world.gitHub())
            try await world.signUp("ben@example.com")
            let client = world.service.client(world.context)
            return (
                ann,
                {
                    try await client.move(
                        .gitHub,
                        from: world.passwordSide("ann@example.com"),
                        to: world.passwordSide("ben@example.com")
                    )
                }
            )
        },
        Change(trigger: .accountEnabled, name: "a disabled account is enabled") { world in
            let ann = try await world.signUpVerifiedAnn()
            try await world.service.setDisabled(true, account: ann.account.id)
            return (ann, { try await world.service.setDisabled(false, account: ann.account.id) })
        },
    ]

    func testEachChangeEndsOtherSessionsWhereThePolicyNamesItAndOnlyThere() async throws {
        XCTAssertEqual(Set(changes.map(\.trigger)), Set(Trigger.allCases), "the changes that have a test here")
        for change in changes {
            for isNamed in [true, false] {
                var policy = AuthPolicy.standard
                let named: Set<Trigger> = [change.trigger]
                policy.revokesSessionsOn = isNamed ? named : Set(Trigger.allCases).subtracting(named)
                let world = World(policy)
                let (user, act) = try await change.stage(world)
                let before = try await world.account(user).sessionGeneration
                try await act()
                let after = try await world.account(user).sessionGeneration
                XCTAssertEqual(after > before, isNamed, "\(change.name), where the policy names it: \(isNamed)")
            }
        }
    }

    /// What covered the links counts no more, so the mailbox may be another person's by now.
    func testAMailedLinkToAnAddressThatIsVerifiedNoMoreEndsOtherSessionsUnderEveryPolicy() async throws {
        for triggers in [Set(Trigger.allCases), []] {
            var policy = AuthPolicy.standard
            policy.revokesSessionsOn = triggers
            let world = World(policy)
            let phone = world.device()
            let ann = try await phone.signIn(with: world.mailedLink(to: "ann@gmail.com", from: phone)).user
            try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
            // The provider says that the mailbox is another one now.
            let moved = try await phone.signIn(with: world.google(.ann.with(email: "ann.new@gmail.com"))).user
            let account = try await world.account(moved)
            XCTAssertFalse(world.service.isEmailVerified(account), "the former address of the Google account")
            try await ann.unlink(.google)
            let desk = world.device("desk")
            let again = try await desk.signIn(with: world.mailedLink(to: "ann@gmail.com", from: desk)).user
            XCTAssertEqual(again.uid, ann.uid, "the account of the mailbox")
            await assertThrows(.userTokenExpired, "\(triggers.count) triggers") { try await ann.reload() }
            try await again.reload()
        }
    }
}
