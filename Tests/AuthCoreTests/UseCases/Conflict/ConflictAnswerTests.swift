@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The answers to a conflict under the standard policy: sign in and link, "this is mine", and a fresh start.
final class ConflictAnswerTests: LimitedTestCase {
    private let world = World(.standard)

    func testACodeFromTheMailboxAnswersAConflictWithoutTheForgottenPassword() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(Set(left), [.password, .facebook])
    }

    func testACodeFromTheMailboxSuspendsWhatTheMailboxNeverCovered() async throws {
        // Eve prepares an account under Ann's address, and links an identity of her own.
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let ann = try await auth.resolve(conflict, signingInWith: link).user
        XCTAssertEqual(ann.uid, eve.uid)
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("x").signIn(with: world.gitHub(.eve))
        }
        try await world.refusal(.invalidCredential) {
            try await world.device("y").signIn(with: .password(email: "ann@example.com", password: "eves own word"))
        }
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
        try await world.device("z").signIn(with: world.google(.ann, world.work))
    }

    func testACodeFromTheMailboxPutsANewIdentityInThePlaceOfARecycledOne() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        let auth = world.device("tablet")
        var token = world.work
        token.subject = "another subject"
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, token)) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let after = try await world.account(ann)
        XCTAssertEqual(after.identities.map(\.key.subject.text), ["another subject"])
    }

    func testACodeFromTheMailboxDoesNotPassTheSecondFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let challenge = try await world.challenge { try await auth.resolve(conflict, signingInWith: link) }
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(Set(left), [.password, .facebook])
    }

    /// What was decided is written: an error would say that nothing was changed.
    func testAResolvedConflictIsReportedThoughItsAttemptCannotBeGivenBack() async throws {
        let world = World(.standard) { $0.attempts = StingyAttempts() }
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let result = try await auth.resolve(conflict, signingInWith: world.google(.ann, world.work))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(auth.currentUser?.uid, ann.uid, "the user who is signed in")
        let left = try await world.providers(ann)
        XCTAssertEqual(Set(left), [.google, .facebook])
    }

    func testACodeFromAnotherMailboxIsOfNoUse() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "eve@example.com", from: auth)
        try await world.refusal(.userMismatch, .conflictIsWithAnother) {
            try await auth.resolve(conflict, signingInWith: link)
        }
    }

    func testAMailedLinkThatMeetsAConflictIsUsedUp() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.gitHub(.ann))
        let auth = world.device("mail")
        let verified = try await auth.verify(try await world.mailedLink(to: "ann@example.com", from: auth))
        _ = try await world.conflict { try await auth.signIn(with: verified) }
        await assertThrows(.invalidActionCode, "the conflict keeps what it verified") {
            try await auth.signIn(with: verified)
        }
    }

    /// The new account would have verified an address that it does not have, and that another account can take.
    func testAConflictOverANumberTakesNoLink() async throws {
        let (_, auth, conflict) = try await world.conflictOverARecycledNumber()
        let link = try await world.mailedLink(to: "eve@example.com", from: auth)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
        let next = try await auth.createSeparateAccount(from: conflict).user
        let account = try await world.account(next)
        XCTAssertEqual(account.evidence.map(\.subject), [.phone(try XCTUnwrap(PhoneNumber(world.number)))])
    }

    func testACodeOfAnotherKindIsNoIdentityThatWaits() async throws {
        let auth = world.device()
        let id = try await auth.sendPhoneCode(to: world.number)
        let pending = Conflict.PendingCredential(provider: .gitHub, id: try XCTUnwrap(OneTimeRecordID(id)))
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await world.service.verifyPending(world.service.record(pending.key), handedOut: pending.id)
        }
    }

    func testAGuestAnswersNoConflict() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let error = try await world.refusal(.invalidCredential) {
            try await auth.resolve(conflict, signingInWith: .anonymous)
        }
        XCTAssertEqual(error.message, "A conflict is resolved by a method of the existing account.")
        try await auth.resolve(conflict, signingInWith: World.annsPassword)
    }

    func testALinkForAnotherAddressIsAWrongAnswerToo() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let mailed = try await world.mailedLink(to: "ann@example.com", from: auth).mailed.link.revealed
        let link = AuthCredential.emailLink(AuthCredential.EmailLink(email: "ben@example.com", link: mailed))
        let counts = await outcomes(of: 6) { _ in try await auth.resolve(conflict, signingInWith: link) }
        XCTAssertEqual(counts, [.invalidEmail: 5, .tooManyRequests: 1], "answers to one conflict")
    }

    /// Each code has wrong answers of its own, so the conflict must count those to all codes.
    func testWrongDigitsAreWrongAnswersToo() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let ids = [try await auth.sendPhoneCode(to: world.number), try await auth.sendPhoneCode(to: world.evesNumber)]
        let counts = await outcomes(of: 6) {
            try await auth.resolve(conflict, signingInWith: .phone(verificationID: ids[$0 % 2], code: "no"))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 5, .tooManyRequests: 1], "answers to one conflict")
    }

    func testAddressesWithoutAnAccountAreWrongAnswersWhereThePolicyTellsOfThem() async throws {
        let world = World(.weakened { ($0.disclosure, $0.limits) = (.detailed, AuthPolicy.AttemptLimits()) })
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let counts = await outcomes(of: 6) {
            try await auth.resolve(conflict, signingInWith: .password(email: "p\($0)@example.com", password: "x"))
        }
        XCTAssertEqual(counts, [.userNotFound: 5, .tooManyRequests: 1], "answers to one conflict")
    }

    func testAConflictOverANumberIsResolvedByItsAccountOnly() async throws {
        let (ann, auth, conflict) = try await world.conflictOverARecycledNumber()
        let ben = try await world.device("ben").signIn(with: world.google(.ben)).user
        let counts = await outcomes(of: 4) { _ in
            try await auth.resolve(conflict, signingInWith: world.google(.ben))
        }
        XCTAssertEqual(counts, [.userMismatch: 4], "answers by another account")
        let resolved = try await auth.resolve(conflict, signingInWith: World.annsPassword).user
        XCTAssertEqual(resolved.uid, ann.uid, "who resolves it")
        let other = try await world.account(ben)
        XCTAssertNil(other.phoneNumber, "the number of the other account")
    }

    /// The conflict of a mailed link to the address of Ann, whose methods it does not cover, and where it was met.
    private func conflictOfAMailbox() async throws -> (auth: Auth, conflict: Conflict) {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.gitHub(.ann))
        let auth = world.device("mail")
        let conflict = try await world.conflict {
            try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        }
        return (auth, conflict)
    }

    func testAConflictOverAMailboxIsResolvedByItsAccountOnly() async throws {
        let (auth, conflict) = try await conflictOfAMailbox()
        try await world.device("ben").signIn(with: world.google(.ben))
        let counts = await outcomes(of: 6) { _ in
            try await auth.resolve(conflict, signingInWith: world.google(.ben))
        }
        XCTAssertEqual(counts, [.userMismatch: 5, .tooManyRequests: 1], "answers by another account")
    }

    func testAMailboxThatMeetsTheConflictAgainIsKeptAsItWas() async throws {
        let (auth, first) = try await conflictOfAMailbox()
        XCTAssertEqual(first.displayName, "ann@example.com", "what the conflict is about")
        world.clock.advance(by: .seconds(60))
        let second = try await world.conflict { try await auth.signIn(with: first.credential) }
        XCTAssertEqual(second, first, "the conflict that the kept mailbox meets a minute later")
    }

    func testASeparateAccountUsesUpTheLinkThatMetTheConflictAndTheOneThatAnswersIt() async throws {
        let (auth, conflict) = try await conflictOfAMailbox()
        let second = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await auth.createSeparateAccount(from: conflict, verifying: second.mailed)
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await auth.signIn(with: conflict.credential)
        }
        try await world.refusal(.invalidActionCode, .codeIsUnknown) { try await auth.signIn(with: second) }
    }

    func testAConflictEndsAfterFiveWrongAnswers() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        for word in 1...5 {
            try await world.refusal(.invalidCredential) {
                try await auth.resolve(
                    conflict,
                    signingInWith: .password(email: "ann@example.com", password: "wrong word \(word)")
                )
            }
        }
        world.clock.advance(by: .seconds(300))
        try await world.refusal(.tooManyRequests, .attemptsMustWait) {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
    }

    func testANumberWhoseProofIsOldIsRenewedByThePasswordAndTheFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(91 * 86400))
        let auth = world.device("tablet")
        let conflict = try await world.conflict {
            try await auth.signIn(with: world.digits(to: world.number, from: auth))
        }
        let owed = try await world.challenge { try await auth.resolve(conflict, signingInWith: World.annsPassword) }
        let result = try await auth.resolve(owed, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.provider, .password)
        XCTAssertNil(result.additionalUserInfo)
        let known = try await world.challenge {
            try await auth.signIn(with: world.digits(to: world.number, from: auth))
        }
        XCTAssertEqual(known.hints.map(\.kind), [.totp])
    }

    func testAnAnswerThatTheStoreFailedOnCounts() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        for _ in 0..<5 {
            world.store.script(.commit, .failsBefore(), .failsBefore(), .failsBefore(), .failsBefore())
            await assertThrows(.outcomeUnknown) {
                try await auth.resolve(conflict, signingInWith: World.annsPassword)
            }
        }
        await assertThrows(.tooManyRequests, "an answer after five that may have been right") {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
    }
}
