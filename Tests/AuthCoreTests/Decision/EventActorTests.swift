@testable import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// Who the event log says caused a change.
final class EventActorTests: LimitedTestCase {
    private struct Act {
        let name: String
        let kind: IdentityEvent.Kind
        /// Does it, and returns the account that it happened to and who caused it.
        let run: (World) async throws -> (account: User, actor: IdentityEvent.Actor)

        init(
            _ name: String,
            _ kind: IdentityEvent.Kind,
            _ run: @escaping (World) async throws -> (account: User, actor: IdentityEvent.Actor)
        ) {
            (self.name, self.kind, self.run) = (name, kind, run)
        }
    }

    private static let annsMailbox = IdentityEvent.Actor.mailbox(.ascii("ann@example.com"))

    private let acts: [Act] = [
        Act("a sign-out", .signedOut) { world in
            let ann = try await world.signUpVerifiedAnn()
            let session = ann.session.id
            try await ann.signOut()
            return (ann, .session(session))
        },
        Act("the end of the other sessions", .sessionsRevoked) { world in
            let ann = try await world.signUpVerifiedAnn()
            try await ann.revokeOtherSessions()
            return (ann, .session(ann.session.id))
        },
        Act("an objection to a recovery from lost factors", .factorRecoveryEnded) { world in
            let ann = try await world.signUpVerifiedAnn()
            try await world.enrollTOTP(ann)
            let link = try await world.mailedLink(to: "ann@example.com", from: world.device("thief"))
            try await world.device("thief").recoverFromLostFactors(with: link.mailed)
            try await ann.multiFactor.cancelRecovery()
            return (ann, .session(ann.session.id))
        },
        Act("a new subject of a provider", .methodsChanged) { world in
            let ann = try await world.signIn(.gitHub)
            let old = Identity.Key(issuer: "github.com", subject: SimulatedPerson.ann.subject(at: .gitHub))
            try await world.service.remap(from: old, to: Identity.Key(issuer: "github.com", subject: "4711"))
            return (ann, .administrator)
        },
        Act("a mailed code that is opened", .emailVerified) { world in
            let ann = try await world.signUpAnn()
            try await world.verifyAddress(of: ann)
            return (ann, annsMailbox)
        },
        Act("a mailed code that takes the address from another account", .emailChanged) { world in
            let ann = try await world.device().signIn(with: world.facebook()).user
            let squatter = try await world.squat()
            try await ann.sendEmailVerification()
            try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
            return (squatter, annsMailbox)
        },
        Act("a mailed code that takes back the address of an account to be deleted", .deletionCanceled) { world in
            let ann = try await world.signUpVerifiedAnn()
            try await ann.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
            try await world.device("eve").applyActionCode(world.code(.changeEmail, to: "eve@example.net"))
            try await ann.reload()
            try await ann.delete()
            try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
            return (ann, annsMailbox)
        },
        Act("a new password of an account to be deleted", .deletionCanceled) { world in
            let ann = try await world.signUpVerifiedAnn()
            try await ann.delete()
            try await world.reset()
            return (ann, annsMailbox)
        },
        Act("a new password of an account that was not verified", .emailVerified) { world in
            let ann = try await world.signUpAnn()
            try await world.reset()
            return (ann, annsMailbox)
        },
        Act("a linked mailbox that another account had", .emailChanged) { world in
            let squatter = try await world.squat()
            let phone = world.device()
            let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
            try await ann.link(with: world.mailedLink(to: "ann@example.com", from: phone))
            return (squatter, annsMailbox)
        },
        Act("a first sign-in by a mailed link", .accountCreated) { world in
            (try await world.signInByMail("ann@example.com", "phone"), annsMailbox)
        },
        Act("a sign-in by a mailed link to an unverified account", .emailVerified) { world in
            let ann = try await world.signUpAnn()
            _ = try await world.signInByMail("ann@example.com", "mail")
            return (ann, annsMailbox)
        },
        Act("a fresh start", .accountCreated) { world in
            (try await EventActorTests.freshStart(in: world).person, annsMailbox)
        },
        Act("a fresh start that takes the address from the old account", .emailChanged) { world in
            (try await EventActorTests.freshStart(in: world).owner, annsMailbox)
        },
        Act("a linked identity that takes the address from another account", .emailChanged) { world in
            let squatter = try await world.squat()
            let phone = world.device()
            let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
            try await ann.link(with: world.google(.ann, world.work))
            return (squatter, .session(ann.session.id))
        },
        Act("a reauthentication by mail that takes the address from another account", .emailChanged) { world in
            let phone = world.device()
            let ann = try await phone.signIn(with: world.facebook()).user
            let squatter = try await world.squat()
            try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: phone))
            return (squatter, .session(ann.session.id))
        },
    ]

    /// Ann leaves an account that another person made under her address, and verifies the address by mail.
    private static func freshStart(in world: World) async throws -> (person: User, owner: User) {
        let owner = try await world.squat()
        try await owner.link(with: world.facebook(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.gitHub()) }
        let mailed = try await world.mailedLink(to: "ann@example.com", from: auth).mailed
        return (try await auth.createSeparateAccount(from: conflict, verifying: mailed).user, owner)
    }

    func testEachChangeIsToldAsTheActOfItsPerson() async throws {
        for act in acts {
            let world = World(.standard)
            let (user, actor) = try await act.run(world)
            let events = try await world.service.events(limit: .max).events
            let event = events.last { $0.kind == act.kind && $0.account == user.accountID }
            XCTAssertEqual(event?.actor, actor, "who caused \(act.name)")
        }
    }
}
