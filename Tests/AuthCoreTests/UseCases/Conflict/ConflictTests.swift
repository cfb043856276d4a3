@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// An identity that met a conflict is kept for a while, on the device where it arose, for one use.
final class ConflictTests: LimitedTestCase {
    private let world = World(.firebase)

    private func meetConflict(in auth: Auth) async throws -> Conflict {
        let error = try await world.refusal(.accountExistsWithDifferentCredential) {
            try await auth.signIn(with: world.gitHub())
        }
        return try XCTUnwrap(error.conflict)
    }

    func testResolvingSignsInAndLinksTheKeptIdentity() async throws {
        let ann = try await world.device("tablet").signIn(with: world.google()).user
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        XCTAssertEqual(conflict.existingProviders, [.google])
        XCTAssertEqual(conflict.displayName, "ann")
        XCTAssertEqual(conflict.credential.provider, .gitHub, "the provider of what is kept")
        let result = try await auth.resolve(conflict, signingInWith: world.google())
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertTrue(auth.currentUser === result.user)
        let again = try await world.device("third").signIn(with: world.gitHub()).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAConflictIsAValueThatMayBeKeptAndReadAgain() async throws {
        try await world.device("tablet").signIn(with: world.google())
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        let kept = try JSONEncoder().encode(conflict)
        let read = try JSONDecoder().decode(Conflict.self, from: kept)
        XCTAssertEqual(read, conflict)
        let result = try await auth.resolve(read, signingInWith: world.google())
        XCTAssertEqual(result.user.providerData.map(\.provider), [.google, .gitHub])
    }

    func testTheKeptIdentityWorksOnlyOnItsDevice() async throws {
        let ann = try await world.device("tablet").signIn(with: world.google()).user
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
            try await ann.link(with: conflict.credential)
        }
        try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
            try await world.device("third").signIn(with: conflict.credential)
        }
        // The same device in a later request, as on a server, is the same device.
        let later = try await world.device().signIn(with: world.google()).user
        try await later.link(with: conflict.credential)
    }

    func testTheKeptIdentityLastsTenMinutes() async throws {
        try await world.device("tablet").signIn(with: world.google())
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        XCTAssertEqual(conflict.expiresAt, world.clock.now.addingTimeInterval(600))
        let ann = try await auth.signIn(with: world.google()).user
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await ann.link(with: conflict.credential)
        }
        let second = try await meetConflict(in: auth)
        world.clock.advance(by: .seconds(599))
        try await ann.link(with: second.credential)
    }

    func testTheKeptIdentityWorksOnce() async throws {
        try await world.device("tablet").signIn(with: world.google())
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        let ann = try await auth.resolve(conflict, signingInWith: world.google()).user
        try await ann.unlink(.gitHub)
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await ann.link(with: conflict.credential)
        }
    }

    func testARefusedUseLeavesTheKeptIdentityAsItWas() async throws {
        let ann = try await world.device("tablet").signIn(with: world.google()).user
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        let error = try await world.refusal(.accountExistsWithDifferentCredential) {
            try await auth.signIn(with: conflict.credential)
        }
        XCTAssertEqual(error.conflict, conflict)
        let result = try await auth.resolve(conflict, signingInWith: world.google())
        XCTAssertEqual(result.user.uid, ann.uid)
    }

    func testSigningInAsSomebodyElseLinksNothingAndSignsNobodyIn() async throws {
        try await world.device("tablet").signIn(with: world.google())
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        for _ in ["unknown", "known"] {
            try await world.refusal(.userMismatch, .conflictIsWithAnother) {
                try await auth.resolve(conflict, signingInWith: world.google(.ben))
            }
            XCTAssertNil(auth.currentUser)
            try await world.device("third").signIn(with: world.google(.ben))
        }
        let result = try await auth.resolve(conflict, signingInWith: world.google())
        XCTAssertEqual(result.user.providerData.map(\.provider), [.google, .gitHub])
    }

    func testAWrongCredentialLeavesEverythingAsItWas() async throws {
        try await world.signUpAnn(world.device("tablet"))
        let auth = world.device()
        let conflict = try await meetConflict(in: auth)
        try await world.refusal(.wrongPassword) {
            try await auth.resolve(conflict, signingInWith: .password(email: "ann@example.com", password: "wrong"))
        }
        XCTAssertNil(auth.currentUser)
        try await auth.resolve(conflict, signingInWith: World.annsPassword)
    }

    func testAnIdentityInUseLeadsToItsAccountWithoutAnotherVisit() async throws {
        let ann = try await world.device("tablet").signIn(with: world.google()).user
        let auth = world.device()
        let guest = try await auth.signInAnonymously().user
        let error = try await world.refusal(.credentialAlreadyInUse) { try await guest.link(with: world.google()) }
        let conflict = try XCTUnwrap(error.conflict)
        XCTAssertTrue(auth.currentUser === guest)
        let result = try await auth.signIn(with: conflict.credential)
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertFalse(result.isNewUser)
        XCTAssertEqual(result.additionalUserInfo?.provider, .google)
    }

    func testATokenThatMayBeUsedOnceIsUsedByTheConflictsResolution() async throws {
        let ann = try await world.device("tablet").signIn(with: world.google()).user
        let auth = world.device()
        let guest = try await auth.signInAnonymously().user
        let once = world.google(.ann, SimulatedToken(nonce: "once"))
        let error = try await world.refusal(.credentialAlreadyInUse) { try await guest.link(with: once) }
        let user = try await auth.signIn(with: try XCTUnwrap(error.conflict).credential).user
        XCTAssertEqual(user.uid, ann.uid)
    }
}
