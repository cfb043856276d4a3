@testable import AuthCore
import AuthCoreTesting
import XCTest

/// PH-1 to PH-5: the classes of pre-hijacking, each with every set of preparations.
///
/// A factor cannot be prepared, as the last test shows, and a password not by an identity; once each of those has been
/// left in, it is left out. Nothing can be prepared by a guest without any sign-in method. After the victim's step
/// nothing that the attacker holds opens, reads or changes the victim's account.
final class PreHijackTests: LimitedTestCase {
    private static func play(
        _ beginning: PreHijackScene.Beginning,
        _ coming: PreHijackScene.Coming,
        under policy: AuthPolicy = .standard,
        isClaimVerified: Bool = false,
        _ preparations: Set<Preparation>
    ) async throws -> [String] {
        let scene = PreHijackScene(policy, preparations, isClaimVerified: isClaimVerified)
        try await scene.prepare(beginning)
        let victim = try await scene.come(coming)
        if victim.email != PreHijackScene.address { return ["the victim does not get the address"] }
        return try await scene.breaches(of: victim)
    }

    private func assertSafe(
        _ beginning: PreHijackScene.Beginning,
        _ coming: PreHijackScene.Coming,
        without idle: Set<Preparation> = [],
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let subsets = Preparation.subsets.filter { $0.isDisjoint(with: idle) }
        let found = try await parallelMap(subsets) { preparations in
            // A guest names no address, so there is nothing to prepare any of it on.
            let isGuest = beginning != .claiming && preparations.isDisjoint(with: [.password, .otherIdentity, .phone])
            do {
                if !isGuest { return try await Self.play(beginning, coming, preparations) }
                try await PreHijackScene(.standard, preparations).prepare(beginning)
                return ["a guest names the victim's address"]
            } catch let error as AuthError where isGuest && error.code == .emailChangeNeedsVerification {
                return []
            } catch {
                return ["\(error)"]
            }
        }
        for (preparations, breaches) in zip(subsets, found) {
            XCTAssertEqual(breaches, [], "\(preparations)", file: file, line: line)
        }
    }

    // MARK: PH-1 Classic–federated merge No policy lets it succeed as it stands: the person who verifies the address
    // takes over the account. It bites where the victim opened the attacker's verification and the policy joins
    // whatever is verified.

    func testPH1_ClassicFederatedMergeStartingFresh() async throws { try await assertSafe(.naming, .federatedFresh) }

    func testPH1_ClassicFederatedMergeSayingThisIsMine() async throws {
        try await assertSafe(.naming, .federatedClaim, without: [.factor])
    }

    func testPH1_BitesWhereAnOpenedVerificationIsEnoughToJoin() async throws {
        for (joining, isSafe) in [(AuthPolicy.Joining.whenCovered, true), (.whenVerified, false)] {
            let policy = AuthPolicy.weakened { $0.joining = joining }
            let scene = PreHijackScene(policy, [.password, .otherIdentity])
            try await scene.prepare(.naming)
            let eve = try XCTUnwrap(scene.eve.currentUser)
            try await eve.sendEmailVerification()
            try await scene.world.device("anns mail").applyActionCode(scene.world.newestCode)
            let victim = try await scene.come(.federatedFresh)
            let breaches = try await scene.breaches(of: victim)
            XCTAssertEqual(breaches.contains("password"), !isSafe, "\(joining)")
        }
    }

    // MARK: PH-2 Unexpired session identifier
    // No policy lets it succeed: a reset ends every session under each of them.

    func testPH2_UnexpiredSession() async throws { try await assertSafe(.naming, .reset) }

    func testPH2_UnexpiredSessionAfterAMailedLink() async throws {
        try await assertSafe(.naming, .mailedLink, without: [.factor])
    }

    // MARK: PH-3 Trojan identifier

    func testPH3_TrojanIdentifierAfterEveryComing() async throws {
        for coming in PreHijackScene.Coming.allCases {
            let breaches = try await Self.play(.naming, coming, [.otherIdentity, .phone])
            XCTAssertEqual(breaches, [], "\(coming)")
        }
    }

    func testPH3_BitesUnderFirebasesPolicyWhereANumberWasLinked() async throws {
        for preparations in Preparation.subsets where preparations.isSuperset(of: [.password, .otherIdentity]) {
            let breaches = try await Self.play(.naming, .reset, under: .firebase, preparations)
            XCTAssertEqual(breaches.contains("phone"), preparations.contains(.phone), "\(preparations)")
        }
    }

    // MARK: PH-4 Unexpired change of the address

    func testPH4_UnexpiredEmailChange() async throws { try await assertSafe(.moving, .reset) }

    func testPH4_UnexpiredEmailChangeAfterAMailedLink() async throws {
        try await assertSafe(.moving, .mailedLink, without: [.factor])
    }

    func testPH4_UnexpiredEmailChangeAfterAProvider() async throws {
        try await assertSafe(.moving, .federatedFresh, without: [.factor])
        try await assertSafe(.moving, .federatedClaim, without: [.factor])
    }

    func testPH4_BitesWhereAnUnverifiedAddressMayTakeAChangeBack() async throws {
        let policy = AuthPolicy.weakened { policy in
            policy.emailRecovery = .firstAddress
            // An account that a reset adopts loses that recovery.
            (policy.unverifiedOwner, policy.passwordReset) = (.takenOver, .removesFederated)
        }
        let breaches = try await Self.play(.moving, .reset, under: policy, [.password])
        XCTAssertFalse(breaches.isEmpty)
    }

    // MARK: PH-5 Non-verifying provider

    func testPH5_NonVerifyingProvider() async throws {
        try await assertSafe(.claiming, .reset)
        for coming in [PreHijackScene.Coming.federatedFresh, .federatedClaim, .mailedLink] {
            try await assertSafe(.claiming, coming, without: [.factor, .password])
        }
    }

    func testPH5_TheReverseOrder() async throws {
        for address in [AddressClaim.unverified, .verified] {
            let world = World(.standard, providers: .simulated(and: ["oidc.example"]))
            let ann = try await world.verifiedUser(in: world.device("ann"))
            let disguised = SimulatedPerson.eve.with(email: "ann@example.com")
            let credential = world.credential("oidc.example", disguised, saying: SimulatedToken(address: address))
            if address == .verified {
                let reason = Reason.providerIsNotAuthoritative
                try await world.refusal(.accountExistsWithDifferentCredential, reason, "a claim to have verified it") {
                    try await world.device("eve").signIn(with: credential)
                }
            } else {
                let came = try await world.device("eve").signIn(with: credential)
                XCTAssertTrue(came.isNewUser, "a claim of an address opens an account that is there")
                XCTAssertFalse(came.user.isEmailVerified, "the claim counts as a verification")
            }
            let after = try await world.service.account(ann.account.id)
            XCTAssertEqual(after.methods.count, 1)
        }
    }

    func testPH5_BitesWhereAProvidersFlagIsBelieved() async throws {
        let breaches = try await Self.play(.claiming, .federatedFresh, under: .firebase, isClaimVerified: true, [])
        XCTAssertTrue(breaches.contains("claimed identity"))
    }

    // MARK: Preparations that cannot be made

    func testPH_AFactorCannotBePreparedWhereTheAddressIsUnverified() async throws {
        for policy in [AuthPolicy.standard, .firebase] {
            let world = World(policy)
            let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
            await assertThrows(.unverifiedEmail) { try await eve.multiFactor.startTOTP(issuer: "Eve") }
            await assertThrows(.unverifiedEmail) { try await eve.multiFactor.sendPhoneCode(to: "+15550006666") }
        }
    }
}
