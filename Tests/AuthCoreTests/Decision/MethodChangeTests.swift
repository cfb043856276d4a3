@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a new method or factor writes besides the account, and the reasons that stand in the decision.
final class MethodChangeTests: WrittenChangeTestCase {
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

    func testDigitsForANewFactorAreSentForTheAccountThatWasRead() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let number = try XCTUnwrap(PhoneNumber(world.number))
        let request = RequestEnrollmentCode(handle: ann.acting, number: number, code: world.service.issueDigits())
        let decision = try await world.service.decision(of: request, context: phone)
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.changes.reads.map(\.id), [ann.account.id], "accounts that must be as they were read")
    }
}
