@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreTexts

/// S38: which passwords can be set.
final class PasswordRuleTests: LimitedTestCase {
    private struct Blocklist: PasswordBlocklist {
        var failure: (any Error)?

        func contains(_ password: Secret) async throws -> Bool {
            if let failure { throw failure }
            await Task.yield()
            return password == Secret("breached last year")
        }
    }

    private func signUp(_ world: World, _ password: String) async throws {
        try await world.stranger().signUp(email: "ann@example.com", password: password)
    }

    func testS38_APasswordHasEightCharactersAndIsNotACommonOne() async throws {
        let world = World(.standard)
        let refused: [(String, Reason)] = [
            ("short 1", .passwordIsTooShort), ("12345678", .passwordIsDenied), ("Password1", .passwordIsDenied),
            ("QWERTYUIOP", .passwordIsDenied), ("iloveyou", .passwordIsDenied), ("P@ssw0rd!", .passwordIsDenied),
            ("admin2025", .passwordIsDenied), ("ginger12", .passwordIsDenied),
            ("1q2w3e4r", .passwordIsDenied), ("liverpool", .passwordIsDenied),
        ]
        for (password, reason) in refused {
            try await world.refusal(.weakPassword, reason, password) { try await signUp(world, password) }
        }
        try await signUp(world, "eight ch")
    }

    /// Records what it is to look for, and fails.
    private final class RecordingBlocklist: PasswordBlocklist {
        let asked = Mutex(0)

        func contains(_ password: Secret) async throws -> Bool {
            asked.withLock { $0 += 1 }
            throw StoreFailure()
        }
    }

    func testS38_AListOfTheAppIsNotAskedForAPasswordThatIsRefusedAnyway() async throws {
        let list = RecordingBlocklist()
        let world = World(.standard) { $0.passwordBlocklist = list }
        for (password, reason) in [
            ("short", Reason.passwordIsTooShort), (String(repeating: "long", count: 5000), .passwordIsTooLong),
        ] {
            try await world.refusal(.weakPassword, reason) { try await signUp(world, password) }
        }
        XCTAssertEqual(list.asked.withLock { $0 }, 0, "how often the list was asked")
    }

    /// Records the lengths of the passwords that it compares.
    private final class RecordingHasher: PasswordHasher {
        private let cheap = CheapPasswordHasher()
        let lengths = Mutex<[Int]>([])

        var placeholder: PasswordHash { cheap.placeholder }

        func hash(_ password: Secret) async throws -> PasswordHash { try await cheap.hash(password) }

        func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
            lengths.withLock { $0.append(password.utf8Count) }
            return try await cheap.check(password, against: hash)
        }

        func canCheck(_ hash: PasswordHash) -> Bool { cheap.canCheck(hash) }
    }

    func testS38_APasswordThatIsTooLongIsNotHashedWhereItIsCompared() async throws {
        let hasher = RecordingHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpVerifiedAnn()
        let long = String(repeating: "x", count: world.policy.passwordRule.maximumBytes + 1)
        await assertThrows(.invalidCredential) {
            try await world.stranger().signIn(with: .password(email: "ann@example.com", password: long))
        }
        XCTAssertEqual(hasher.lengths.withLock { $0 }, [0], "what was compared, with the hash of no one")
    }

    func testNoWordOfTheListOfCommonPasswordsIsLost() {
        for password in ["monkey1234", "softball", "josephine", "Trustno1", "butterfly"] {
            XCTAssertTrue(CommonPasswords.contains(password), password)
        }
        XCTAssertEqual(CommonPasswords.all.count, 2431, "the list is another one than the one that was reviewed")
        XCTAssertEqual(CommonPasswords.all.filter { $0.utf8.count < 8 }, [], "what is too short in any case")
        XCTAssertEqual(CommonPasswords.all.filter { $0 != $0.lowercased() }, [], "what no password is compared with")
    }

    func testS38_FirebasesPolicyAsksForSixCharactersOnly() async throws {
        let world = World(.firebase)
        try await world.refusal(.weakPassword, .passwordIsTooShort) { try await signUp(world, "12345") }
        try await signUp(world, "123456")
    }

    func testS38_AListOfTheAppIsAskedWhereAPasswordIsSet() async throws {
        let world = World(.standard) { $0.passwordBlocklist = Blocklist() }
        try await world.refusal(.weakPassword, .passwordIsDenied, "sign-up") {
            try await signUp(world, "breached last year")
        }
        let ann = try await world.signUpVerifiedAnn()
        try await world.refusal(.weakPassword, .passwordIsDenied, "change") {
            try await ann.updatePassword(to: "breached last year")
        }
        try await world.stranger().sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.weakPassword, .passwordIsDenied, "reset") {
            try await world.stranger().confirmPasswordReset(code: code, newPassword: "breached last year")
        }
        let guest = try await world.stranger().signInAnonymously().user
        try await world.refusal(.weakPassword, .passwordIsDenied, "link") {
            try await guest.link(with: .password(email: "ben@example.com", password: "breached last year"))
        }
        await assertThrows(.invalidCredential, "a password that is compared is not looked up") {
            try await world.stranger().signIn(with: .password(email: "ann@example.com", password: "breached last year"))
        }
    }

    func testS38_WhereTheListCannotBeAskedNoPasswordIsSet() async throws {
        let failures: [(any Error, AuthErrorCode)] = [
            (VerificationFailure.unreachable, .networkError), (CancellationError(), .canceled),
        ]
        for (failure, code) in failures {
            let world = World(.standard) { $0.passwordBlocklist = Blocklist(failure: failure) }
            await assertThrows(code) { try await signUp(world, "battery staple") }
            let accounts = try await world.service.accounts()
            XCTAssertEqual(accounts, [], "\(code)")
        }
    }

    func testS38_APasswordAloneCanNeedMoreCharacters() async throws {
        var policy = AuthPolicy.standard
        policy.passwordRule.minimumLengthAlone = 15
        let world = World(policy)
        try await world.refusal(.weakPassword, .passwordIsTooShort) { try await signUp(world, "fourteen chars") }
        let client = world.stranger()
        let ann = try await client.signUp(email: "ann@example.com", password: "fifteen  chars!").user
        try await world.verifyAddress(of: ann)
        try await world.refusal(.weakPassword, .passwordIsTooShort) {
            try await ann.updatePassword(to: "fourteen chars")
        }
        try await world.enrollTOTP(ann)
        try await ann.updatePassword(to: "fourteen chars")
        // A factor that is suspended does not count.
        try await client.reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        let again = try await client.signIn(with: .password(email: "ann@example.com", password: "fourteen chars")).user
        try await world.refusal(.weakPassword, .passwordIsTooShort, "with a suspended factor") {
            try await again.updatePassword(to: "another 14 chr")
        }
        // The same where a first password is linked.
        let ben = try await world.device("ben").signIn(with: world.google(.ben, world.work)).user
        let email = try XCTUnwrap(ben.email)
        try await world.refusal(.weakPassword, .passwordIsTooShort) {
            try await ben.link(with: .password(email: email, password: "fourteen chars"))
        }
        try await world.enrollTOTP(ben)
        try await ben.link(with: .password(email: email, password: "fourteen chars"))
    }

    /// Enrolls a factor and unenrolls it on another device, of which the user that is signed in here learns nothing.
    private func enrollAndUnenrollElsewhere(_ user: User, _ credential: AuthCredential, _ world: World) async throws {
        let app = try await world.enrollTOTP(user)
        world.clock.advance(by: .seconds(60))
        let laptop = world.device("laptop")
        let challenge = try await world.challenge { try await laptop.signIn(with: credential) }
        let there = try await laptop.resolve(challenge, with: .totp(world.totp(app))).user
        try await there.multiFactor.unenroll(XCTUnwrap(there.multiFactor.enrolledFactors.first).id)
        XCTAssertEqual(user.multiFactor.enrolledFactors.count, 1, "the factors that are known here")
    }

    func testANewPasswordIsAloneOnceTheFactorWasUnenrolledOnAnotherDevice() async throws {
        var policy = AuthPolicy.standard
        policy.passwordRule.minimumLengthAlone = 15
        let world = World(policy)
        let ann = try await world.device().signUp(email: "ann@example.com", password: "fifteen  chars!").user
        try await world.verifyAddress(of: ann)
        let credential = AuthCredential.password(email: "ann@example.com", password: "fifteen  chars!")
        try await enrollAndUnenrollElsewhere(ann, credential, world)
        try await world.refusal(.weakPassword, .passwordIsTooShort, "eight letters") {
            try await ann.updatePassword(to: "qkzvwpxj")
        }
    }

    func testAFirstPasswordIsAloneOnceTheFactorWasUnenrolledOnAnotherDevice() async throws {
        var policy = AuthPolicy.standard
        policy.passwordRule.minimumLengthAlone = 15
        let world = World(policy)
        let ben = try await world.device().signIn(with: world.google(.ben, world.work)).user
        try await enrollAndUnenrollElsewhere(ben, world.google(.ben, world.work), world)
        let email = try XCTUnwrap(ben.email)
        try await world.refusal(.weakPassword, .passwordIsTooShort, "eight letters") {
            try await ben.link(with: .password(email: email, password: "qkzvwpxj"))
        }
    }

    func testS38_AnAppMayNormalizePasswordsBeforeTheyAreSetAndCompared() async throws {
        let world = World(.standard) { $0.normalizePassword = { $0.lowercased() } }
        try await signUp(world, "Battery Staple")
        try await world.stranger().signIn(with: .password(email: "ann@example.com", password: "BATTERY staple"))
        let plain = World(.standard)
        try await signUp(plain, "Battery Staple")
        await assertThrows(.invalidCredential, "passwords are compared as typed") {
            try await plain.stranger().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
        }
    }

    func testAPasswordThatBecomesTooShortWhenItIsNormalizedIsRefused() async throws {
        let world = World(.standard) { $0.normalizePassword = { $0.filter { $0 != " " } } }
        try await world.refusal(.weakPassword, .passwordIsTooShort, "seven letters and as many spaces") {
            try await signUp(world, "q w z k j v x ")
        }
    }

    /// Normalizing a text may take longer than its length suggests.
    func testS38_APasswordThatIsTooLongIsNotNormalized() async throws {
        let world = World(.standard) {
            $0.normalizePassword = { password in
                XCTAssertLessThanOrEqual(password.utf8.count, 4096, "bytes to normalize")
                return password
            }
        }
        let long = String(repeating: "a", count: 4097)
        try await world.refusal(.weakPassword, .passwordIsTooLong) { try await self.signUp(world, long) }
        await assertThrows(.invalidCredential, "a sign-in with such a password") {
            try await world.stranger().signIn(with: .password(email: "ann@example.com", password: long))
        }
        try await signUp(world, String(repeating: "a", count: 4096))
    }

    func testS38_TheLongestPasswordIsNormalizedToo() async throws {
        let world = World(.standard) { $0.normalizePassword = { $0.lowercased() } }
        let longest = String(repeating: "Ab", count: 2048)
        let ann = try await world.device().signUp(email: "ann@example.com", password: longest).user
        let lowercased = AuthCredential.password(email: "ann@example.com", password: longest.lowercased())
        let again = try await world.device().signIn(with: lowercased).user
        XCTAssertEqual(again.uid, ann.uid, "who signs in with the normalized password")
    }

    func testS38_AListOfTheAppIsAskedForThePasswordAsItIsNormalized() async throws {
        let world = World(.standard) {
            $0.passwordBlocklist = Blocklist()
            $0.normalizePassword = { $0.lowercased() }
        }
        try await world.refusal(.weakPassword, .passwordIsDenied, "a denied password in capitals") {
            try await signUp(world, "Breached Last Year")
        }
    }

    func testS38_AMailedCodeSetsAShorterPasswordWhereTheAccountHasAFactor() async throws {
        var policy = AuthPolicy.standard
        policy.passwordRule.minimumLengthAlone = 15
        let world = World(policy)
        let ann = try await world.stranger().signUp(email: "ann@example.com", password: "fifteen  chars!").user
        try await world.verifyAddress(of: ann)
        try await world.stranger().sendPasswordReset(to: "ann@example.com")
        let early = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.weakPassword, .passwordIsTooShort, "a password alone") {
            try await world.stranger().confirmPasswordReset(code: early, newPassword: "fourteen chars")
        }
        try await world.enrollTOTP(ann)
        try await world.stranger().sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        try await world.stranger().confirmPasswordReset(code: code, newPassword: "fourteen chars")
    }
}
