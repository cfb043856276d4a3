import AuthCore
import AuthCoreTesting
import XCTest

/// A conflict that is answered by a new account: what was verified moves there.
final class SeparateAccountTests: LimitedTestCase {
    private let world = World(.standard)

    func testWhoseProviderRunsTheMailboxStartsFreshAtOnce() async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertTrue(result.isNewUser)
        XCTAssertNotEqual(result.user.uid, eve.uid)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertTrue(result.user.isEmailVerified)
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
        XCTAssertEqual(left.providerData.map(\.provider), [.gitHub])
        try await world.refusal(.invalidCredential) {
            try await world.device("y").signIn(with: .password(email: "ann@example.com", password: "eves own word"))
        }
        let back = try await world.device("eve").signIn(with: world.gitHub(.eve))
        XCTAssertEqual(back.user.uid, eve.uid)
    }

    func testWhoseProviderDoesNotRunTheMailboxStartsFreshByACodeFromIt() async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await auth.createSeparateAccount(from: conflict)
        }
        let wrong = try await world.mailedLink(to: "eve@example.com", from: auth)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await auth.createSeparateAccount(from: conflict, verifying: wrong.mailed)
        }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        XCTAssertNotEqual(result.user.uid, eve.uid)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.facebook])
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await auth.signIn(with: link)
        }
    }

    func testASeparateAccountMayLeaveNoMethodToOneThatNeverVerifiedTheAddress() async throws {
        let old = try await world.signUpAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        let left = try await world.account(old)
        XCTAssertEqual(left.methods, [], "the methods of the account that never verified it")
    }

    func testNoSeparateAccountTakesTheLastMethodOfAnAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.lastMethod, .methodIsTheLast) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
        try await ann.reload()
    }

    func testARecycledNumberStartsFreshAndTheOldAccountKeepsItsOtherMethods() async throws {
        let (ann, auth, conflict) = try await world.conflictOverARecycledNumber()
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertNotEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.phoneNumber, world.number)
        let left = try await world.account(ann)
        XCTAssertNil(left.phoneNumber)
        XCTAssertEqual(left.providerData.map(\.provider), [.password])
    }

    func testAFreshStartIsOneStepAndBoundToTheDevice() async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
            try await world.device("thief").createSeparateAccount(from: conflict)
        }
        try await auth.createSeparateAccount(from: conflict)
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await auth.createSeparateAccount(from: conflict)
        }
    }
}
