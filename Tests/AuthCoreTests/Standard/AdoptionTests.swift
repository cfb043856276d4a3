@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S8: an account that was never proved goes to who proves its address, and a password that is shown stays.
final class AdoptionTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    func testAPasswordThatIsShownInTheSameAttemptStays() async throws {
        let ann = try await signUpAnn(seat("laptop"))
        let auth = seat()
        let arrived = try await auth.signIn(with: google(.ann, work), retainingPassword: Self.password)
        XCTAssertEqual(arrived.user.uid, ann.uid)
        let left = try await providers(ann)
        XCTAssertEqual(left, [.password, .google])
        try await refusal(.userTokenExpired) { try await ann.reload() }
        let again = try await seat("tablet").signIn(with: Self.annsPassword)
        XCTAssertEqual(again.user.uid, ann.uid)
        let covered = try await account(ann).methods.allSatisfy { !$0.coverage.isEmpty }
        XCTAssertTrue(covered, "what was shown together with the proof is covered by it")
    }

    func testAWrongPasswordKeepsNothing() async throws {
        let ann = try await signUpAnn(seat("laptop"))
        try await seat().signIn(with: google(.ann, work), retainingPassword: "not the word")
        let left = try await providers(ann)
        XCTAssertEqual(left, [.google])
    }

    func testAPasswordThatIsNotShownGoes() async throws {
        let ann = try await signUpAnn(seat("laptop"))
        try await seat().signIn(with: google(.ann, work))
        let left = try await providers(ann)
        XCTAssertEqual(left, [.google])
        try await refusal(.invalidCredential) { try await seat("tablet").signIn(with: Self.annsPassword) }
    }
}
