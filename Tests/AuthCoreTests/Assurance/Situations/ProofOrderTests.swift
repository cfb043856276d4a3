@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Every operation asks first whether a provider is disabled, then whether the proof holds, then what it meets.
///
/// A link asks between the first two whether a method of its own account is in the way.
final class ProofOrderTests: LimitedTestCase {
    /// A proof that rests on a one-time record, with the refusals of a record that does not hold.
    private struct Presented {
        let provider: ProviderID
        let content: OneTimeRecord.Content
        let missing: Refusal
        let expired: Refusal
        let elsewhere: Refusal
        let proof: @Sendable (AuthPolicy) -> Proof
    }

    /// What can be wrong with the record.
    private enum Fault: CaseIterable {
        case none
        case missing
        case expired
        case elsewhere
    }

    private let key = OneTimeRecordID(bits: 200)

    private func mailbox(_ people: Situations) -> Presented {
        Presented(
            provider: .emailLink,
            content: .signInLink(people.address),
            missing: Refusal(.invalidActionCode, .codeIsUnknown),
            expired: Refusal(.expiredActionCode, .codeIsExpired),
            elsewhere: .codeOfAnotherDevice
        ) { [key] _ in .mailbox(MailboxProof(email: people.address, record: key)) }
    }

    private func number(_ people: Situations) -> Presented {
        Presented(
            provider: .phone,
            content: people.phoneCode(people.newNumber),
            missing: Refusal(.invalidVerificationID, .codeIsUnknown),
            expired: .phoneCodeExpired,
            elsewhere: .codeOfAnotherDevice
        ) { [key] _ in .phone(PhoneProof(number: people.newNumber, record: key)) }
    }

    private func identity(_ people: Situations) -> Presented {
        let over = Refusal(.invalidCredential, .pendingIdentityIsOver)
        return Presented(
            provider: .google,
            content: .pendingIdentity(Store.PendingIdentity(assertion: people.google(), target: people.ann.id)),
            missing: over,
            expired: over,
            elsewhere: Refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice)
        ) { [key] in .federated(people.proof(people.google(), under: $0, pending: PendingUse(key: key))) }
    }

    private func presented(_ people: Situations) -> [Presented] {
        [mailbox(people), number(people), identity(people)]
    }

    /// The scene with the record of a proof, and the refusal for what is wrong with it.
    private func scene(_ scene: Scene, holding presented: Presented, _ fault: Fault) -> (Scene, Refusal?) {
        switch fault {
        case .none: return (scene.holding(presented.content, under: key), nil)
        case .missing: return (scene, presented.missing)
        case .expired: return (scene.holding(presented.content, under: key, for: 0), presented.expired)
        case .elsewhere:
            return (scene.holding(presented.content, under: key, on: "tablet"), presented.elsewhere)
        }
    }

    private func decision<O: AuthCore.Operation>(
        _ operation: O,
        in scene: Scene,
        under policy: AuthPolicy
    ) -> Decision<O.Outcome> {
        operation.decision(on: scene.snapshot(for: operation).seen, Scene.decisionContext(by: policy))
    }

    private func policies(switchingOff provider: ProviderID) -> [(policy: AuthPolicy, isOff: Bool)] {
        [AuthPolicy.firebase, .pinned].flatMap { policy in
            var off = policy
            off.disabledProviders = [provider]
            return [(policy, false), (off, true)]
        }
    }

    private func expectNothingWritten<Outcome>(_ decision: Decision<Outcome>, _ what: String) {
        XCTAssertTrue(decision.changes.isEmpty, "\(what): \(decision.changes)")
    }

    /// Whatever the account is like, a proof that does not hold is refused for that.
    func testASignInLooksAtTheProofBeforeTheAccount() throws {
        let people = try Situations()
        let open = people.googled.adding(.emailLink).adding(.phone(people.newNumber))
        let owners: [Account] = [
            open, open.changing { $0.isDisabled = true }, open.enrolled(), people.squatter,
            open.suspended(.google).suspended(.password).suspended(.phone),
        ]
        for presented in presented(people) {
            for (policy, isOff) in policies(switchingOff: presented.provider) {
                for fault in Fault.allCases {
                    for place in [Scene()] + owners.map({ Scene($0) }) {
                        let (scene, wrong) = scene(place, holding: presented, fault)
                        let decision = decision(SignIn(proof: presented.proof(policy)), in: scene, under: policy)
                        let what = "\(presented.provider), off \(isOff), \(fault), \(place.accounts)"
                        let expected = isOff ? .disabled(presented.provider) : wrong
                        if let expected {
                            XCTAssertEqual(decision.refusal, expected, what)
                            expectNothingWritten(decision, what)
                        } else {
                            XCTAssertNotEqual(decision.refusal, wrong ?? presented.missing, what)
                        }
                    }
                }
            }
        }
    }

    /// A link asks first whether the provider is disabled, then whether a method is in the way, then whether the
    /// proof holds.
    func testALinkLooksAtItsOwnAccountBeforeTheProof() throws {
        let people = try Situations()
        let taken = people.ann.adding(.phone(people.annsNumber)).adding(people.method(people.google("former")))
        let free = Account.person(at: nil).adding(people.method(people.facebook()))
        for presented in presented(people) {
            for (policy, isOff) in policies(switchingOff: presented.provider) {
                for fault in Fault.allCases {
                    for (account, isTaken) in [(taken, true), (free, false)] {
                        let place = Scene(account).signedIn(by: isTaken ? .password : .federated)
                        let (scene, wrong) = scene(place, holding: presented, fault)
                        let operation = LinkMethod(
                            handle: scene.acting,
                            method: .verified(presented.proof(policy), renews: false)
                        )
                        let decision = decision(operation, in: scene, under: policy)
                        let expected =
                            isOff ? Refusal.disabled(presented.provider) : isTaken ? .providerLinked : wrong
                        let what = "\(presented.provider), off \(isOff), taken \(isTaken), \(fault)"
                        XCTAssertEqual(decision.refusal, expected, what)
                        if expected != nil { expectNothingWritten(decision, what) }
                    }
                }
            }
        }
    }

    /// A password is set, and not verified; a method in the way is still the first thing.
    func testALinkedPasswordIsRefusedFirstForAMethodInItsWay() throws {
        let people = try Situations()
        for (policy, isOff) in policies(switchingOff: .password) {
            for account in [people.ann, people.googled.adding(.emailLink)] {
                let scene = Scene(account).signedIn(by: .customToken)
                let refused = Result<PasswordHash, Refusal>.failure(Refusal(.weakPassword, .passwordIsTooShort))
                let operation = LinkMethod(handle: scene.acting, method: .password(people.other, refused))
                XCTAssertEqual(
                    decision(operation, in: scene, under: policy).refusal,
                    isOff ? .disabled(.password) : .providerLinked
                )
            }
        }
    }

    /// A suspended method gives way, and presenting it again confirms it.
    func testASuspendedMethodIsNotInTheWay() throws {
        let people = try Situations()
        let account = people.googled.adding(.emailLink).adding(.phone(people.newNumber))
            .suspended(.google).suspended(.password).suspended(.phone)
            .adding(people.method(people.facebook()))
        for presented in presented(people) {
            for policy in [AuthPolicy.firebase, .pinned] {
                let (scene, _) = scene(Scene(account).signedIn(by: .customToken), holding: presented, .none)
                let operation = LinkMethod(
                    handle: scene.acting,
                    method: .verified(presented.proof(policy), renews: false)
                )
                let decision = decision(operation, in: scene, under: policy)
                XCTAssertNil(decision.refusal, "\(presented.provider)")
            }
        }
    }

    /// The answer to a conflict is looked at first, then what met the conflict, then the account of the conflict.
    func testAnAnswerToAConflictIsLookedAtBeforeTheConflict() throws {
        let people = try Situations()
        let answer = mailbox(people)
        let met = identity(people)
        for owner in [people.ann, people.ann.changing { $0.isDisabled = true }] {
            for (policy, isOff) in policies(switchingOff: .emailLink) {
                for fault in Fault.allCases {
                    for isOver in [false, true] {
                        var (scene, wrong) = scene(Scene(owner), holding: answer, fault)
                        if !isOver { scene = scene.holding(met.content, under: people.further) }
                        let use = PendingUse(key: people.further)
                        let incoming = people.proof(people.google(), under: policy, pending: use)
                        let mailbox = MailboxProof(email: people.address, record: key)
                        let pending = PendingLink(
                            key: people.further,
                            proof: .federated(incoming),
                            target: owner.id
                        )
                        let claim = ClaimAndLink(proof: mailbox, incoming: incoming, pending: pending)
                        let separate = CreateSeparateAccount(pending: pending, mailbox: mailbox)
                        let expected = isOff ? .disabled(.emailLink) : wrong ?? (isOver ? met.missing : nil)
                        let what = "off \(isOff), \(fault), over \(isOver), disabled \(owner.isDisabled)"
                        let refusals = [
                            decision(claim, in: scene, under: policy).refusal,
                            decision(separate, in: scene, under: policy).refusal,
                        ]
                        if let expected {
                            XCTAssertEqual(refusals, [expected, expected], what)
                        } else {
                            XCTAssertFalse(refusals.contains(answer.missing) || refusals.contains(met.missing), what)
                        }
                    }
                }
            }
        }
    }
}
