@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// What an earlier version handed out, stored or sealed is still good: the keys, hashes and contexts that it depends on
/// never change.
///
/// The expected values were computed by another program, for a secret key of 32 sevens.
final class KeptSecretsTests: LimitedTestCase {
    private let world = World { $0.setSecretKey(Array(repeating: 7, count: 32)) }
    private var service: AuthService { world.service }
    private let ann: AccountID = "ann"

    func testARefreshTokenIsRecognized() async {
        let token = "r1.0000000000000000000003.YW5u.1.0.bm9uY2U.8L7kIam7PH7QGMZ0TvMkYlEwZkrwnbG8w2vNx5cJMwg"
        // Only a token of the service's own leads to the question whether its account is there.
        await assertThrows(.userNotFound) { try await self.service.client().refresh(token) }
    }

    func testTheCodesOfMessagesAreDerivedAsBefore() {
        let message = OperationID(bits: 1)
        let code = service.messageCodes.mailCode(of: message).text.revealed
        XCTAssertEqual(code, "OgI88qaNZGD2w0_dTJ2oijCy", "the code of a mail")
        XCTAssertEqual(service.messageCodes.digits(of: message), "946820", "the digits of a text")
    }

    func testTheHashesOfCodesAreAsBefore() throws {
        let hash = try XCTUnwrap(Data(base64Encoded: "W+WUTP9kGKTqogw68E6dYzOo98w+KAP2HoSKBwfLSnQ="))
        let isRight = service.isHash([UInt8](hash), ofDigits: "123456", for: OneTimeRecordID(bits: 2))
        XCTAssertTrue(isRight, "the stored hash of digits that were sent")
        XCTAssertEqual(
            Data(service.hash(ofRecoveryCode: "ABCD-2345", of: ann)).base64EncodedString(),
            "cWzbJZ62M0NfU2dNqTRgi2Gso7OUJ7i2hezCBDYGaOJGUk3X",
            "the stored hash of a recovery code"
        )
        XCTAssertEqual(service.key(.password, "a", "b").hash, 3_781_651_345_441_407_117, "the key of an attempt")
    }

    func testTokensNameTheSameKey() {
        XCTAssertEqual(service.signer.keyID, "q33ygOSX", "the ID of the key that signs tokens")
    }

    func testTheSeedOfAnAuthenticatorAppIsOpened() throws {
        let sealed = "AQABAgMEBQYHCAkKCwwNDg84E9VFu4eEK5mKeg09NPRTJxhzrH1E6e51UO+0s+H8QAwgPhj2BeWEP5olvetkGieKd3Z7"
        let seed = try service.open([UInt8](XCTUnwrap(Data(base64Encoded: sealed))), context: ann.seedContext)
        XCTAssertEqual(String(decoding: seed, as: UTF8.self), "12345678901234567890", "the seed that was sealed")
    }

    func testAVisitToAProviderIsFoundAndOpened() async throws {
        let context = RequestContext(device: "phone")
        let secrets = try await service.beginAuthorization(
            .signIn,
            with: .google,
            redirectURI: "https://boats.example/back",
            by: nil,
            context
        )
        let key = OneTimeRecordID(digestOf: "authorization\u{0}" + secrets.state)
        let record = try await service.load([.record(key)]).record(key)
        guard case .authorization(let visit)? = record?.content else { return XCTFail("no visit is stored there") }
        let plain = try service.open(visit.sealed, context: "authorization \(key)")
        XCTAssertEqual(String(decoding: plain, as: UTF8.self), "\(secrets.codeVerifier).\(secrets.nonce)")
    }

    func testRecordsAreFoundUnderTheSameKeys() {
        let merge = Merge.ID(bits: 8)
        let identity = Identity(key: Identity.Key(issuer: "https://id.example", subject: "7"), provider: "oidc.example")
        var assertion = ProviderAssertion(provider: "oidc.example", issuer: "https://id.example", subject: "7")
        assertion.singleUse = ProviderAssertion.SingleUse(id: "abc", expiresAt: world.clock.now)
        let used = FederatedProof(identity: identity, assertion: assertion).singleUseKey
        let keys: [(String, OneTimeRecordID?, String)] = [
            ("the code of a mail", .mailCode("OgI88qaNZGD2w0_dTJ2oijCy"), "29trWPbcIigLiIViPJkiBk"),
            ("the end of an account", .tombstone(of: ann), "2hnC2rqrBJo1AoMR5B-uFP"),
            ("a recovery from lost factors", .lostFactors(of: ann), "2kJl_NFSKHmwZBt6oKJqgT"),
            ("a nonce", Nonce.key("authcore.abc"), "0646y1TVJcuEVByl3FC-fj"),
            ("a pending credential or challenge", OneTimeRecordID(bits: 4).keyOfHandedOut, "1dMW_ihKJsToFZQ-IREtSX"),
            ("a token that was used", used, "0JylgyKrPca7eHjbvopyod"),
            ("a sign-up", .provisional(.ascii("ann@example.com"), DeviceKey(bits: 9)), "0mRF7l-oEtQGDswXn_lgUB"),
            ("the plan of a merge", merge.planKey, "1ylCEf5a9mAxlOFNNmbr9k"),
            ("what undoes a merge", merge.undoKey, "1fqtG6ke4HXQbHEG09iI0W"),
        ]
        for (what, key, text) in keys { XCTAssertEqual(key?.text, text, "the key of \(what)") }
    }

    func testADeviceIsKnownByTheSameKeys() {
        let key = DeviceID(bits: 1).key
        XCTAssertEqual(key.text, "0JmGIH3cAkvm-yFL5_Tk4S", "the key of a device")
        XCTAssertEqual(key.ofRecovery.text, "13D53QL8EVmrMp_0-sC1vt", "its key after nothing but a recovery")
    }
}
