@testable import AuthCore
import AuthCoreTesting
import XCTest

/// One-time records that name what is not there.
final class MissingThingsTests: LimitedTestCase {
    private let gone = AccountID(bits: 7)

    private func refusal<O: AuthCore.Operation>(of operation: O, in scene: Scene) -> Refusal? {
        operation.decision(on: scene.snapshot(for: operation).seen, Scene.decisionContext(by: .pinned)).refusal
    }

    func testACodeAboutAnAccountThatIsGoneIsOutdated() throws {
        let people = try Situations()
        let recovery = Store.EmailRecovery(
            restores: people.address,
            replaced: people.other,
            generation: 1,
            suspendsLaterMethods: true
        )
        XCTAssertEqual(
            refusal(
                of: ApplyEmailAction(code: people.code, handle: nil, recovery: people.mailed()),
                in: Scene().holding(.recoverEmail(recovery), of: gone)
            ),
            Refusal(.invalidActionCode, .codeIsOutdated)
        )
        let change = Store.ReversibleChange(methods: [1], factors: [], notifiedAddress: people.address)
        XCTAssertEqual(
            refusal(
                of: ReportUnauthorizedChange(code: people.code),
                in: Scene().holding(.changeReport(change), of: gone)
            ),
            Refusal(.invalidActionCode, .codeIsOutdated)
        )
    }

    func testAMailboxDoesNotProveTheAddressOfAnIdentityThatHasNone() throws {
        let people = try Situations()
        let assertion = ProviderAssertion(provider: .gitHub, subject: "ann")
        let pending = PendingLink(
            key: people.code,
            proof: .federated(
                people.proof(assertion, under: .pinned, pending: PendingUse(key: people.code))
            ),
            target: gone
        )
        let scene = Scene()
            .holding(.pendingIdentity(Store.PendingIdentity(assertion: assertion, target: gone)))
            .holding(.signInLink(people.address), under: people.further)
        let mailbox = MailboxProof(email: people.address, record: people.further)
        XCTAssertEqual(
            refusal(of: CreateSeparateAccount(pending: pending, mailbox: mailbox), in: scene),
            Refusal(.unverifiedEmail, .addressIsNotVerified)
        )
    }

    /// However an identity that waits comes again, after a factor for instance.
    func testAConflictThatIsMetAgainEndsWhenItEndedBefore() throws {
        let people = try Situations()
        let owner = people.squatter.verified()
        let use = PendingUse(key: people.code, handedOut: OneTimeRecordID(bits: 9))
        let proof = people.proof(people.google(), under: .pinned, pending: use)
        let waiting = OneTimeRecord.Content.pendingIdentity(
            Store.PendingIdentity(assertion: people.google(), target: owner.id)
        )
        let met = refusal(of: SignIn(proof: .federated(proof)), in: Scene(owner).holding(waiting, for: 321))
        guard case .conflict(let conflict)? = met?.detail else { return XCTFail("\(String(describing: met))") }
        XCTAssertEqual(conflict.expiresAt, (Scene.now + .seconds(321)).date)
    }

    /// Whoever proves again that they are the person shows a factor for a challenge that is still there.
    func testAReauthenticationWhoseChallengeIsGoneIsRefused() throws {
        let people = try Situations()
        let secured = people.ann.enrolled()
        let scene = Scene(secured).signedIn()
        let operation = Reauthenticate(
            handle: scene.acting,
            proof: .password(people.passwordProof(secured)),
            factor: people.factorProof(secured, answering: people.code)
        )
        XCTAssertEqual(refusal(of: operation, in: scene), .challengeOver)
        let waiting = people.challenge(secured, .password(secured.id, people.address, generation: 1, rehashed: nil))
        XCTAssertNil(refusal(of: operation, in: scene.holding(waiting, under: people.code, of: secured.id)))
        let elsewhere = scene.holding(waiting, under: people.code, of: secured.id, on: "tablet")
        XCTAssertEqual(refusal(of: operation, in: elsewhere), .codeOfAnotherDevice, "a challenge of another device")
    }
}
