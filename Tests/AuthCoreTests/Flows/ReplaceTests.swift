@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Putting a way in into the place of another, in one step.
final class ReplaceTests: SecondFactorTestCase {
    func testAnotherGoogleAccountTakesThePlaceOfTheLinkedOne() async throws {
        policy.recycledSubject = .conflicts
        let ann = try await seat().signIn(with: google()).user
        try await ann.replace(.google, with: google(.ben))
        let after = try await account(ann)
        XCTAssertEqual(after.identities.count, 1)
        let events = try await service.events(limit: .max).events.filter { $0.kind == .methodsChanged }
        XCTAssertEqual(events.map { $0.before?.count }, [1])
        XCTAssertEqual(events.map { $0.after?.count }, [1])
        let again = try await seat("tablet").signIn(with: google(.ben))
        XCTAssertEqual(again.user.uid, ann.uid)
        try await refusal(.accountExistsWithDifferentCredential, .otherSubjectIsLinked) {
            try await seat("laptop").signIn(with: google())
        }
    }

    func testTheOnlyMethodIsReplacedUnderAPolicyThatKeepsTheLast() async throws {
        policy.lastMethod = .kept
        let ann = try await seat().signIn(with: google()).user
        try await refusal(.lastMethod) { try await ann.unlink(.google) }
        try await ann.replace(.google, with: facebook(.ben))
        let left = try await providers(ann)
        XCTAssertEqual(left, [.facebook])
    }

    func testAMethodThatIsNotThereIsNotReplaced() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await refusal(.noSuchProvider, .providerIsNotLinked) { try await ann.replace(.gitHub, with: facebook()) }
        try await refusal(.providerAlreadyLinked, .providerIsLinked) { try await ann.replace(.google, with: google()) }
    }

    func testAReplacementByAnIdentityOfSomebodyElseLeavesTheOldOne() async throws {
        try await seat("bens").signIn(with: google(.ben))
        let ann = try await seat().signIn(with: google()).user
        let error = try await refusal(.credentialAlreadyInUse) { try await ann.replace(.google, with: google(.ben)) }
        XCTAssertNotNil(error.conflict)
        let left = try await providers(ann)
        XCTAssertEqual(left, [.google])
    }

    func testAReplacementNeedsALoginAsOldAsWhatItReplaces() async throws {
        policy.seniority = .seconds(7 * 86400)
        let phone = seat()
        let ann = try await phone.signIn(with: google()).user
        clock.advance(by: 60)
        try await ann.link(with: facebook(.ben))
        clock.advance(by: 86400)
        let thief = try await seat("thief").signIn(with: facebook(.ben)).user
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.replace(.google, with: google(.ben))
        }
        try await thief.reauthenticate(with: google())
        try await thief.replace(.google, with: google(.ben))
    }

    func testAReplacedNumberNeedsALoginAsOldAsTheNumber() async throws {
        policy.seniority = .seconds(7 * 86400)
        let phone = seat()
        let ann = try await phone.signIn(with: digits(to: number, from: phone)).user
        clock.advance(by: 60)
        try await ann.link(with: facebook())
        clock.advance(by: 60)
        let thief = seat("thief")
        let stolen = try await thief.signIn(with: facebook()).user
        let credential = try await digits(to: "+15550007777", from: thief)
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await stolen.updatePhoneNumber(with: credential)
        }
    }

    func testAReplacedNumberWaitsForTheFactorAndReplaces() async throws {
        policy.phoneWithFactors = .asksForFactor
        let phone = seat()
        let ann = try await signUpProvenAnn(phone)
        try await ann.link(with: digits(to: "+15550005678", from: phone))
        try await ann.reauthenticate(with: Self.annsPassword)
        let auth = seat("tablet")
        let other = try await auth.signIn(with: Self.annsPassword).user
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let credential = try await digits(to: "+15550007777", from: auth)
        let challenge = try await challenge { try await other.updatePhoneNumber(with: credential) }
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        let after = try await account(ann)
        XCTAssertEqual(after.phoneNumber?.text, "+15550007777")
    }

    func testANumberIsChangedByDigitsAndNothingElse() async throws {
        let ann = try await signUpAnn()
        try await refusal(.invalidCredential) { try await ann.updatePhoneNumber(with: Self.annsPassword) }
        try await ann.updatePhoneNumber(with: digits(to: "+15550001234", from: seat()))
        XCTAssertEqual(ann.phoneNumber, "+15550001234")
    }

    func testAReplacedPasswordAndAReplacedIdentityWaitForTheFactor() async throws {
        let phone = seat()
        let ann = try await signUpProvenAnn(phone)
        let auth = seat("tablet")
        let other = try await auth.signIn(with: Self.annsPassword).user
        let enrollment = try await enrollTOTP(ann)
        try await ann.link(with: google())
        clock.advance(by: 60)
        let challenge = try await challenge { try await other.replace(.google, with: google(.ben)) }
        let between = try await account(ann)
        XCTAssertEqual(between.identities.map(\.email?.text), ["ann@example.com"])
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        let after = try await account(ann)
        XCTAssertEqual(after.identities.map(\.email?.text), ["ben@example.com"])
    }

    func testASuspendedIdentityThatIsToBeReplacedByItselfIsConfirmed() async throws {
        startOver(.standard)
        let ann = try await signUpProvenAnn()
        try await ann.link(with: gitHub())
        try await seat("mail").reportUnauthorizedChange(
            code: XCTUnwrap(outbox.last(to: "ann@example.com", .methodAdded)?.code)
        )
        let back = try await seat().signIn(with: Self.annsPassword).user
        try await back.replace(.gitHub, with: gitHub())
        XCTAssertTrue(back.account.methods.allSatisfy(\.isActive))
        XCTAssertEqual(back.account.methods.count, 2)
    }

    func testASuspendedIdentityThatGivesWayToOneOfAnotherIssuerLeavesItsIssuerSevered() async throws {
        for severs in [true, false] {
            var policy = AuthPolicy.standard
            policy.seversRemovedIssuers = severs
            let store = InMemoryIdentityStore()
            let tenants = ["https://one.example", "https://other.example"].map {
                SimulatedProvider(.microsoft, issuer: $0)
            }
            let first = World(policy, providers: [tenants[0]]) { $0.store = store }
            let ann = try await first.provenUser(in: first.seat())
            _ = try await ann.link(with: tenants[0].credential(for: .ann, at: first.clock.now))
            let notice = try XCTUnwrap(first.outbox.last(to: "ann@example.com", .methodAdded)?.code)
            try await first.seat("mail").reportUnauthorizedChange(code: notice)
            let second = World(policy, providers: [tenants[1]]) {
                $0.store = store
                $0.environment = .manual(first.clock, seed: 2)
            }
            let back = try await second.seat()
                .signIn(with: .password(email: "ann@example.com", password: "correct horse")).user
            _ = try await back.link(with: tenants[1].credential(for: .ann, at: second.clock.now))
            XCTAssertEqual(back.account.identities.map(\.key.issuer.description), ["https://other.example"])
            XCTAssertEqual(
                back.account.severedIssuers.map(\.description),
                severs ? ["https://one.example"] : [],
                "\(severs)"
            )
        }
    }
}
