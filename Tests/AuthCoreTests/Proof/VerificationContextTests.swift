import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCore

/// What a verifier is told, and when something counts as verified.
final class VerificationContextTests: LimitedTestCase {
    /// Keeps what it was told, and verifies nothing.
    private final class Witness: CredentialVerifier {
        let told = Mutex<[VerificationContext]>([])

        var provider: ProviderID { "witness" }

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            told.withLock { $0.append(context) }
            throw VerificationFailure(.rejected, "It was only asked.")
        }
    }

    /// Throws an error of the library.
    private struct Throwing: CredentialVerifier {
        let provider: ProviderID
        let code: AuthErrorCode

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            throw AuthError(code)
        }
    }

    func testAVerifierThatThrowsAnErrorOfTheLibraryDecidesTheCode() async throws {
        let device = World(.standard, providers: [Throwing(provider: "busy", code: .overloaded)]).device()
        await assertThrows(.overloaded, "what the verifier throws") {
            try await device.signIn(with: .oauth("busy", idToken: "token"))
        }
    }

    func testAVerifierThatSaysThatAPersonIsDisabledDoesNotSignTheUserOut() async throws {
        let device = World(.standard, providers: [Throwing(provider: "strict", code: .userDisabled)]).device()
        let user = try await device.signInAnonymously().user
        for name in ["link", "reauthentication"] {
            let error = await authError(name) {
                let credential = AuthCredential.oauth("strict", idToken: "token")
                if name == "link" { return try await user.link(with: credential) }
                return try await user.reauthenticate(with: credential)
            }
            XCTAssertEqual(error?.code, .invalidCredential, "the code of a refused \(name)")
            XCTAssertEqual((error?.cause as? AuthError)?.code, .userDisabled, "what the verifier said of the \(name)")
            XCTAssertTrue(device.currentUser === user, "the current user after a refused \(name)")
        }
    }

    /// A code of a provider would be used up, and a guess counted.
    func testAVerifierOfAProviderThatIsDisabledIsNotAsked() async throws {
        let witness = Witness()
        var world = World(.standard, providers: [witness])
        world.policy.disabledProviders = ["witness"]
        try await world.refusal(.operationNotAllowed, .providerIsDisabled) {
            try await world.device().signIn(with: .oauth("witness", idToken: "token"))
        }
        XCTAssertEqual(witness.told.withLock { $0.count }, 0, "how often the verifier was asked")
    }

    func testAVerifierLearnsTheTimeTheDeviceAndTheAddressOfTheRequest() async throws {
        let witness = Witness()
        let world = World(.standard, providers: [witness])
        let device = DeviceID(named: "phone")
        let client = world.service.client(for: device, origin: .address("192.0.2.1"))
        _ = try? await client.signIn(with: .oauth("witness", idToken: "token"))
        let told = try XCTUnwrap(witness.told.withLock(\.first))
        XCTAssertEqual(told.now, world.clock.now, "the time")
        XCTAssertEqual(told.device, device.key, "the device")
        XCTAssertEqual(told.address, "192.0.2.1", "the address")
    }

    /// Limits count an address of IPv6 by its network, and any address without its port.
    func testAVerifierLearnsTheAddressAsTheServerStatesIt() async throws {
        let witness = Witness()
        let world = World(.standard, providers: [witness])
        let addresses = ["2001:db8:0:1::7", "192.0.2.1:4711"]
        for address in addresses {
            let client = world.service.client(for: nil, origin: .address(address))
            _ = try? await client.signIn(with: .oauth("witness", idToken: "token"))
        }
        XCTAssertEqual(witness.told.withLock { $0.map(\.address) }, addresses, "the addresses that it was told")
    }

    func testWhatMetAConflictCountsAsVerifiedWhenItDid() async throws {
        let world = World(.standard)
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: "eves own word").user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        for credential in [link, world.facebook()] {
            let conflict = try await world.conflict { try await auth.signIn(with: credential) }
            let met = world.clock.timestamp
            world.clock.advance(by: .seconds(300))
            let verified = try await auth.verify(conflict.credential)
            XCTAssertEqual(verified.proof.verifiedAt, met, "\(credential)")
        }
    }

    func testANumberThatMetAConflictCountsAsVerifiedWhenItDid() async throws {
        let world = World(.standard)
        let (_, auth, conflict) = try await world.conflictOverARecycledNumber()
        let met = world.clock.timestamp
        world.clock.advance(by: .seconds(300))
        let verified = try await auth.verify(conflict.credential)
        XCTAssertEqual(verified.proof.verifiedAt, met)
    }
}
