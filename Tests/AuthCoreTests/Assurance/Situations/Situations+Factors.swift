@testable import AuthCore
import Foundation

/// Second factors, merges, and what is left.
extension Situations {
    var factors: [Situation] {
        let elsewhere = Scene(called(days: 10)).signedIn().signedIn(by: .phone)
        let full = Scene(ann.enrolled(5)).signedIn(factor: shownFactor)
        let owing = Scene(ann.enrolled()).signedIn()
        func enrolls(_ number: PhoneNumber, _ name: String, _ scene: Scene) -> Situation {
            let enrollment = Store.PhoneCode(number: number, hash: [1], use: .enrollment(ann.id))
            return Situation(
                name,
                scene.holding(.phoneCode(enrollment), of: ann.id),
                by: .phone,
                authentication: Shown(
                    login: .nothing,
                    factor: SecondFactor.Use(factor: SecondFactor.ID(bits: 903), kind: .phone, at: Scene.now)
                )
            ) { _ in
                let factor = EnrollFactor.NewFactor(kind: .phone(number), record: code)
                return EnrollFactor(handle: scene.acting, factor: factor, displayName: nil)
            }
        }
        return [
            enrolls(newNumber, "enrolls a first factor beside a number, signed in elsewhere too", elsewhere),
            enrolls(annsNumber, "enrolls the sign-in number as a factor", elsewhere),
            enrolls(newNumber, "enrolls a sixth factor", full),
            Situation(
                "removes the factor in a session that must present it",
                owing,
                by: .password,
                authentication: .nothing
            ) { _ in
                ChangeFactors(handle: owing.acting, change: .remove(SecondFactor.ID(bits: 300)))
            },
        ] + lostFactors
    }

    private var lostFactors: [Situation] {
        let secured = ann.enrolled()
        func loses(_ name: String, _ other: Proof?, in scene: Scene? = nil) -> Situation {
            Situation(
                name,
                (scene ?? Scene(secured)).signedIn().holding(.signInLink(address)),
                by: .password,
                authentication: Shown(login: .nothing, proves: [.email(address)])
            ) { _ in RecoverFromLostFactors(mailbox: MailboxProof(email: address, record: code), other: other) }
        }
        return [
            loses("lost all factors and has the mailbox", nil),
            loses("lost all factors and has the mailbox and the password", .password(passwordProof(secured))),
            loses(
                "lost all factors, and returns when the waiting time is over",
                nil,
                in: Scene(secured)
                    .holding(.lostFactors, under: .lostFactors(of: secured.id), of: secured.id, for: -60)
            ),
        ]
    }

    // MARK: Two accounts of one person

    /// Ann's account that goes, and the one that it goes into.
    private var giver: Account { ann.adding(method(google())) }
    private var receiver: Account { Account.person(2, at: other).adding(method(facebook(other))).verified() }

    func side(_ proof: Proof, _ account: Account, minutes: Double = 1) -> MergeParty {
        var proof = proof
        proof.verifiedAt = Scene.ago(minutes: minutes)
        return .proof(proof, factor: nil, account: account.id)
    }

    private func merge(
        of giver: Account,
        moving: ProviderID? = nil,
        hasHooks: Bool = false,
        minutes: Double = 1
    ) -> @Sendable (AuthPolicy) -> BeginMerge {
        { policy in
            BeginMerge(
                source: side(.password(passwordProof(giver)), giver, minutes: minutes),
                target: side(.federated(proof(facebook(other), under: policy)), receiver, minutes: minutes),
                moving: moving,
                choices: [],
                seeds: ResealedSeeds(),
                hasHooks: hasHooks
            )
        }
    }

    var merges: [Situation] {
        let shows = Shown(proves: [.email(address)], confirmed: other)
        let scene = Scene(giver, receiver)
        return [
            Situation("merges two accounts", scene, by: .facebook, authentication: shows, merge(of: giver)),
            Situation(
                "moves Google to the other account",
                scene,
                by: .google,
                authentication: shows,
                merge(of: giver, moving: .google)
            ),
            Situation(
                "begins a merge with hooks",
                scene.signedIn(),
                by: .facebook,
                authentication: shows,
                merge(of: giver, hasHooks: true)
            ),
            carriesOut(scene), undoes(scene),
        ]
    }

    /// The merge is one that the rules began under the standard policy, and its hooks are prepared.
    private func carriesOut(_ scene: Scene) -> Situation {
        let begun = Situation("", scene, by: .facebook, merge(of: giver, hasHooks: true)).decided(under: .pinned)
        var prepared = scene.after(begun.changes)
        var plan = Merge.Plan(giver, into: receiver, choices: [], under: .pinned)
        for index in prepared.records.indices {
            switch prepared.records[index].content {
            case .mergeIntent(var intent):
                intent.phase = .prepared
                prepared.records[index].content = .mergeIntent(intent)
            case .mergePlan(let told): plan = told
            default: break
            }
        }
        let operation = CompleteMerge(
            run: MergeRun(id: Merge.ID(bits: 903), plan: plan),
            sides: nil,
            seeds: ResealedSeeds()
        )
        return Situation(
            "carries out a merge whose hooks are prepared",
            prepared,
            by: .facebook,
            authentication: .nothing
        ) {
            _ in operation
        }
    }

    /// The merge is one that the rules decided under the standard policy.
    private func undoes(_ scene: Scene) -> Situation {
        // With names of its own, but for that of the merge.
        let earlier = FreshIdentifiers(
            operation: .init(bits: 800),
            account: .init(bits: 801),
            session: .init(bits: 802),
            record: .init(bits: 903),
            device: .init(bits: 804)
        )
        let merge = Situation("", scene, by: .facebook, merge(of: giver))
            .decided(Scene.decisionContext(by: .pinned, fresh: earlier))
        let plan = Merge.Plan(giver, into: receiver, choices: [], under: .pinned)
        return Situation(
            "undoes a merge with the Google that moved",
            scene.after(merge.changes),
            by: .google,
            authentication: Shown(proves: [.email(address)])
        ) { policy in
            UndoMerge(
                run: MergeRun(id: Merge.ID(bits: 903), plan: plan),
                party: side(.federated(proof(google(), under: policy)), receiver, minutes: 0),
                seeds: [:],
                hasHooks: false
            )
        }
    }

    // MARK: What is left

    var others: [Situation] {
        let waiting = Account.person(at: address).adding(password, days: 40, isCovered: false)
        let shut = ann.changing { $0.isDisabled = true }
        let exchanged = Scene(ann).signedIn().refreshed(2)
        return [
            Situation(
                "time passes over an account that verified nothing for a hundred days",
                Scene(waiting),
                by: .password,
                authentication: .nothing
            ) { _ in
                ExpireAccount(account: waiting.id)
            },
            Situation(
                "an administrator enables an account",
                Scene(shut).signedIn(),
                by: .password,
                authentication: .nothing
            ) { _ in
                AdministerAccount(account: shut.id, act: .setDisabled(false))
            },
            Situation(
                "a refresh token is presented that was exchanged before",
                exchanged,
                by: .password,
                authentication: .nothing
            ) {
                _ in
                RefreshSession(handle: exchanged.acting, presented: .init(count: 1, hash: [1]), next: [3])
            },
            Situation(
                "a token is presented that was issued before the last change of privileges",
                exchanged,
                by: .password,
                authentication: .nothing
            ) { _ in
                let session = exchanged.acting
                return Reload(handle: ActingHandle(session: session.session, account: session.account, rotation: 7))
            },
            Situation(
                "a refresh token is exchanged, of a session by a method that is suspended now",
                Scene(ann.suspended(.password)).signedIn(),
                by: .password,
                authentication: .nothing
            ) { _ in
                RefreshSession(handle: Scene(ann).signedIn().acting, presented: nil, next: [3])
            },
        ]
    }
}

extension Scene {
    /// The same with the first session's refresh token exchanged so often.
    fileprivate func refreshed(_ count: UInt32) -> Scene {
        var scene = self
        scene.sessions[0].refreshCount = count
        scene.sessions[0].refreshHash = [2]
        return scene
    }
}
