@testable import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import XCTest

/// The face over a policy that suspends methods, which Firebase's does not.
final class SuspendedMethodTests: LimitedTestCase {
    private let world = World(.standard)

    func testASuspendedMethodIsConfirmedByLinkingItAgain() async throws {
        let (auth, word) = (world.auth, "anns own word")
        try await world.verifiedUser().link(with: world.gitHub(.ben))
        try auth.signOut()
        try await auth.sendPasswordReset(withEmail: "ann@example.com")
        try await auth.confirmPasswordReset(withCode: world.newestCode, newPassword: word)
        let again = try await auth.signIn(withEmail: "ann@example.com", password: word).user
        let before = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(before?.methods.filter { !$0.isActive }.map(\.kind.provider), [.gitHub])
        let listed = again.providerData.map(\.providerID)
        XCTAssertTrue(listed.contains("github.com"), "a suspended method is not among \(listed)")
        try await again.link(with: world.gitHub(.ben))
        let after = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(after?.methods.allSatisfy(\.isActive), true, "GitHub stays suspended")
    }
}
