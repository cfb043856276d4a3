@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a decision writes besides the account, and the reasons that stand in the decision.
final class WrittenChangeTests: LimitedTestCase {
    private var world = World(.standard)

    private let address = "ann@example.com"
    private var phone: RequestContext { world.context }

    /// What would be written for a proof that a device presents.
    private func signIn(_ credential: AuthCredential) async throws -> Decision<SignedIn> {
        let proof = try await world.device().verify(credential).proof
        let decision = try await world.service.decision(of: SignIn(proof: proof), context: phone)
        XCTAssertNil(decision.refusal)
        return decision
    }

    private func updated(_ changes: ChangeSet) throws -> Account {
        for case .update(let account, _) in changes.accounts { return account }
        throw Missing()
    }

    private struct Missing: Error {}

    /// A store's index of operations grows at its end.
    func testTheOperationOfALaterDecisionSortsLaterAndIsDifferentWithinAMillisecond() async throws {
        var operations: [OperationID] = []
        for _ in 0..<20 {
            let (first, second) = (
                try await signIn(world.google(.ann, world.work)).changes.operation,
                try await signIn(world.google(.ann, world.work)).changes.operation
            )
            XCTAssertNotEqual(first, second, "two decisions of one millisecond")
            operations.append(first)
            world.clock.advance(by: .seconds(1))
        }
        XCTAssertEqual(operations, operations.sorted(), "the IDs of later decisions are greater")
    }

    func testUnverifiedMethodsAreRemovedWithAllThatWasRequested() async throws {
        for policy in [AuthPolicy.firebase, .standard] {
            world.startOver(policy)
            let squatter = try await world.signUpAnn(world.device("laptop"))
            try await squatter.updateProfile(
                displayName: .set("a squatter"),
                photoURL: .set("https://squatter.example")
            )
            let decision = try await signIn(world.google(.ann, world.work))
            XCTAssertTrue(decision.reasons.contains(.unverifiedMethodsAreRemoved), "\(decision.reasons)")
            let account = try updated(decision.changes)
            XCTAssertEqual(account.methods.map(\.kind.methodKind), [.federated])
            XCTAssertNil(account.firstEmail, "no code returns the account to an address of the squatter")
            XCTAssertNotEqual(account.displayName, "a squatter")
            XCTAssertNotEqual(account.photoURL, "https://squatter.example")
            XCTAssertEqual(account.sessionGeneration, squatter.account.sessionGeneration + 1)
            XCTAssertTrue(decision.changes.sessions.contains(.endAll(account.id, except: nil)))
            let revoked = decision.changes.records.flatMap { change -> [OneTimeRecord.Purpose] in
                if case .revokeAll(account.id, let purposes) = change { purposes } else { [] }
            }
            let all: Set<OneTimeRecord.Purpose> = [
                .verifyEmail, .changeEmail, .resetPassword, .recoverEmail, .factorChallenge, .totpSeed,
            ]
            XCTAssertTrue(all.isSubset(of: revoked), "\(all.subtracting(revoked)) still work")
        }
    }

    /// Where a notice is retracted, the next one does not get the number of one that stays.
    func testEveryMessageOfADecisionHasAnIDOfItsOwn() {
        let context = world.service.decisionContext()
        var transaction = Transaction(context)
        for name in ["ann", "ben"] as [AccountID] {
            var account = Account(id: name, createdAt: context.now)
            account.email = .ascii("\(name)@example.com")
            account.note(.email(.ascii("\(name)@example.com")), .mailboxCode, at: context.now)
            transaction.notify(account, of: .accountDeleted)
            if name == "ann" {
                transaction.notify(account, of: .deletionRequested)
                transaction.changes.messages.removeFirst()
            }
        }
        XCTAssertEqual(transaction.changes.messages.count, 2)
        XCTAssertEqual(Set(transaction.changes.messages.map(\.id)).count, 2, "the IDs of two messages")
    }

    /// The write of an account is a condition of its own, and says nothing of another account.
    func testAnAccountIsAConditionOnceWhateverElseIsWritten() {
        let context = world.service.decisionContext()
        let (ann, ben) = (Account(id: "ann", createdAt: context.now), Account(id: "ben", createdAt: context.now))
        var transaction = Transaction(context)
        transaction.insert(ann)
        transaction.read(ann)
        XCTAssertEqual(transaction.changes.reads, [], "what is read of an account that is written")
        transaction.read(ben)
        XCTAssertEqual(transaction.changes.reads.map(\.id), ["ben"], "what is read beside an account that is written")
    }

    /// What a method is not covered by cannot be joined by, and is added to it by the next login that shows it.
    func testASignInByAKnownIdentityCoversItsMethod() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        var account = try await world.account(ann)
        XCTAssertEqual(account.methods.map(\.coverage.count), [1])
        account.methods[0].coverage = []
        account.version += 1
        var changes = ChangeSet(operation: OperationID(bits: 99), at: world.clock.timestamp)
        changes.accounts = [.update(account, expected: account.version - 1)]
        _ = try await world.service.store.commit(changes)
        try await world.device().signIn(with: world.google(.ann, world.work))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.coverage.count), [1], "verified once more")
    }

    func testATokenForOneUseIsKeptAsUsedForAsLongAsItPasses() async throws {
        let credential = world.google(.ann, SimulatedToken(nonce: "a nonce of this app"))
        let verified = try await world.device().verify(credential)
        let use = try XCTUnwrap(verified.federated?.assertion.singleUse)
        let decision = try await signIn(credential)
        let kept = decision.changes.records.compactMap { change in
            if case .put(let record) = change { record } else { nil }
        }
        XCTAssertEqual(kept.map(\.content), [.usedAssertion])
        XCTAssertEqual(kept.first?.expiresAt, Timestamp(use.expiresAt), "a record without an end is never removed")
    }

    func testAMailedLinkThatSuspendsWhatItDoesNotCoverSaysSo() async throws {
        var mixed = AuthPolicy.standard
        mixed.unverifiedEmailChange = .allowed
        world.startOver(mixed)
        let auth = world.device()
        let ann = try await auth.signIn(with: try await world.mailedLink(to: address, from: auth)).user
        try await ann.link(with: world.gitHub())
        try await ann.updateEmail(to: "new@example.com")
        // Where GitHub is disabled, mailed links are the only method.
        world.policy.disabledProviders = [.gitHub]
        world.restart()
        let decision = try await signIn(try await world.mailedLink(to: "new@example.com", from: auth))
        XCTAssertEqual(decision.reasons, [.mailboxIsVerified, .recoverySuspends])
        let account = try updated(decision.changes)
        XCTAssertEqual(account.methods.map(\.suspension?.reason), [nil, .recoverySuspends], "links, and GitHub")
        let codes: [OneTimeRecord.Purpose] = [
            .verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed,
        ]
        XCTAssertTrue(decision.changes.records.contains(.revokeAll(account.id, codes)), "what was begun without it")
    }

    /// A change of the account, which is a condition of its own, needs no second one.
    func testASignInToAnAccountThatMayExpireChangesItAndOnlyThat() async throws {
        let auth = world.device()
        try await world.signUpAnn(auth)
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.changes.accounts.count, 1, "the accounts that are written")
        XCTAssertEqual(decision.changes.reads, [], "the accounts that are only read")
    }

    func testASignInThatChangesNothingOfTheAccountDoesNotWriteIt() async throws {
        let unsure = SimulatedToken(address: .unverified)
        for (credential, verifies) in [(world.google(), "the address"), (world.google(.ann, unsure), "nothing")] {
            world.startOver(.standard)
            try await world.device().signIn(with: credential)
            let again = try await signIn(credential)
            XCTAssertEqual(again.changes.accounts, [], "of a sign-in that verifies \(verifies)")
            XCTAssertEqual(again.changes.reads.count, 1, "the sign-in depends on the account: it verifies \(verifies)")
        }
    }

    /// A password would make an address the account's own that is only displayed, and so tell whether it is free.
    func testAPasswordForAnAddressThatIsOnlyDisplayedTellsNothingWhereOwnershipIsConcealed() async throws {
        var world = World(.standard)
        let ann = try await world.device().signIn(with: world.facebook()).user
        XCTAssertFalse(ann.account.reservesEmail, "the address is only displayed")
        world.policy.concealsSignUp = true
        for isTaken in [false, true] {
            if isTaken { try await world.device("owner").signUp(email: address, password: World.password) }
            let decision = try await world.service.decision(
                of: ChangePassword(handle: ann.acting, password: .success(PasswordHash(tagged: "$cheap$AAAA$BBBB"))),
                context: phone
            )
            XCTAssertEqual(decision.refusal?.code, .emailChangeNeedsVerification, "taken: \(isTaken)")
            XCTAssertEqual(decision.refusal?.reason, .disclosureIsWithheld, "taken: \(isTaken)")
        }
    }

    /// What verification never hands to a link is no method.
    func testOnlyWhatBecomesAMethodIsLinked() async throws {
        let ann = try await world.signUpAnn()
        let decision = try await world.service.decision(
            of: LinkMethod(handle: ann.acting, method: .verified(.anonymous, renews: false)),
            context: phone
        )
        XCTAssertEqual(decision.refusal?.reason, .factsContradict)
        XCTAssertTrue(decision.changes.accounts.isEmpty, "\(decision.changes.accounts)")
    }

    func testAPasswordIsCoveredByWhatItsSessionVerified() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: address, from: auth)).user
        let hash = PasswordHash(tagged: "$cheap$AAAA$BBBB")
        let decision = try await world.service.decision(
            of: ChangePassword(handle: ann.acting, password: .success(hash)),
            context: phone
        )
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.reasons, [.personChangesPassword])
        let account = try updated(decision.changes)
        let subject = Evidence.Subject.email(try XCTUnwrap(EmailAddress(address)))
        XCTAssertTrue(account.evidence.support(try XCTUnwrap(account.passwordMethod).coverage, of: subject))
        guard case .success(let signedIn) = decision.result else { return XCTFail("it is refused") }
        XCTAssertEqual(signedIn.session.basis.generation, account.passwordMethod?.generation)
        XCTAssertEqual(
            signedIn.session.used.map(\.kind),
            [.emailLink],
            "the session still knows the link it began with"
        )
        XCTAssertEqual(signedIn.lastSignIn, world.clock.timestamp, "setting a password is not a sign-in of its own")
    }

    func testADisplayedAddressBecomesTheAccountsOwnWithAPasswordUnlessAnotherOwnsIt() async throws {
        let ann = try await world.signIn(.gitHub)
        let before = try await world.account(ann)
        XCTAssertEqual(before.email?.text, address)
        XCTAssertFalse(before.reservesEmail)
        let hash = PasswordHash(tagged: "$cheap$AAAA$BBBB")
        let change = ChangePassword(handle: ann.acting, password: .success(hash))
        let alone = try await world.service.decision(of: change, context: phone)
        XCTAssertNil(alone.refusal)
        XCTAssertTrue(try updated(alone.changes).reservesEmail)
        let mailbox = world.device("mailbox")
        try await mailbox.signIn(with: world.mailedLink(to: address, from: mailbox))
        let beside = try await world.service.decision(of: change, context: phone)
        XCTAssertEqual(beside.refusal, .addressOwned)
        XCTAssertEqual(beside.changes.accounts, [])
    }

    func testASignInWithAPasswordAppendsItsReasonAndWritesNoAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.reasons, [.passwordMatches])
        XCTAssertEqual(decision.changes.accounts, [])
        XCTAssertEqual(decision.changes.reads.map(\.id), [ann.account.id])
        XCTAssertEqual(decision.changes.signIns.map(\.account), [ann.account.id])
        XCTAssertEqual(decision.changes.events.map(\.kind), [.signedIn])
    }

    func testDigitsForANewFactorAreSentForTheAccountThatWasRead() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let number = try XCTUnwrap(PhoneNumber(world.number))
        let request = RequestEnrollmentCode(handle: ann.acting, number: number, code: world.service.issueDigits())
        let decision = try await world.service.decision(of: request, context: phone)
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.changes.reads.map(\.id), [ann.account.id], "accounts that must be as they were read")
    }

    func testAnImportedAccountBeginsWithItsFirstVersion() {
        var account = Account(id: AccountID(bits: 9), createdAt: world.clock.timestamp)
        account.version = 7
        XCTAssertEqual(ImportAccount(account).account.version, 0, "the version in this store")
    }

    func testASignInTakesTheDeletionBackAndSaysWhy() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.reasons, [.passwordMatches, .signInKeepsAccount])
        XCTAssertEqual(decision.changes.events.map(\.kind), [.deletionCanceled, .signedIn])
        XCTAssertNil(try updated(decision.changes).deletedUntil)
    }

    func testAnAdministratorsEndOfSessionsHasItsEvent() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.revokeSessions(of: ann.account.id)
        let last = try await world.service.events(limit: .max).events.last
        XCTAssertEqual(last?.kind, .sessionsRevoked)
        XCTAssertEqual(last?.actor, .administrator)
    }

    func testASessionThatVerifiesAnAddressAgainHasItOnce() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: address, from: auth)).user
        let subject = Evidence.Subject.email(try XCTUnwrap(EmailAddress(address)))
        let first = world.clock.timestamp
        XCTAssertEqual(ann.session.verified, [Evidence.Verification(subject, at: first)])
        world.clock.advance(by: .seconds(60))
        try await ann.reauthenticate(with: world.mailedLink(to: address, from: auth))
        XCTAssertEqual(ann.session.verified, [Evidence.Verification(subject, at: first + .seconds(60))])
        XCTAssertEqual(ann.session.used, [], "the method that the session rests on is not also one of the others")
    }

    func testLostFactorsAreRemovedWithTheReasonAndTheRecord() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86400))
        let auth = world.device()
        guard case .mailbox(let mailbox) = try await auth.verify(world.mailedLink(to: address, from: auth)).proof.claim
        else { return XCTFail("a mailed link proves no mailbox") }
        let begun = try await world.service.decision(
            of: RecoverFromLostFactors(mailbox: mailbox, other: nil),
            context: phone
        )
        XCTAssertEqual(begun.reasons, [.mailboxIsVerified])
        XCTAssertEqual(begun.changes.accounts.map(\.id), [ann.account.id], "what ends a recovery sees that one waits")
        XCTAssertEqual(begun.changes.events.map(\.kind), [.factorRecoveryBegun])
        let wait = Duration.seconds(72 * 3600)
        let expiry = begun.changes.records.compactMap { change -> Timestamp? in
            if case .put(let record) = change, record.purpose == .lostFactors { record.expiresAt } else { nil }
        }
        XCTAssertEqual(expiry, [world.clock.timestamp + wait * 2])
        XCTAssertTrue(begun.changes.records.contains(.consume(mailbox.record)))
        let older = try await auth.verify(World.annsPassword).proof
        let removed = try await world.service.decision(
            of: RecoverFromLostFactors(mailbox: mailbox, other: older),
            context: phone
        )
        XCTAssertEqual(removed.reasons, [.mailboxIsVerified, .factorsAreLost])
        XCTAssertTrue(removed.changes.records.contains(.consume(mailbox.record)))
        XCTAssertTrue(
            removed.changes.records.contains(.revokeAll(ann.account.id, [.factorChallenge, .totpSeed, .lostFactors]))
        )
        XCTAssertTrue(removed.changes.sessions.contains(.endAll(ann.account.id, except: nil)))
        XCTAssertEqual(try updated(removed.changes).factors, [])
    }

    func testAReportEndsWhatWasRequestedAndSaysWhatItKeeps() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updatePassword(to: "battery staple")
        let notice = try XCTUnwrap(world.outbox.last(to: address, .methodReplaced)?.code)
        let code = OneTimeRecordID.mailCode(notice)
        world.policy.disabledProviders = [.emailLink]
        let decision = try await world.service.decision(of: ReportUnauthorizedChange(code: code))
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.reasons.first, .ownerReportsChange)
        XCTAssertEqual(decision.changes.events.map(\.kind).last, .sessionsRevoked)
        XCTAssertTrue(decision.changes.records.contains(.consume(code)))
        XCTAssertTrue(decision.changes.sessions.contains(.endAll(ann.account.id, except: nil)))
        let all = OneTimeRecordChange.revokeAll(
            ann.account.id,
            [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed]
        )
        XCTAssertTrue(decision.changes.records.contains(all))
        XCTAssertEqual(try updated(decision.changes).passwordMethod?.suspension?.reason, .ownerReportsChange)
    }

    func testAReportThatWouldLeaveNoMethodSuspendsFactorsAndCodesOnly() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updatePassword(to: "battery staple")
        let replaced = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .methodReplaced)?.code))
        try await world.enrollTOTP(ann)
        let enrolled = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .factorAdded)?.code))
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let made = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .recoveryCodesMade)?.code))
        world.policy.disabledProviders = [.password, .emailLink]
        func kept(_ code: OneTimeRecordID) async throws -> Account {
            let decision = try await world.service.decision(of: ReportUnauthorizedChange(code: code))
            XCTAssertNil(decision.refusal)
            XCTAssertEqual(decision.reasons, [.ownerReportsChange, .methodIsTheLast])
            let account = try updated(decision.changes)
            XCTAssertEqual(account.methods.map(\.isActive), [true], "the last method is kept")
            return account
        }
        let withMethod = try await kept(replaced)
        XCTAssertEqual(withMethod.factors.map(\.suspension?.reason), [nil])
        XCTAssertFalse(withMethod.recoveryCodes.isEmpty)
        let withoutFactor = try await kept(enrolled)
        XCTAssertEqual(withoutFactor.factors.map(\.suspension?.reason), [.ownerReportsChange])
        let withoutCodes = try await kept(made)
        XCTAssertEqual(withoutCodes.recoveryCodes, [])
    }

    func testAnAddressIsReleasedWithItsReasonAndItsCodes() async throws {
        let squatter = try await world.signUpAnn(world.device("laptop"))
        let auth = world.device()
        let ann = try await auth.signIn(with: world.digits(to: world.number, from: auth)).user
        let proof = try await auth.verify(world.google(.ann, world.work)).proof
        let decision = try await world.service.decision(
            of: LinkMethod(handle: ann.acting, method: .verified(proof, renews: false)),
            context: phone
        )
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.reasons, [.personAddsMethod, .unverifiedOwnerYields])
        let codes: [OneTimeRecord.Purpose] = [.verifyEmail, .changeEmail, .resetPassword]
        XCTAssertTrue(decision.changes.records.contains(.revokeAll(squatter.account.id, codes)))
        XCTAssertTrue(decision.changes.sessions.contains(.endAll(squatter.account.id, except: nil)))
        XCTAssertEqual(decision.changes.signIns.map(\.account), [ann.account.id], "a link counts as a sign-in")
    }

    func testAnAddressFromBeforeGoesWithTheUnverifiedMethods() async throws {
        world.startOver(.firebase)
        let squatter = try await world.device("laptop").signUp(email: "evil@example.com", password: World.password).user
        try await squatter.updateEmail(to: address)
        let before = try await world.account(squatter)
        XCTAssertEqual(before.firstEmail?.text, "evil@example.com")
        let account = try updated(try await signIn(world.google(.ann, world.work)).changes)
        XCTAssertNil(account.firstEmail, "no code returns the account to an address of the squatter")
    }

    func testASeparateAccountHasItsReasonAndItsEvidence() async throws {
        let auth = world.device()
        let ann = try await world.signUp(address, linking: world.digits(to: world.number, from: auth), in: auth)
        world.clock.advance(by: .seconds(91 * 86400))
        let other = world.device("other")
        let digits = try await world.digits(to: world.number, from: other)
        let conflict = try await world.conflict { try await other.signIn(with: digits) }
        let user = try await other.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(user.uid, ann.uid)
        let created = try await world.service.events(limit: .max).events.filter { $0.kind == .accountCreated }.last
        XCTAssertEqual(created?.account, user.account.id)
        XCTAssertEqual(created?.reasons, [.separateAccountIsCreated])
        let account = try await world.account(user)
        XCTAssertEqual(account.evidence.map(\.source), [.phoneCode])
        XCTAssertEqual(account.evidence.map(\.lastAt), [world.clock.timestamp])
        let left = try await world.account(ann)
        XCTAssertNil(left.phoneNumber, "the number is at the new account only")
        await assertThrows(.invalidVerificationID, "the digits once more") { try await other.signIn(with: digits) }
        let pending = try await world.service.record(conflict.pending.key)
        XCTAssertNil(pending, "the number that met the conflict can be presented once more")
    }

    /// A merge that stopped at this step, and what completes it.
    private func merge(failing step: String) async throws -> CompleteMerge {
        world.addHooks("orders")
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        world.journal.fail(step, CancellationError())
        _ = try? await world.service.client().merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        let held = try await world.storedAccount(target)
        return CompleteMerge(
            run: MergeRun(
                id: Merge.ID(try XCTUnwrap(held?.mergeLock).intent),
                plan: try XCTUnwrap(world.journal.plans.first)
            ),
            sides: nil,
            seeds: ResealedSeeds()
        )
    }

    func testAMergeThatHooksStillPrepareIsNotCarriedOut() async throws {
        let complete = try await merge(failing: "prepare orders")
        let decision = try await world.service.decision(of: complete)
        XCTAssertEqual(decision.refusal, .mergeInOtherPhase)
        XCTAssertEqual(decision.refusal?.code, .mergeInProgress)
        XCTAssertEqual(decision.refusal?.reason, .mergeIsElsewhere)
        XCTAssertEqual(decision.changes.accounts, [])
        let called = try await world.service.decision(of: AbortMerge(run: complete.run))
        XCTAssertEqual(called.changes.events.map(\.kind), [.mergeAborted, .mergeAborted])
        XCTAssertEqual(called.changes.events.map(\.account), [complete.run.source, complete.run.target])
        XCTAssertEqual(called.changes.events.map(\.actor), [.system, .system])
    }

    func testAMergeThatIsCarriedOutIsDoneUntilItsTargetIsGone() async throws {
        let complete = try await merge(failing: "commit orders")
        let done = try await world.service.decision(of: complete)
        XCTAssertNil(done.refusal)
        XCTAssertEqual(done.reasons, [.personMergesAccounts])
        let finish = FinishMerge(run: complete.run, phase: .committed)
        let finished = try await world.service.decision(of: finish)
        let undo = try await world.service.record(complete.run.id.undoKey)
        let kept = finished.changes.records.compactMap { change -> Timestamp? in
            if case .replace(let record) = change, record.key == complete.run.id.planKey {
                record.expiresAt
            } else {
                nil
            }
        }
        XCTAssertEqual(
            kept,
            [try XCTUnwrap(undo?.expiresAt)],
            "the plan is kept for as long as the merge can be undone"
        )
        world.journal.clear()
        try await world.service.resumeMerge(complete.run.id)
        try await world.service.deleteAccount(complete.run.target)
        let late = try await world.service.decision(of: complete)
        XCTAssertEqual(late.refusal?.reason, .mergeIsOutdated)
    }
}
