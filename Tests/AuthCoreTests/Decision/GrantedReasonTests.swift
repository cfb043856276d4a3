@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Why something is granted that tells no event of it: the reasons stand in the decision only.
final class GrantedReasonTests: LimitedTestCase {
    private var world = World(.firebase)

    private let address = "ann@example.com"

    private func email(_ text: String) throws -> EmailAddress { try XCTUnwrap(EmailAddress(text)) }

    private func expect<O: AuthCore.Operation>(
        _ reasons: Reason...,
        of operation: O,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let decision = try await world.service.decision(of: operation)
        XCTAssertEqual(decision.reasons, reasons, file: file, line: line)
        XCTAssertNil(decision.refusal, file: file, line: line)
    }

    func testACodeThatAPersonAsksForIsGrantedBecauseTheyAsk() async throws {
        let ann = try await world.signUpAnn()
        let code = world.service.issueMailCode()
        try await expect(
            .personAsksForCode,
            of: RequestEmailVerification(handle: ann.acting, code: code, settings: nil)
        )
        try await expect(
            .personAsksForCode,
            of: RequestEmailChange(handle: ann.acting, email: email("new@example.com"), code: code, settings: nil)
        )
    }

    /// Else a code for an address could be issued beside a change that takes the address away.
    func testACodeThatAPersonAsksForDependsOnTheAccount() async throws {
        let ann = try await world.signUpAnn()
        let code = world.service.issueMailCode()
        let operation = RequestEmailVerification(handle: ann.acting, code: code, settings: nil)
        let decision = try await world.service.decision(of: operation)
        XCTAssertEqual(decision.changes.reads.map(\.id), [ann.account.id], "the accounts that may not change meanwhile")
    }

    func testACodeForTheOwnerOfAMailboxIsGrantedBecauseTheMailboxWillProve() async throws {
        for policy in [AuthPolicy.firebase, .standard] {
            world.startOver(policy)
            try await world.signUpAnn()
            let code = world.service.issueMailCode()
            try await expect(
                .mailboxWillProve,
                of: RequestPasswordReset(email: email(address), code: code, settings: nil)
            )
            try await expect(
                .mailboxWillProve,
                of: RequestSignInLink(email: email(address), code: code, settings: nil)
            )
        }
    }

    func testWhereStrangersLearnNothingThatIsTheReason() async throws {
        world.startOver(.standard)
        let code = world.service.issueMailCode()
        try await expect(
            .disclosureIsWithheld,
            of: RequestPasswordReset(email: email(address), code: code, settings: nil)
        )
        try await expect(.disclosureIsWithheld, of: FetchSignInMethods(email: email(address)))
        try await expect(
            .disclosureIsWithheld,
            of: MailSignInMethods(email: email(address), code: code, settings: nil)
        )
        world.startOver(.firebase)
        try await expect(.methodsAreListed, of: FetchSignInMethods(email: email(address)))
    }

    func testDigitsAreSentBecauseTheNumberWillProve() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let number = try XCTUnwrap(PhoneNumber(world.number))
        let code = world.service.issueDigits()
        try await expect(.numberWillProve, of: RequestPhoneCode(number: number, code: code))
        try await expect(
            .numberWillProve,
            of: RequestEnrollmentCode(handle: ann.acting, number: number, code: code)
        )
        let factor = try await world.enrollPhone(ann)
        let challenge = try await world.passwordChallenge(in: world.device("tablet"))
        let asked = try await world.service.decision(
            of: RequestChallengeCode(challenge: challenge.key, factor: factor, code: code),
            context: RequestContext(device: "tablet")
        )
        XCTAssertEqual(asked.reasons, [.numberWillProve])
    }

    func testASeedIsKeptBecauseThePersonChangesFactors() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let key = OneTimeRecordID(bits: 7)
        try await expect(
            .personChangesFactors,
            of: KeepSeed(handle: ann.acting, sealedSeed: [1, 2, 3], key: key)
        )
    }

    func testARefreshedSessionGoesOn() async throws {
        let ann = try await world.signUpAnn()
        try await expect(.sessionGoesOn, of: RefreshSession(handle: ann.acting, presented: nil, next: [1]))
    }

    func testTheSameAddressIsNoChange() async throws {
        let ann = try await world.signUpAnn()
        let code = world.service.issueMailCode()
        try await expect(
            .addressIsTheSame,
            of: ChangeEmail(handle: ann.acting, email: email(address), recovery: code)
        )
    }

    func testAnImportSaysWhyAnAccountStaysOut() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.google())
        try await ann.link(with: world.digits(to: world.number, from: auth))
        let there = try await world.account(ann)
        try await expect(.accountIsThere, of: ImportAccount(there))
        func other(_ change: (inout Account) -> Void) -> ImportAccount {
            var account = Account(id: AccountID(bits: 9), createdAt: world.clock.timestamp)
            change(&account)
            return ImportAccount(account)
        }
        try await expect(
            .addressIsOwned,
            of: other { account in
                account.email = there.email
                account.reservesEmail = true
            }
        )
        for (reason, kind) in [(Reason.numberIsOwned, MethodKind.phone), (.identityIsOwned, .federated)] {
            let method = try XCTUnwrap(there.methods.first { $0.kind.methodKind == kind })
            try await expect(reason, of: other { _ = $0.add(method.kind, at: world.clock.timestamp) })
        }
        try await expect(.administratorDecides, .importBringsAccount, of: other { _ in })
    }

    func testASubjectThatIsUnknownOrTakenIsNotMoved() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let ben = try await world.device("ben").signIn(with: world.google(.ben)).user
        let (first, second) = try await (world.account(ann), world.account(ben))
        let from = try XCTUnwrap(first.identities.first?.key)
        let taken = try XCTUnwrap(second.identities.first?.key)
        let free = Identity.Key(issuer: taken.issuer.text, subject: "nobody")
        let unknown = try await world.service.decision(of: RemapSubject(from: free, to: from))
        XCTAssertEqual(unknown.reasons, [.providerIsNotLinked])
        let occupied = try await world.service.decision(of: RemapSubject(from: from, to: taken))
        XCTAssertEqual(occupied.reasons, [.identityIsOwned])
        let empty = Identity.Key(issuer: "", subject: "1")
        let impossible = try await world.service.decision(of: RemapSubject(from: from, to: empty))
        XCTAssertEqual(impossible.reasons, [.identityIsImpossible], "an issuer that no assertion has")
        try await expect(.administratorDecides, of: RemapSubject(from: from, to: free))
    }
}
