import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The spellings that some pages of the documentation still show.
final class OlderSpellingTests: XCTestCase {
    private let world = World()

    @available(*, deprecated)
    func testTheyDoWhatTheirSuccessorsDo() async throws {
        let signedIn = expectation(description: "signed in")
        world.auth.signInAndRetrieveData(with: world.google()) { result, error in
            XCTAssertNil(error)
            XCTAssertEqual(result?.user.email, "ann@example.com")
            signedIn.fulfill()
        }
        await fulfillment(of: [signedIn], timeout: 10)
        let linked = expectation(description: "linked")
        world.auth.currentUser?
            .linkAndRetrieveData(with: world.gitHub()) { result, error in
                XCTAssertNil(error)
                XCTAssertEqual(result?.user.providerData.count, 2)
                linked.fulfill()
            }
        await fulfillment(of: [linked], timeout: 10)
        let listed = expectation(description: "listed")
        world.auth.fetchProviders(forEmail: "ann@example.com") { methods, error in
            XCTAssertNil(error)
            XCTAssertEqual(methods?.sorted(), ["github.com", "google.com"])
            listed.fulfill()
        }
        await fulfillment(of: [listed], timeout: 10)
        let current = try await world.auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(current.sorted(), ["github.com", "google.com"])
    }
}
