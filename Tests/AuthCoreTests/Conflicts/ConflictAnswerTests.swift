@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The answers to a conflict under the standard policy: sign in and link, "this is mine", and a fresh start.
final class ConflictAnswerTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    // MARK: This is mine

    func testACodeFromTheMailboxAnswersAConflictWithoutTheForgottenPassword() async throws {
        let ann = try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await providers(ann)
        XCTAssertEqual(Set(left), [.password, .facebook])
    }

    func testACodeFromTheMailboxSuspendsWhatTheMailboxNeverCovered() async throws {
        // Eve prepares an account under Ann's address, and links an identity of her own.
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, work)) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let ann = try await auth.resolve(conflict, signingInWith: link).user
        XCTAssertEqual(ann.uid, eve.uid)
        try await refusal(.rejectedCredential, .methodIsSuspended) { try await seat("x").signIn(with: gitHub(.eve)) }
        try await refusal(.invalidCredential) {
            try await seat("y").signIn(with: .password(email: "ann@example.com", password: "eves own word"))
        }
        try await refusal(.userTokenExpired) { try await eve.reload() }
        try await seat("z").signIn(with: google(.ann, work))
    }

    func testACodeFromTheMailboxPutsANewIdentityInThePlaceOfARecycledOne() async throws {
        let ann = try await seat().signIn(with: google(.ann, work)).user
        let auth = seat("tablet")
        var token = work
        token.subject = "another subject"
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, token)) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let after = try await account(ann)
        XCTAssertEqual(after.identities.map(\.key.subject.text), ["another subject"])
    }

    func testACodeFromTheMailboxDoesNotPassTheSecondFactor() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let challenge = try await challenge { try await auth.resolve(conflict, signingInWith: link) }
        let result = try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await providers(ann)
        XCTAssertEqual(Set(left), [.password, .facebook])
    }

    func testACodeFromAnotherMailboxIsOfNoUse() async throws {
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "eve@example.com", from: auth)
        try await refusal(.userMismatch, .conflictIsWithAnother) {
            try await auth.resolve(conflict, signingInWith: link)
        }
    }

    // MARK: A fresh start

    func testWhoseProviderRunsTheMailboxStartsFreshAtOnce() async throws {
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, work)) }
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertTrue(result.isNewUser)
        XCTAssertNotEqual(result.user.uid, eve.uid)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertTrue(result.user.isEmailVerified)
        let left = try await account(eve)
        XCTAssertNil(left.email)
        XCTAssertEqual(left.providerData.map(\.provider), [.gitHub])
        try await refusal(.invalidCredential) {
            try await seat("y").signIn(with: .password(email: "ann@example.com", password: "eves own word"))
        }
        let back = try await seat("eve").signIn(with: gitHub(.eve))
        XCTAssertEqual(back.user.uid, eve.uid)
    }

    func testWhoseProviderDoesNotRunTheMailboxStartsFreshByACodeFromIt() async throws {
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        try await refusal(.unverifiedEmail, .addressIsNotProven) {
            try await auth.createSeparateAccount(from: conflict)
        }
        let wrong = try await mailedLink(to: "eve@example.com", from: auth)
        try await refusal(.unverifiedEmail, .addressIsNotProven) {
            try await auth.createSeparateAccount(from: conflict, verifying: wrong.mailed)
        }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        XCTAssertNotEqual(result.user.uid, eve.uid)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.facebook])
    }

    func testNobodyStartsFreshByTakingAnAccountsLastWayIn() async throws {
        let ann = try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.lastMethod, .methodIsTheLast) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
        try await ann.reload()
    }

    func testARecycledNumberStartsFreshAndTheOldAccountKeepsItsOtherMethods() async throws {
        let (ann, auth, conflict) = try await conflictOverARecycledNumber()
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertNotEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.phoneNumber, number)
        let left = try await account(ann)
        XCTAssertNil(left.phoneNumber)
        XCTAssertEqual(left.providerData.map(\.provider), [.password])
    }

    func testAFreshStartIsOneStepAndBoundToTheSeat() async throws {
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, work)) }
        try await refusal(.seatMismatch, .pendingIdentityIsOfAnotherSeat) {
            try await seat("thief").createSeparateAccount(from: conflict)
        }
        try await auth.createSeparateAccount(from: conflict)
        try await refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await auth.createSeparateAccount(from: conflict)
        }
    }

    func testACodeOfAnotherKindIsNoIdentityThatWaits() async throws {
        let auth = seat()
        let id = try await auth.sendPhoneCode(to: number)
        let pending = PendingCredential(provider: .gitHub, id: try XCTUnwrap(CapabilityKey(id)))
        try await refusal(.invalidCredential, .pendingIdentityIsOver) { try await service.verifyPending(pending) }
    }

    func testAGuestAnswersNoConflict() async throws {
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        try await refusal(.invalidCredential) { try await auth.resolve(conflict, signingInWith: .anonymous) }
        try await auth.resolve(conflict, signingInWith: Self.annsPassword)
    }

    func testAConflictEndsAfterFiveWrongAnswers() async throws {
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        for word in 1...5 {
            try await refusal(.invalidCredential) {
                try await auth.resolve(
                    conflict,
                    signingInWith: .password(email: "ann@example.com", password: "wrong word \(word)")
                )
            }
        }
        clock.advance(by: 300)
        try await refusal(.tooManyRequests, .attemptsMustWait) {
            try await auth.resolve(conflict, signingInWith: Self.annsPassword)
        }
    }

    func testANumberWhoseProofIsOldIsRenewedByThePasswordAndTheFactor() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: number, from: seat()))
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 91 * 86400)
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: digits(to: number, from: auth)) }
        let owed = try await challenge { try await auth.resolve(conflict, signingInWith: Self.annsPassword) }
        let result = try await auth.resolve(owed, with: .totp(totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.provider, .password)
        XCTAssertNil(result.additionalUserInfo)
        let known = try await challenge { try await auth.signIn(with: digits(to: number, from: auth)) }
        XCTAssertEqual(known.hints.map(\.kind), [.totp])
    }
}

extension SecondFactorTestCase {
    /// Somebody arrives with the number that Ann proved too long ago.
    func conflictOverARecycledNumber() async throws -> (ann: User, arrival: Auth, Conflict) {
        let phone = seat()
        let ann = try await signUpProvenAnn(phone)
        try await ann.link(with: digits(to: number, from: phone))
        clock.advance(by: 91 * 86400)
        let auth = seat("new owner of the number")
        let credential = try await digits(to: number, from: auth)
        let conflict = try await conflict { try await auth.signIn(with: credential) }
        return (ann, auth, conflict)
    }
}
