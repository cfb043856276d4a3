@testable import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// What dates of the future, and assurances that are not believed, must not do after an import.
final class ImportedDateAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testS39_TheMailboxAloneTakesNoImportedFactorOffThatIsOfTheFuture() async throws {
        try await bringAnnWithAFactorOfTheFuture()
        world.clock.advance(by: .seconds(60))
        let thief = world.device("thief")
        try await world.reset(to: "thiefs own word")
        let link = try await world.mailedLink(to: "ann@example.com", from: thief)
        let answer = try await thief.recoverFromLostFactors(
            with: link.mailed,
            and: .password(email: "ann@example.com", password: "thiefs own word")
        )
        XCTAssertNotEqual(answer, .removed, "the mailbox alone took the factor off at once")
    }

    func testS39_TheRecoveryFromTheLossOfAnImportedFactorEnds() async throws {
        try await bringAnnWithAFactorOfTheFuture()
        let own = world.device("own")
        _ = try await own.recoverFromLostFactors(with: world.mailedLink(to: "ann@example.com", from: own).mailed)
        world.clock.advance(by: .seconds(73 * 3600))
        let answer = try await own.recoverFromLostFactors(
            with: world.mailedLink(to: "ann@example.com", from: own).mailed
        )
        XCTAssertEqual(answer, .removed, "the recovery of the owner waits for ever")
    }

    func testS20_AResetSuspendsAnImportedIdentityWhoseWordIsNotBelieved() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        let stored = try await world.account(ann)
        let now = world.clock.timestamp
        var account = Account(copying: stored, id: "imported")
        XCTAssertEqual(account.identities.first?.assurance, .authoritative)
        account.evidence = []
        account.note(.email(try XCTUnwrap(account.email)), .imported(trusted: false), at: now)
        world.startOver(.standard)
        _ = try await world.service.bring(account, lastSignIn: now, trustedForJoin: false)
        world.clock.advance(by: .seconds(day))
        try await world.reset("ann@gmail.com")
        let after = try await world.service.account("imported")
        XCTAssertEqual(
            after.methods.filter(\.isActive).map(\.kind.provider),
            [.password],
            "only a file says that it is authoritative"
        )
    }

    func testS39_AnImportedDateOfTheFutureBlocksNoReset() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ann))
        let now = world.clock.timestamp
        let stored = try await world.account(ann)
        var account = Account(copying: stored, id: "imported")
        account.createdAt = now + .days(365)
        account.evidence = []
        account.note(.email(.ascii("ann@example.com")), .imported(trusted: false), at: now + .days(365))
        world.startOver(.standard)
        _ = try await world.service.bring(account, lastSignIn: now, trustedForJoin: false)
        world.clock.advance(by: .seconds(30 * day))
        try await world.reset()
        let password = AuthCredential.password(email: "ann@example.com", password: "anns own word")
        let back = try await world.device("phone").signIn(with: password).user
        XCTAssertEqual(back.uid, "imported", "whom the new password signs in")
        let after = try await world.account(back)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password], "what is left active")
    }

    func testS4_AnImportedIdentityWhoseAddressChangedLeavesNoEvidence() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        let now = world.clock.timestamp
        let stored = try await world.account(ann)
        var account = Account(copying: stored, id: "imported")
        account.evidence = []
        account.note(.email(try XCTUnwrap(account.email)), .imported(trusted: false), at: now)
        world.startOver(.standard)
        _ = try await world.service.bring(account, lastSignIn: now, trustedForJoin: false)
        world.clock.advance(by: .seconds(day))
        let again = try await world.device("own").signIn(with: world.google(.ann.with(email: "new@gmail.com"))).user
        XCTAssertEqual(again.uid, "imported")
        let after = try await world.account(again)
        XCTAssertFalse(after.isEmailVerified(under: world.policy), "Google says that the address is another now")
    }

    /// S13, S24: an imported proof of the address counts among what a merge takes away, as it does in a deletion.
    func testAYoungMethodMergesNoImportedAccountAway() async throws {
        let long = (world.clock.timestamp - .days(700)).milliseconds
        let subject = SimulatedPerson.ann.subject(at: .google)
        let file = """
            {"users": [{"localId": "ann", "email": "ann@example.com", "emailVerified": true,
            "createdAt": "\(long)", "lastSignedInAt": "\(long)",
            "providerUserInfo": [{"providerId": "google.com", "rawId": "\(subject)", "email": "ann@example.com"}]}]}
            """
        _ = try await world.service.importFirebaseExport(Array(file.utf8))
        let plain = SimulatedToken(email: .absent)
        let stolen = try await world.device("stolen").signIn(with: world.google(.ann, plain)).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(day))
        let ann = try await world.device("phone").signIn(with: world.google(.ann, plain)).user
        let other = SimulatedPerson(name: "Ann Archer", email: "ann.other@gmail.com")
        try await ann.replace(.google, with: world.google(other))
        world.clock.advance(by: .seconds(3600))
        let thief = try await world.device("thief").signIn(with: world.gitHub(.eve)).user
        await assertThrows(.requiresRecentLogin, "a deletion") { try await thief.delete(permanently: true) }
        try await world.signUp("eve@example.net", in: world.device("eve"))
        let client = world.service.client(world.context)
        let (source, target) = (try await world.side(.gitHub, .eve), try await world.passwordSide("eve@example.net"))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "a merge") {
            try await client.merge(source, into: target)
        }
    }

    /// Linking a password takes the place of one without an address, which is the owner's while it is suspended.
    func testS13_AYoungMethodReplacesNoOlderPasswordThatIsSuspendedAndHasNoAddress() async throws {
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(30 * day))
        let young = try await world.device().signIn(with: World.annsPassword).user
        try await young.link(with: world.gitHub(.eve))
        var account = try await world.account(ann)
        account.email = nil
        account.reservesEmail = false
        for index in account.methods.indices where account.methods[index].kind.provider == .password {
            account.methods[index].suspension = SignInMethod.Suspension(
                since: world.clock.timestamp,
                reason: .recoverySuspends
            )
        }
        world.startOver(.standard)
        world.clock.advance(by: .seconds(30 * day))
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: true)
        let eve = try await world.device().signIn(with: world.gitHub(.eve)).user
        let credential = AuthCredential.password(email: "eve@example.com", password: world.evesPassword)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await eve.link(with: credential) }
        world.clock.advance(by: .seconds(7 * day))
        let older = try await world.device().signIn(with: world.gitHub(.eve)).user
        try await older.link(with: credential)
    }

    private func bringAnnWithAFactorOfTheFuture() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        var account = Account(copying: try await world.account(ann), id: "imported")
        let now = world.clock.timestamp
        for index in account.factors.indices { account.factors[index].enrolledAt = now + .days(365) }
        world.startOver(.standard)
        let outcome = try await world.service.bring(account, lastSignIn: now, trustedForJoin: false)
        XCTAssertEqual(outcome, .created)
    }
}

extension Account {
    /// A copy under another ID, as an import brings it.
    fileprivate init(copying other: Account, id: AccountID) {
        self.init(id: id, createdAt: other.createdAt)
        email = other.email
        reservesEmail = other.reservesEmail
        wasEverVerified = other.wasEverVerified
        methods = other.methods
        factors = other.factors
        evidence = other.evidence
        nextGeneration = other.nextGeneration
    }
}
