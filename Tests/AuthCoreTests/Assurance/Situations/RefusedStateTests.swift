@testable import AuthCore
import XCTest

/// States that operations refuse, and that no situation of the table of decisions has.
final class RefusedStateTests: LimitedTestCase {
    private let merge = Merge.ID(bits: 903)

    private func decision<O: AuthCore.Operation>(_ operation: O, in scene: Scene) -> Decision<O.Outcome> {
        operation.decision(on: scene.snapshot(for: operation).seen, Scene.decisionContext(by: .pinned))
    }

    private func refusal<O: AuthCore.Operation>(of operation: O, in scene: Scene) -> Refusal? {
        decision(operation, in: scene).refusal
    }

    // MARK: Signing in

    func testNothingSignsInToADisabledAccount() throws {
        let people = try Situations()
        let shut = people.called(days: 1).changing { ($0.isDisabled, $0.acceptsCustomTokens) = (true, true) }
        let digits = PhoneProof(number: people.annsNumber, record: people.code)
        XCTAssertEqual(
            refusal(of: SignIn(proof: .phone(digits)), in: Scene(shut).holding(people.phoneCode(people.annsNumber))),
            .accountDisabled
        )
        let token = CustomTokenProof(account: shut.id, claims: [:], authenticatedAt: Scene.now)
        XCTAssertEqual(refusal(of: SignIn(proof: .customToken(token)), in: Scene(shut)), .accountDisabled)
        XCTAssertEqual(refusalOfClaim(of: shut, people), .accountDisabled)
    }

    func testAClaimGivesAnIdentityNoSecondOwner() throws {
        let people = try Situations()
        let ben = Account.person(2, at: people.other).adding(people.method(people.google()))
        XCTAssertNil(refusalOfClaim(of: people.ann, people))
        XCTAssertEqual(refusalOfClaim(of: people.ann, people, beside: ben), .identityOwned)
    }

    /// The refusal for a person who claims an account by its mailbox, for the Google that met the conflict.
    private func refusalOfClaim(of account: Account, _ people: Situations, beside others: Account...) -> Refusal? {
        let waiting = Store.PendingIdentity(assertion: people.google(), target: account.id)
        var scene = Scene(account).holding(.pendingIdentity(waiting))
            .holding(.signInLink(people.address), under: people.further)
        scene.accounts += others
        let incoming = people.proof(people.google(), under: .pinned, pending: PendingUse(key: people.code))
        let claim = ClaimAndLink(
            proof: MailboxProof(email: people.address, record: people.further),
            incoming: incoming,
            pending: PendingLink(key: people.code, proof: .federated(incoming), target: account.id)
        )
        return refusal(of: claim, in: scene)
    }

    func testATokenThatWasNeverIssuedIsExchangedForNothing() throws {
        var scene = Scene(try Situations().ann).signedIn()
        func exchange(_ count: UInt32, _ hash: [UInt8]) -> Refusal? {
            refusal(
                of: RefreshSession(handle: scene.acting, presented: .init(count: count, hash: hash), next: [9]),
                in: scene
            )
        }
        scene.sessions[0].refreshCount = 2
        scene.sessions[0].refreshHash = [2]
        let unknown = Refusal(.invalidUserToken, .tokenIsNotOurs)
        XCTAssertNil(exchange(2, [2]))
        XCTAssertEqual(exchange(2, [1]), unknown, "of another content")
        XCTAssertEqual(exchange(3, [2]), unknown, "later than the newest")
        scene.sessions[0].refreshHash = nil
        XCTAssertEqual(exchange(2, [2]), unknown, "of a session that has none")
    }

    // MARK: Merging

    private func giver(_ people: Situations) -> Account { people.ann.adding(people.method(people.google())) }

    private func receiver(_ people: Situations) -> Account {
        Account.person(2, at: people.other).adding(people.method(people.facebook(people.other))).verified()
    }

    private func begin(_ source: MergeParty, _ people: Situations, hasHooks: Bool = false) -> BeginMerge {
        let facebook = people.proof(people.facebook(people.other), under: .pinned)
        return BeginMerge(
            source: source,
            target: people.side(.federated(facebook), receiver(people)),
            moving: nil,
            choices: [],
            seeds: ResealedSeeds(),
            hasHooks: hasHooks
        )
    }

    /// What is stored once the merge of both accounts has begun, or is done where it has no hooks.
    private func merged(_ people: Situations, hasHooks: Bool = false) -> Scene {
        let scene = Scene(giver(people), receiver(people))
        let side = people.side(.password(people.passwordProof(giver(people))), giver(people))
        return scene.after(decision(begin(side, people, hasHooks: hasHooks), in: scene).changes)
    }

    private func run(_ people: Situations) -> MergeRun {
        MergeRun(id: merge, plan: Merge.Plan(giver(people), into: receiver(people), choices: [], under: .pinned))
    }

    func testADisabledGuestIsNoSideOfAMerge() throws {
        let people = try Situations()
        func refusal(isDisabled: Bool) -> Refusal? {
            let guest = Account.person(at: nil).changing { ($0.isAnonymous, $0.isDisabled) = (true, isDisabled) }
            let scene = Scene(guest, receiver(people)).signedIn()
            return self.refusal(of: begin(.session(scene.acting), people), in: scene)
        }
        XCTAssertNil(refusal(isDisabled: false))
        XCTAssertEqual(refusal(isDisabled: true), .accountDisabled)
    }

    func testOnlyAMergeThatIsPreparedAndAsItBeganIsCarriedOut() throws {
        let people = try Situations()
        let begun = merged(people, hasHooks: true)
        let complete = CompleteMerge(run: run(people), sides: nil, seeds: ResealedSeeds())
        func refusal(in phase: MergeIntent.Phase?, _ change: (inout Account) -> Void = { _ in }) -> [Refusal?] {
            begun.accounts.indices.map { changed in
                var scene = begun
                change(&scene.accounts[changed])
                for index in scene.records.indices {
                    guard case .mergeIntent(var intent) = scene.records[index].content, let phase else { continue }
                    intent.phase = phase
                    scene.records[index].content = .mergeIntent(intent)
                }
                if phase == nil { scene.records.removeAll { $0.key == merge.intentKey } }
                return self.refusal(of: complete, in: scene)
            }
        }
        XCTAssertEqual(refusal(in: .prepared), [nil, nil])
        XCTAssertEqual(refusal(in: .preparing), [.mergeInOtherPhase, .mergeInOtherPhase])
        for phase in [nil, MergeIntent.Phase.aborted, .undone] {
            XCTAssertEqual(refusal(in: phase), [.mergeOutdated, .mergeOutdated], "\(String(describing: phase))")
        }
        XCTAssertEqual(refusal(in: .prepared) { $0.isDisabled = true }, [.accountDisabled, .accountDisabled])
        XCTAssertEqual(refusal(in: .prepared) { $0.sessionGeneration += 1 }, [.mergeOutdated, .mergeOutdated])
        XCTAssertEqual(refusal(in: .prepared) { $0.mergeLock = nil }, [.mergeOutdated, .mergeOutdated])
        XCTAssertEqual(refusal(in: .prepared) { $0 = .person(9, at: nil) }, [.mergeOutdated, .mergeOutdated], "gone")
    }

    func testAMergeIsNotUndoneWhileOneGoesOn() throws {
        let people = try Situations()
        let scene = merged(people)
        let google = people.proof(people.google(), under: .pinned)
        let undo = UndoMerge(
            run: run(people),
            party: people.side(.federated(google), receiver(people), minutes: 0),
            seeds: [:],
            hasHooks: false
        )
        XCTAssertNil(refusal(of: undo, in: scene))
        var locked = scene
        for index in locked.accounts.indices {
            locked.accounts[index].mergeLock = Account.MergeLock(
                intent: OneTimeRecordID(bits: 1),
                until: Scene.now + .seconds(60)
            )
        }
        XCTAssertEqual(refusal(of: undo, in: locked), .accountBeingMerged, "another merge has locked the account")
        let intent = MergeIntent(of: giver(people), into: receiver(people), phase: .committed)
        XCTAssertEqual(
            refusal(of: undo, in: scene.holding(.mergeIntent(intent), under: merge.intentKey)),
            .accountBeingMerged,
            "the hooks of the merge were not notified yet"
        )
    }

    func testAnAccountWithoutAConfirmedOwnerIsMergedWithNone() throws {
        let people = try Situations()
        let (giver, receiver) = (giver(people), receiver(people))
        func refusal(_ source: Account, _ target: Account) -> Refusal? {
            do throws(Refusal) {
                _ = try Merge.Plan.permitted(
                    source,
                    into: target,
                    isMove: false,
                    of: nil,
                    choices: [],
                    Scene.decisionContext(by: .pinned)
                )
                return nil
            } catch {
                return error
            }
        }
        func provisional(_ account: Account) -> Account { account.changing { $0.isProvisional = true } }
        XCTAssertNil(refusal(giver, receiver))
        XCTAssertEqual(refusal(provisional(giver), receiver), .addressUnverified)
        XCTAssertEqual(refusal(giver, provisional(receiver)), .addressUnverified)
        XCTAssertEqual(refusal(giver, receiver.changing { $0.isAnonymous = true }), .targetAnonymous)
    }

    // MARK: Time

    func testAFormerAddressIsFreedBecauseItsTimeRanOut() throws {
        let people = try Situations()
        let former = people.ann.changing { account in
            account.reservations = [Account.Reservation(email: people.other, until: Scene.ago(days: 1))]
        }
        let freed = decision(ExpireAccount(account: former.id), in: Scene(former))
        guard case .success(false) = freed.result else { return XCTFail("\(freed.result)") }
        XCTAssertEqual(freed.reasons, [.timeRanOut])
    }
}
