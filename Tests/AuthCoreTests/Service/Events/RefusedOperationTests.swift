@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a check before the rules refuses is recorded under the name of its operation, with who asked and for whom.
final class RefusedOperationTests: LimitedTestCase {
    private let world = World(
        .weakened { policy in
            var limits = AuthPolicy.AttemptLimits()
            (limits.accountsFromOrigin, limits.newPasswords) = (1, 1)
            (limits.visitsFromOrigin, limits.visitsOfAccount) = (1, 2)
            (limits.mails, limits.texts, limits.factorTexts) = (1, 1, 1)
            policy.limits = limits
        }
    )
    private let long = String(repeating: "n", count: 100_000)

    private func client(_ address: String) -> AuthClient {
        world.service.client(for: nil, origin: .address(address), deviceName: "laptop")
    }

    /// Acts until something is refused, at most 20 times, and expects one record of it.
    private func assertRecorded(
        _ operation: String,
        _ code: AuthErrorCode,
        account: AccountID? = nil,
        recipient: String? = nil,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async {
        let before = world.service.refusals(limit: .max).count
        var refusal: AuthError?
        for _ in 0..<20 where refusal == nil {
            do { _ = try await act() } catch { refusal = error as? AuthError }
        }
        XCTAssertEqual(refusal?.code, code, "what \(operation) is refused with", line: line)
        let entries = world.service.refusals(limit: .max)
        XCTAssertEqual(entries.count, before + 1, "records of one refusal", line: line)
        let entry = entries.first
        XCTAssertEqual(entry?.operation.rawValue, operation, "the operation that is recorded", line: line)
        XCTAssertEqual(entry?.code, code, "the code that is recorded", line: line)
        XCTAssertEqual(entry?.account, account, "the account that \(operation) is recorded with", line: line)
        let hash = recipient.map { world.service.key(.password, $0).hash }
        XCTAssertEqual(entry?.recipient, hash, "the recipient that \(operation) is recorded with", line: line)
    }

    func testTooManyNewAccountsOfAnOriginAreRecordedUnderWhatWouldMakeThem() async throws {
        var count = 0
        let first = client("192.0.2.1")
        await assertRecorded("signUp", .tooManyRequests) {
            count += 1
            return try await first.signUp(email: "person\(count)@example.com", password: World.password)
        }
        let second = client("192.0.2.2")
        await assertRecorded("signInAnonymously", .tooManyRequests) { try await second.signInAnonymously() }
        let third = client("192.0.2.3")
        let verified = try await third.verify(.anonymous)
        await assertRecorded("signInAnonymously", .tooManyRequests) { try await third.signIn(with: verified) }
        let fourth = client("192.0.2.4")
        await assertRecorded("signInAnonymously", .tooManyRequests) {
            try await fourth.signIn(with: .anonymous, retainingPassword: World.password)
        }
    }

    func testTooManyNewPasswordsAreRecordedUnderWhatWouldSetThem() async throws {
        var count = 0
        for (operation, act) in [
            ("changePassword", { (user: User) in try await user.updatePassword(to: "a fresh new word") }),
            ("changeEmail", { (user: User) in try await user.updateEmail(to: "ann@example.com") }),
            (
                "requestEmailChange",
                { (user: User) in
                    count += 1
                    try await user.sendEmailVerification(beforeUpdatingTo: "new\(count)@example.com")
                }
            ),
            (
                "linkMethod",
                { (user: User) in
                    _ = try? await user.unlink(.password)
                    try await user.link(with: .password(email: "ann@example.com", password: "a fresh new word"))
                }
            ),
        ] as [(String, (User) async throws -> Void)] {
            let user = try await world.device(operation).signIn(with: world.google(.ann, world.work)).user
            await assertLimited(operation) { try await act(user) }
            try await user.delete(permanently: true)
        }
    }

    func testTooManySeedsAndRecoveryCodesAreRecordedUnderWhatWouldKeepThem() async throws {
        let ann = try await world.signUpVerifiedAnn()
        await assertRecorded("keepSeed", .tooManyRequests) { try await ann.multiFactor.startTOTP(issuer: "Boats") }
        await assertRecorded("changeFactors", .tooManyRequests) { try await ann.multiFactor.makeRecoveryCodes() }
    }

    func testAnAnswerToAConflictThatIsOverIsRecordedUnderWhatItAnswers() async throws {
        let auth = world.device()
        try await auth.signIn(with: world.google(.ann))
        let conflict = try await world.conflict { try await auth.signIn(with: self.world.gitHub(.ann)) }
        try await auth.resolve(conflict, signingInWith: world.google(.ann))
        await assertRecorded("resolveConflict", .invalidCredential) {
            try await auth.resolve(conflict, signingInWith: self.world.google(.ann))
        }
    }

    func testTooManyNewPasswordsByAMailedCodeAreRecorded() async throws {
        let auth = world.device()
        try await world.signUpVerifiedAnn(auth)
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        await assertLimited("resetPassword") {
            _ = try await auth.confirmPasswordReset(code: code, newPassword: "x")
        }
    }

    /// Acts until there was too much of it, and expects it to be recorded under the operation.
    private func assertLimited(_ operation: String, line: UInt = #line, _ act: () async throws -> Void) async {
        for _ in 0..<20 {
            do { try await act() } catch let error as AuthError where error.code == .tooManyRequests { break } catch {}
        }
        let entry = world.service.refusals().first
        XCTAssertEqual(entry?.code, .tooManyRequests, "what \(operation) is refused with", line: line)
        XCTAssertEqual(entry?.operation.rawValue, operation, "the operation that is recorded", line: line)
    }

    func testTooManyMessagesAreRecordedWithTheirRecipient() async throws {
        let auth = world.device()
        await assertRecorded("sendMessage", .tooManyRequests, recipient: "eve@example.com") {
            try await auth.sendSignInLink(to: "eve@example.com")
        }
        await assertRecorded("sendMessage", .tooManyRequests, recipient: "+15550006666") {
            try await auth.sendPhoneCode(to: "+15550006666")
        }
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: world.number, from: auth))
        await assertRecorded("sendMessage", .tooManyRequests, recipient: world.number) {
            try await auth.sendPhoneCode(to: world.number)
        }
        let known = try await world.annsDevice()
        await assertRecorded("sendMessage", .tooManyRequests, recipient: "ann@example.com") {
            try await known.sendSignInLink(to: "ann@example.com")
        }
        // Each session has a limit of its own besides.
        let elsewhere = try await world.stranger().signIn(with: World.annsPassword).user
        try await elsewhere.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        await assertRecorded("sendMessage", .tooManyRequests, recipient: "new@example.com") {
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        }
    }

    func testTooManyTextsToAFactorAreRecordedAsMessages() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: try world.newestCode(to: world.number))
        let challenge = try await world.passwordChallenge(in: auth)
        let factor = try XCTUnwrap(challenge.hints.first).id
        await assertRecorded("sendMessage", .tooManyRequests) {
            try await auth.sendPhoneCode(for: challenge, factor: factor)
        }
    }

    func testTooManyVisitsAndNoncesAreRecordedWithoutAnAccount() async throws {
        let visitor = client("192.0.2.3")
        await assertRecorded("makeNonce", .tooManyRequests) { try await visitor.nonce(for: .signIn) }
        let handle = try await world.device().signInAnonymously().user.handle
        await assertRecorded("beginAuthorization", .tooManyRequests) {
            try await self.world.service.beginAuthorization(
                .link(handle.session),
                with: .google,
                redirectURI: "https://boats.example/back",
                by: handle,
                RequestContext(device: "phone")
            )
        }
    }

    func testAnAnswerToNothingIsRecordedUnderWhatItWouldHaveEnded() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let enrollment = try await world.enrollTOTP(ann)
        let challenge = try await world.passwordChallenge(in: auth)
        let right = try world.totp(enrollment, steps: 1)
        try await auth.resolve(challenge, with: .totp(right))
        await assertRecorded("resolveChallenge", .invalidMultiFactorSession) {
            try await auth.resolve(challenge, with: .totp(right))
        }
        let handle = ann.handle
        await assertRecorded("redeemAuthorization", .invalidCredential, account: ann.account.id) {
            _ = try await self.world.service.authorization("unknown", by: handle, RequestContext(device: "phone"))
        }
    }

    func testAWrongAnswerToTheChallengeOfAMergeIsRecordedUnderWhatItWasFor() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let enrollment = try await world.enrollTOTP(ann)
        let client = auth.client
        let side = Merge.Side.verified(try await client.verify(World.annsPassword))
        let other = Merge.Side.verified(try await client.verify(world.google(.ben)))
        _ = try await world.device("ben").signIn(with: world.google(.ben))
        let error = try await world.refusal(.secondFactorRequired) { try await client.merge(side, into: other) }
        let challenge = try XCTUnwrap(error.secondFactor)
        let wrong = SecondFactor.Assertion.totp(try world.wrongTOTP(enrollment))
        let (merging, account) = (Merge.Side.answering(challenge, wrong), ann.account.id)
        await assertRecorded("beginMerge", .invalidVerificationCode, account: account) {
            try await client.merge(merging, into: other)
        }
        await assertRecorded("beginMerge", .invalidVerificationCode, account: account) {
            try await client.previewMerge(other, into: merging)
        }
        let signIn = try await world.passwordChallenge(in: auth)
        await assertRecorded("beginMerge", .invalidMultiFactorSession, account: account) {
            try await client.merge(.answering(signIn, wrong), into: other)
        }
        let elsewhere = world.device("eve").client
        await assertRecorded("beginMerge", .deviceMismatch) {
            try await elsewhere.merge(merging, into: other)
        }
    }

    func testAnUndoThatIsRefusedBeforeTheRulesIsRecorded() async throws {
        let client = world.device().client
        let side = Merge.Side.verified(try await client.verify(world.google(.ben)))
        await assertRecorded("undoMerge", .mergeNotPossible) {
            try await client.undoMerge(Merge.ID(bits: 7), verifiedBy: side)
        }
    }

    func testATextForAChallengeOfAnotherDeviceIsRecorded() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await world.enrollPhone(ann)
        let challenge = try await world.passwordChallenge(in: auth)
        let factor = try XCTUnwrap(challenge.hints.first).id
        let eve = world.device("eve")
        await assertRecorded("requestChallengeCode", .deviceMismatch) {
            try await eve.sendPhoneCode(for: challenge, factor: factor)
        }
    }

    func testAMessageThatWouldContinueElsewhereIsRecorded() async throws {
        let auth = world.device()
        let settings = Message.Settings(continueURL: "https://evil.example/")
        await assertRecorded("sendMessage", .unauthorizedDomain) {
            try await auth.sendSignInLink(to: "ann@example.com", settings: settings)
        }
        let ann = try await world.signUpAnn(auth)
        await assertRecorded("sendMessage", .unauthorizedDomain) {
            try await ann.sendEmailVerification(settings: settings)
        }
    }

    func testATextThatIsTooLongIsRecordedUnderWhatItWasFor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let account = ann.account.id
        await assertRecorded("updateProfile", .textTooLong, account: account) {
            try await ann.updateProfile(displayName: .set(long))
        }
        await assertRecorded("updateProfile", .textTooLong, account: account) {
            try await ann.updateProfile(photoURL: .set(long))
        }
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let code = try world.totp(enrollment)
        await assertRecorded("enrollFactor", .textTooLong, account: account) {
            try await ann.multiFactor.enroll(enrollment, code: code, displayName: long)
        }
        let id = try await ann.multiFactor.sendPhoneCode(to: world.number)
        let digits = try world.newestCode(to: world.number)
        await assertRecorded("enrollFactor", .textTooLong, account: account) {
            try await ann.multiFactor.enroll(phoneVerificationID: id, code: digits, displayName: long)
        }
        try await ann.multiFactor.enroll(enrollment, code: code)
        let factor = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        await assertRecorded("changeFactors", .textTooLong, account: account) {
            try await ann.multiFactor.rename(factor, to: long)
        }
        let handle = ann.handle
        await assertRecorded("beginAuthorization", .textTooLong, account: account) {
            try await self.world.service.beginAuthorization(
                .link(handle.session),
                with: .google,
                redirectURI: long,
                by: handle,
                RequestContext(device: "phone")
            )
        }
    }
}
