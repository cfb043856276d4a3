@testable import AuthCore
import AuthCoreTesting
import XCTest

final class ProfileTests: LimitedTestCase {
    private let world = World(.firebase)

    func testWhatIsMentionedChangesAndWhatIsNotStays() async throws {
        let ann = try await world.signUpAnn()
        try await ann.updateProfile(displayName: .set("Annie"), photoURL: .set("https://example.com/me.jpg"))
        try await ann.updateProfile(displayName: .set("Ann"))
        XCTAssertEqual(ann.displayName, "Ann")
        XCTAssertEqual(ann.photoURL, "https://example.com/me.jpg")
        try await ann.updateProfile(photoURL: .clear)
        XCTAssertEqual(ann.displayName, "Ann")
        XCTAssertNil(ann.photoURL)
    }

    func testThePasswordEntryShowsTheProfileAndAProvidersEntryItsOwn() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google())
        try await ann.updateProfile(displayName: .set("Annie"))
        XCTAssertEqual(ann.providerData.map(\.displayName), ["Annie", "Ann Archer"])
    }

    func testAChangeThatChangesNothingIsNoEvent() async throws {
        let ann = try await world.signUpAnn()
        try await ann.updateProfile(displayName: .set("Annie"))
        let before = try await world.eventKinds()
        try await ann.updateProfile(displayName: .set("Annie"))
        try await ann.updateProfile()
        let after = try await world.eventKinds()
        XCTAssertEqual(before, after)
        XCTAssertEqual(after.last, .profileChanged)
    }

    func testOtherSessionsSeeItWhenTheyLookAgain() async throws {
        let guest = try await world.signUpAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await guest.updateProfile(displayName: .set("Annie"))
        XCTAssertNil(other.displayName)
        try await other.reload()
        XCTAssertEqual(other.displayName, "Annie")
    }
}
