@testable import AuthCore
import AuthCoreTesting
import XCTest

final class UnlinkTests: FlowTestCase {
    func testAnUnlinkedIdentityGoesAndWhatItBroughtStays() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.link(with: facebook())
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData.map(\.provider), [.facebook])
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        XCTAssertEqual(ann.displayName, "Ann Archer")
    }

    func testAnUnlinkedIdentityComesBackByItsAddressOrMeetsItsOldAccount() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.link(with: facebook())
        try await ann.unlink(.google)
        try await ann.unlink(.facebook)
        try await refusal(.accountExistsWithDifferentCredential) { try await seat().signIn(with: facebook()) }
        let back = try await seat().signIn(with: google()).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testThePasswordTakesTheAddressWithIt() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        try await ann.unlink(.password)
        XCTAssertNil(ann.email)
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.provider), [.phone])
        try await signUpAnn(seat("tablet"))
    }

    func testAnAddressThatAnIdentityBringsTooStays() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.link(with: Self.annsPassword)
        try await ann.unlink(.password)
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await refusal(.emailAlreadyInUse) { try await signUpAnn(seat("tablet")) }
        try await refusal(.wrongPassword) { try await seat("tablet").signIn(with: Self.annsPassword) }
    }

    func testAnUnlinkedNumberIsFree() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        try await ann.unlink(.phone)
        XCTAssertNil(ann.phoneNumber)
        let result = try await auth.signIn(with: digits(to: "+15550001234", from: auth))
        XCTAssertTrue(result.isNewUser)
    }

    func testAProviderThatIsNotLinkedIsSaidNotToBe() async throws {
        let ann = try await signUpAnn()
        for provider in [ProviderID.google, .phone, .anonymous, .emailLink, "oidc.example"] {
            try await refusal(.noSuchProvider, .providerIsNotLinked, "\(provider)") {
                try await ann.unlink(provider)
            }
        }
    }

    func testTheLastWayInMayGoAndTheAccountStays() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData, [])
        XCTAssertFalse(ann.isAnonymous)
        try await ann.reload()
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [])
    }

    func testTheLastWayInMayHaveToStay() async throws {
        policy.lastMethod = .kept
        let ann = try await seat().signIn(with: google()).user
        try await refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.google) }
        try await ann.link(with: facebook())
        try await ann.unlink(.google)
        try await refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.facebook) }
    }

    func testSessionsOfARemovedMethodGoOnOrEndAsThePolicySays() async throws {
        for removedMethod in AuthPolicy.RemovedMethod.allCases {
            policy.removedMethod = removedMethod
            let service = AuthService(
                AuthConfiguration(policy: policy, providers: .simulated, environment: .manual(clock))
            )
            let ann = try await Auth(service: service, seat: "phone").signIn(with: google()).user
            let other = try await Auth(service: service, seat: "tablet").signIn(with: google()).user
            try await ann.link(with: facebook())
            try await ann.unlink(.google)
            try await ann.reload()
            switch removedMethod {
            case .keepsItsSessions: try await other.reload()
            case .endsItsSessions: try await refusal(.userTokenExpired, .sessionIsOver) { try await other.reload() }
            }
        }
    }

    func testUnlinkingTellsOfTheMethodsOnBothSides() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.link(with: facebook())
        try await ann.unlink(.google)
        let event = try await service.events().events.last
        XCTAssertEqual(event?.kind, .methodsChanged)
        XCTAssertEqual(event?.before?.map(\.provider), [.google, .facebook])
        XCTAssertEqual(event?.after?.map(\.provider), [.facebook])
        XCTAssertEqual(event?.reasons, [.personRemovesMethod])
    }
}
