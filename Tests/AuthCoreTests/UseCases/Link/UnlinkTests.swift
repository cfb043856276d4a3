@testable import AuthCore
import AuthCoreTesting
import XCTest

final class UnlinkTests: LimitedTestCase {
    private var world = World(.firebase)

    func testAnUnlinkedIdentityGoesAndWhatItBroughtStays() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.link(with: world.facebook())
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData.map(\.provider), [.facebook])
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        XCTAssertEqual(ann.displayName, "Ann Archer")
    }

    func testAnUnlinkedIdentityComesBackByItsAddressOrMeetsItsOldAccount() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.link(with: world.facebook())
        try await ann.unlink(.google)
        try await ann.unlink(.facebook)
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device().signIn(with: world.facebook())
        }
        let back = try await world.device().signIn(with: world.google()).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testThePasswordTakesTheAddressWithIt() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.unlink(.password)
        XCTAssertNil(ann.email)
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.provider), [.phone])
        try await world.signUpAnn(world.device("tablet"))
    }

    func testAnAddressThatAnIdentityBringsTooStays() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.link(with: World.annsPassword)
        try await ann.unlink(.password)
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await world.refusal(.emailAlreadyInUse) { try await world.signUpAnn(world.device("tablet")) }
        try await world.refusal(.wrongPassword) { try await world.device("tablet").signIn(with: World.annsPassword) }
    }

    func testAnUnlinkedNumberIsFree() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.unlink(.phone)
        XCTAssertNil(ann.phoneNumber)
        let result = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth))
        XCTAssertTrue(result.isNewUser)
    }

    func testAProviderThatIsNotLinkedIsSaidNotToBe() async throws {
        let ann = try await world.signUpAnn()
        for provider in [ProviderID.google, .phone, .anonymous, .emailLink, "oidc.example"] {
            try await world.refusal(.noSuchProvider, .providerIsNotLinked, "\(provider)") {
                try await ann.unlink(provider)
            }
        }
    }

    func testTheLastMethodMayBeRemovedAndTheAccountStays() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData, [])
        XCTAssertFalse(ann.isAnonymous)
        try await ann.reload()
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [])
    }

    func testTheLastMethodMayHaveToStay() async throws {
        world.policy.lastMethod = .kept
        let ann = try await world.device().signIn(with: world.google()).user
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.google) }
        try await ann.link(with: world.facebook())
        try await ann.unlink(.google)
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.facebook) }
    }

    func testSessionsOfARemovedMethodGoOnOrEndAsThePolicySays() async throws {
        for removedMethod in AuthPolicy.RemovedMethod.allCases {
            world.startOver()
            world.policy.removedMethod = removedMethod
            let ann = try await world.device("phone").signIn(with: world.google()).user
            let other = try await world.device("tablet").signIn(with: world.google()).user
            try await ann.link(with: world.facebook())
            try await ann.unlink(.google)
            try await ann.reload()
            switch removedMethod {
            case .keepsItsSessions: try await other.reload()
            case .endsItsSessions:
                try await world.refusal(.userTokenExpired, .sessionIsOver) { try await other.reload() }
            }
        }
    }

    func testUnlinkingTellsOfTheMethodsOnBothSides() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.link(with: world.facebook())
        try await ann.unlink(.google)
        let event = try await world.service.events().events.last
        XCTAssertEqual(event?.kind, .methodsChanged)
        XCTAssertEqual(event?.before?.map(\.provider), [.google, .facebook])
        XCTAssertEqual(event?.after?.map(\.provider), [.facebook])
        XCTAssertEqual(event?.reasons, [.personRemovesMethod])
    }
}
