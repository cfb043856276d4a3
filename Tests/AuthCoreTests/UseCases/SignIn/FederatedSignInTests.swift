@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Sign-in with an identity, by what is known of it and of its address.
final class FederatedSignInTests: LimitedTestCase {
    private var world = World(.firebase)

    // MARK: The identity is known

    func testAKnownIdentitySignsInWhateverAddressItBringsNow() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        let moved = try await world.device().signIn(
            with: world.google(SimulatedPerson.ann.with(email: "ben@example.com"))
        )
        XCTAssertFalse(moved.isNewUser)
        XCTAssertEqual(moved.user.uid, ann.uid)
        XCTAssertNotEqual(moved.user.uid, ben.uid)
        XCTAssertEqual(moved.user.email, "ann@example.com")
        XCTAssertEqual(moved.user.providerData.map(\.email), ["ben@example.com"])
    }

    func testAKnownIdentityRefreshesItsEntryAndNotTheProfile() async throws {
        try await world.device().signIn(with: world.google())
        let renamed = try await world.device().signIn(with: world.google(SimulatedPerson.ann.with(name: "Ann Other")))
            .user
        XCTAssertEqual(renamed.displayName, "Ann Archer")
        XCTAssertEqual(renamed.providerData.map(\.displayName), ["Ann Other"])
    }

    func testATokenThatMayBeUsedOnceIsUsedByASignInThatRefreshesTheEntryToo() async throws {
        try await world.device().signIn(with: world.google())
        let once = world.google(SimulatedPerson.ann.with(name: "Ann Other"), SimulatedToken(nonce: "once"))
        try await world.device("tablet").signIn(with: once)
        await assertThrows(.invalidCredential) { try await world.device("tablet").signIn(with: once) }
    }

    func testAKnownIdentityDoesNotVerifyTheAddressLater() async throws {
        let unsure = SimulatedToken(address: .unverified)
        let ann = try await world.device().signIn(with: world.google(.ann, unsure)).user
        XCTAssertFalse(ann.isEmailVerified)
        let again = try await world.device().signIn(with: world.google()).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertFalse(again.isEmailVerified)
    }

    // MARK: The address belongs to somebody, and the provider does not vouch for it

    func testAnAddressThatTheProviderDoesNotVouchForIsAConflict() async throws {
        try await world.signUpAnn()
        for verified in [false, true] {
            if verified {
                try await world.verifyAddress(of: try await world.device().signIn(with: World.annsPassword).user)
            }
            for credential in [
                world.gitHub(), world.facebook(), world.google(.ann, SimulatedToken(address: .unverified)),
            ] {
                let error = try await world.refusal(
                    .accountExistsWithDifferentCredential,
                    .providerIsNotAuthoritative,
                    "\(credential), verified \(verified)"
                ) {
                    try await world.device("tablet").signIn(with: credential)
                }
                let conflict = try XCTUnwrap(error.conflict)
                XCTAssertEqual(conflict.email, "ann@example.com")
                XCTAssertEqual(conflict.provider, credential.provider)
                XCTAssertEqual(conflict.existingProviders, [.password])
            }
        }
    }

    func testAnotherPersonOfTheSameProviderWithoutItsWordIsAConflict() async throws {
        try await world.device().signIn(with: world.facebook())
        let impostor = SimulatedPerson.eve.with(email: "ann@example.com")
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device("tablet").signIn(with: world.facebook(impostor))
        }
    }

    func testTheConflictIsTheSameForADisabledOwner() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device().signIn(with: world.gitHub())
        }
    }

    // MARK: Both sides verified the address

    func testVerifiedOnBothSidesTheIdentityJoinsAndNothingGoes() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.link(with: world.gitHub(SimulatedPerson.ann.with(email: nil)))
        let result = try await world.device("tablet").signIn(with: world.google())
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertFalse(result.isNewUser)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password, .phone, .gitHub, .google])
        try await ann.reload()
        try await world.device().signIn(with: World.annsPassword)
    }

    func testAJoinTakesTheProvidersProfileWithWhatItLacks() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updateProfile(displayName: .set("Annie"), photoURL: .set("https://example.com/me.jpg"))
        let nameless = SimulatedToken(name: .absent)
        let joined = try await world.device().signIn(with: world.google(.ann, nameless)).user
        XCTAssertNil(joined.displayName)
        XCTAssertEqual(joined.photoURL, SimulatedPerson.ann.photoURL)
    }

    func testAJoinMayFillWhatIsEmptyInstead() async throws {
        world.policy.joinProfile = .fillsEmpty
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updateProfile(displayName: .set("Annie"))
        let joined = try await world.device().signIn(with: world.google()).user
        XCTAssertEqual(joined.displayName, "Annie")
        XCTAssertEqual(joined.photoURL, SimulatedPerson.ann.photoURL)
    }

    func testARecycledAddressReplacesTheIdentityOfTheProvider() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let successor = SimulatedPerson.eve.with(email: "ann@example.com")
        let result = try await world.device("tablet").signIn(with: world.google(successor))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.providerData.map(\.uid), [successor.subject(at: .google)])
        let moved = SimulatedPerson.ann.with(email: "elsewhere@example.com")
        let old = try await world.device().signIn(with: world.google(moved))
        XCTAssertTrue(old.isNewUser, "the identity that was replaced opens the account no more")
    }

    func testARecycledAddressMayBeAConflictInstead() async throws {
        world.policy.recycledSubject = .conflicts
        try await world.device().signIn(with: world.google())
        try await world.refusal(.accountExistsWithDifferentCredential, .otherSubjectIsLinked) {
            try await world.device("tablet").signIn(
                with: world.google(SimulatedPerson.eve.with(email: "ann@example.com"))
            )
        }
    }

    func testADisabledAccountIsNotJoined() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled, .accountIsDisabled) {
            try await world.device().signIn(with: world.google())
        }
    }

    // MARK: The address was unverified before

    func testWhatANeverVerifiedAccountHadIsRemovedAndItsSessionsEnd() async throws {
        let auth = world.device()
        let eve = try await auth.signUp(email: "ann@example.com", password: "I wait here").user
        try await eve.link(with: world.digits(to: "+15550009999", from: auth))
        try await eve.link(with: world.facebook(.eve))
        let result = try await world.device("tablet").signIn(with: world.google())
        XCTAssertEqual(result.user.uid, eve.uid)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.google])
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await eve.reload() }
        try await world.refusal(.wrongPassword) {
            try await auth.signIn(with: .password(email: "ann@example.com", password: "I wait here"))
        }
        let facebookAgain = try await auth.signIn(with: world.facebook(.eve)).user
        XCTAssertNotEqual(facebookAgain.uid, result.user.uid)
        let phoneAgain = try await auth.signIn(with: world.digits(to: "+15550009999", from: auth)).user
        XCTAssertNotEqual(phoneAgain.uid, result.user.uid)
    }

    func testMailedCodesOfANeverVerifiedAccountDieWithTheTakeover() async throws {
        let eve = try await world.device().signUp(email: "ann@example.com", password: "I wait here").user
        try await eve.sendEmailVerification()
        let verification = try world.newestCode(to: "ann@example.com")
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        let change = try world.newestCode(to: "eve@example.com")
        try await world.device("tablet").signIn(with: world.google())
        for code in [verification, change] {
            try await world.refusal(.invalidActionCode) { try await world.device().applyActionCode(code) }
        }
    }

    func testAnUnsureIdentityThatWasThereFirstLosesUnverifiedMethodsToo() async throws {
        let first = try await world.device().signIn(with: world.facebook()).user
        let second = try await world.device("tablet").signIn(with: world.google()).user
        XCTAssertEqual(first.uid, second.uid)
        let left = try await world.providers(second)
        XCTAssertEqual(left, [.google])
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device().signIn(with: world.facebook())
        }
    }

    // MARK: Nobody has the address

    func testAFreeAddressMakesANewAccountWithTheProvidersProfile() async throws {
        let result = try await world.device().signIn(with: world.google())
        XCTAssertTrue(result.isNewUser)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.user.displayName, "Ann Archer")
        XCTAssertEqual(result.user.photoURL, SimulatedPerson.ann.photoURL)
        XCTAssertEqual(result.additionalUserInfo?.provider, .google)
        let unsure = try await world.device().signIn(with: world.facebook(.ben)).user
        XCTAssertEqual(unsure.email, "ben@example.com")
        XCTAssertFalse(unsure.isEmailVerified)
    }

    func testAnIdentityWithoutAnAddressGetsAnAccountWithoutOne() async throws {
        let result = try await world.device().signIn(with: world.gitHub(SimulatedPerson.ann.with(email: nil)))
        XCTAssertTrue(result.isNewUser)
        XCTAssertNil(result.user.email)
        XCTAssertEqual(result.additionalUserInfo?.username, "ann")
    }

    func testAPlaceholderAddressThatNobodyReadsIsNone() async throws {
        let hidden = SimulatedPerson.ann.with(email: "1+ann@users.noreply.github.com")
        let user = try await world.device().signIn(with: world.gitHub(hidden)).user
        XCTAssertNil(user.email)
    }

    func testOnlyPrimaryAddressesAreMet() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ben))
        let result = try await world.device("tablet").signIn(with: world.facebook(.ben))
        XCTAssertTrue(result.isNewUser)
        XCTAssertNotEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.email, "ben@example.com")
    }

    func testAMalformedAddressOfAProviderIsNone() async throws {
        let user = try await world.device().signIn(with: world.google(.ann, SimulatedToken(email: "not an address")))
            .user
        XCTAssertNil(user.email)
    }

    func testWhoseProofIsTooOldToJoinByIsNotTakenOverAsIfThereHadBeenNone() async throws {
        var policy = AuthPolicy.firebase
        policy.evidenceLifetime = .seconds(365 * 86400)
        world.startOver(policy)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(2 * 365 * 86400))
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
            try await world.device("tablet").signIn(with: world.google())
        }
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.password])
    }

    func testAVerifierThatAnswersForAnotherProviderOrNamesNobodyIsNotBelieved() async throws {
        struct Confused: CredentialVerifier {
            let provider: ProviderID
            let answer: ProviderAssertion

            /// Also those of the other provider, so that only its name is wrong.
            var issuers: Set<String> { [answer.issuer] }

            func verify(
                _ credential: AuthCredential.Federated,
                in context: VerificationContext
            ) async throws -> ProviderAssertion {
                answer
            }
        }
        for (answer, isRight) in [
            (ProviderAssertion(provider: .facebook, subject: "1"), false),
            (ProviderAssertion(provider: .gitHub, subject: ""), false),
            (ProviderAssertion(provider: .gitHub, subject: "1"), true),
        ] {
            var configuration = world.service.configuration
            configuration.providers = [Confused(provider: .gitHub, answer: answer)]
            let confused = AuthService(configuration)
            if isRight {
                let result = try await confused.client().signIn(with: world.gitHub())
                XCTAssertTrue(result.isNewUser, "an answer for the right provider that names a person")
            } else {
                let error = try await world.refusal(.invalidCredential, nil, "\(answer.provider)") {
                    try await confused.client().signIn(with: world.gitHub())
                }
                XCTAssertEqual(error.message, "The provider's answer must name a person.", "\(answer.provider)")
            }
        }
    }
}
