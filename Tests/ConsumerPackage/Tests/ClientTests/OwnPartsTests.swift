import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

/// An app's own verifier and hasher, written as an app has to: outside the package, by what is public alone.
final class OwnPartsTests: XCTestCase {
    private struct ForgeVerifier: CredentialVerifier {
        let provider: ProviderID = "forge.example"

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            guard let token = credential.accessToken else { throw VerificationFailure.missingToken }
            let parts = token.revealed.split(separator: ":").map(String.init)
            guard parts.count == 2, parts[0] == "forge" else { throw VerificationFailure.malformed }
            return ProviderAssertion(provider: provider, subject: parts[1])
        }
    }

    /// No hasher for a product: it only turns the letters around.
    private struct Turning: PasswordHasher {
        let uses = Uses()
        let placeholder = PasswordHash(tagged: "$turned$")

        func hash(_ password: Secret) async throws -> PasswordHash {
            uses.note("hash")
            return PasswordHash(tagged: "$turned$" + String(password.revealed.reversed()))
        }

        func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
            uses.note("check")
            let isRight = hash.tagged == "$turned$" + String(password.revealed.reversed())
            return isRight ? .matches(needsRehash: false) : .differs
        }
    }

    func testAVerifierReadsTheTokenThatTheAppPresented() async throws {
        let auth = Auth(AuthConfiguration(providers: [ForgeVerifier()]))
        let user = try await auth.signIn(with: .oauth("forge.example", accessToken: "forge:ann")).user
        XCTAssertEqual(user.providerData.map(\.uid), ["ann"])
        do {
            try await auth.signIn(with: .oauth("forge.example", accessToken: "another:ann"))
            XCTFail("a token of another forge is refused")
        } catch {
            XCTAssertEqual(error.code, .invalidCredential)
        }
    }

    func testAHasherReadsThePassword() async throws {
        let hasher = Turning()
        let auth = Auth(AuthConfiguration(passwordHasher: hasher))
        let user = try await auth.signUp(email: "ann@example.com", password: "correct horse").user
        let back = try await auth.signIn(with: .password(email: "ann@example.com", password: "correct horse")).user
        XCTAssertEqual(back.uid, user.uid)
        XCTAssertEqual(hasher.uses.all, ["hash", "check"], "what the hasher was asked")
    }

    func testATokenIsSignedAndCheckedByASignerOfTheAppsOwn() async throws {
        var configuration = AuthConfiguration()
        let signer = Summing()
        configuration.tokenSigner = signer
        let service = AuthService(configuration)
        let client = service.client(for: "a browser", origin: .unknown)
        let user = try await client.signInAnonymously().user
        let token = try await user.idTokenResult(forcingRefresh: true).token
        let back = try await client.user(forIDToken: token)
        XCTAssertEqual(back.uid, user.uid)
        XCTAssertEqual(signer.uses.all, ["sign", "check"], "what the signer was asked")
        let head = try XCTUnwrap(token.split(separator: ".").first)
        let padded = head + String(repeating: "=", count: (4 - head.utf8.count % 4) % 4)
        let header = try XCTUnwrap(Data(base64Encoded: String(padded)), "the header of \(token)")
        let members = try XCTUnwrap(JSONSerialization.jsonObject(with: header) as? [String: Any])
        XCTAssertEqual(members["alg"] as? String, "SUM", "the algorithm that the token names")
        do {
            _ = try await client.user(forIDToken: token + "AA")
            XCTFail("another signature is refused")
        } catch {
            XCTAssertEqual(error.code, .invalidUserToken)
        }
    }

    func testASeedIsSealedByASealerOfTheAppsOwn() async throws {
        var configuration = AuthConfiguration(policy: .firebase, providers: .simulated)
        let sealer = Inverting()
        configuration.secretSealer = sealer
        let auth = Auth(configuration)
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        let enrollment = try await user.multiFactor.startTOTP(issuer: "forge")
        XCTAssertFalse(enrollment.sharedSecret.isEmpty)
        XCTAssertTrue(sealer.uses.all.contains("seal"), "the seed was sealed by another sealer")
    }
}

/// What a part was asked, in order.
private final class Uses: Sendable {
    private let noted = Mutex<[String]>([])

    var all: [String] { noted.withLock { $0 } }

    func note(_ use: String) { noted.withLock { $0.append(use) } }
}

/// Not for a product: anyone can forge a signature.
private struct Summing: TokenSigner {
    let algorithm = "SUM"
    let keyID = "1"
    let uses = Uses()

    func sign(_ input: [UInt8]) async throws -> [UInt8] {
        uses.note("sign")
        return [input.reduce(0, &+)]
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        uses.note("check")
        return keyID == self.keyID && signature == [input.reduce(0, &+)]
    }
}

/// No sealer for a product: it only turns the bits around.
private struct Inverting: SecretSealer {
    let uses = Uses()

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] {
        uses.note("seal")
        return plain.map { ~$0 }
    }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] { sealed.map { ~$0 } }
}
