#if OpenSSL
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What serves while the keys of a provider move to another place, or the provider cannot be reached.
final class MovedKeysTests: LimitedTestCase {
    private let provider = TestProvider()
    private let day = ["cache-control": "max-age=86400"]

    /// The configuration names another place of the keys from now on.
    private func move(_ answer: ClaimValue, status: Int = 200) {
        let place = ClaimValue.string(TestProvider.issuer + "/keys-2")
        provider.transport.answer("/keys-2", answer, status: status)
        provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration(["jwks_uri": place]))
    }

    func testKeysThatMovedAreFoundBeforeTheConfigurationEnds() async {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        let new = Signer(key: .otherRSA, keyID: "2")
        provider.transport.answer("/keys-2", ["keys": .array([new.webKey])])
        provider.transport.answer(
            TestProvider.configurationPath,
            TestProvider.configuration(["jwks_uri": .string(TestProvider.issuer + "/keys-2")])
        )
        let token = AuthCredential.oauth("oidc.example", idToken: new.token(provider.claims()))
        failure = await verifier.refusal(of: token, after: 120)
        XCTAssertNil(failure, "a token by a key at the new place")
        XCTAssertEqual(provider.transport.count("/keys-2"), 1, "questions about the keys at the new place")
        failure = await provider.refusal(by: verifier, after: 130)
        XCTAssertEqual(failure?.kind, .wrongKey, "a token by a key of the place before")
        XCTAssertEqual(provider.transport.count(TestProvider.configurationPath), 2, "questions about the place")
    }

    func testTheKnownKeysServeUntilTheNewPlaceHasGivenSome() async {
        for (answer, status) in [([:], 503), ([:], 404), (["keys": []], 200)] as [(ClaimValue, Int)] {
            provider.publish(keys: [Signer().webKey], headers: day)
            let verifier = provider.verifier
            provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration())
            _ = await provider.refusal(by: verifier)
            move(answer, status: status)
            var failure = await provider.refusal(by: verifier, of: Signer(key: .otherRSA, keyID: "2"), after: 61)
            XCTAssertEqual(failure?.kind, .unreachable, "an unknown key, while the new place answers \(status)")
            for seconds in [61.0, 3600, 86_400] {
                failure = await provider.refusal(by: verifier, after: seconds)
                XCTAssertNil(failure, "the known key after \(seconds) seconds, the new place answers \(status)")
            }
            failure = await provider.refusal(by: verifier, after: 30 * 3600 + 62)
            XCTAssertEqual(failure?.kind, .unreachable, "the known keys are too old, the new place answers \(status)")
            move(["keys": .array([Signer(key: .otherRSA, keyID: "2").webKey])])
            failure = await provider.refusal(by: verifier, after: 30 * 3600 + 68)
            XCTAssertEqual(failure?.kind, .wrongKey, "the new place has answered")
        }
    }

    func testTheKeysOfTheOldPlaceDoNotComeBackWhenTheNewOneFails() async {
        provider.publish(keys: [Signer().webKey], headers: day)
        let verifier = provider.verifier
        _ = await provider.refusal(by: verifier)
        let new = Signer(key: .otherRSA, keyID: "2")
        move(["keys": .array([new.webKey])])
        var failure = await provider.refusal(by: verifier, of: new, after: 3600)
        XCTAssertNil(failure, "the new place gives its keys")
        provider.transport.answer("/keys-2", [:], status: 503)
        failure = await provider.refusal(by: verifier, after: 3700)
        XCTAssertEqual(failure?.kind, .unreachable, "a key of the old place")
        failure = await provider.refusal(by: verifier, after: 3600 * 9)
        XCTAssertEqual(failure?.kind, .unreachable, "a key of the old place, when the copy of the new one has ended")
    }

    func testKeysThatMovedAreFoundWhereTheOldPlaceIsGone() async {
        for headers in [[:], day] {
            provider.publish(keys: [Signer().webKey])
            provider.transport.answer(
                TestProvider.configurationPath,
                TestProvider.configuration(),
                headers: headers
            )
            let verifier = provider.verifier
            _ = await provider.refusal(by: verifier)
            let new = Signer(key: .otherRSA, keyID: "2")
            move(["keys": .array([Signer().webKey, new.webKey])])
            provider.transport.answer(TestProvider.keysPath, [:], status: 404)
            var failure = await provider.refusal(by: verifier, of: new, after: 120)
            XCTAssertNil(failure, "a token by a new key")
            failure = await provider.refusal(by: verifier, after: 20 * 3600)
            XCTAssertNil(failure, "a token by a known key, long after the old place was gone")
        }
    }

    func testKnownKeysThatMovedAreFoundWhenTheirCopyEnds() async {
        provider.publish(keys: [Signer().webKey])
        provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration(), headers: day)
        let verifier = provider.verifier
        _ = await provider.refusal(by: verifier)
        move(["keys": .array([Signer().webKey])])
        provider.transport.answer(TestProvider.keysPath, [:], status: 404)
        let failure = await provider.refusal(by: verifier, after: 8 * 3600)
        XCTAssertNil(failure, "the configuration is kept for a day, and its place of the keys is gone")
    }

    func testKeysWithoutNamesThatMovedAreFound() async {
        let (old, new) = (Signer(keyID: nil), Signer(key: .otherRSA, keyID: nil))
        provider.publish(keys: [old.webKey])
        let verifier = provider.verifier
        _ = await provider.refusal(by: verifier, of: old)
        move(["keys": .array([new.webKey])])
        let failure = await provider.refusal(by: verifier, of: new, after: 120)
        XCTAssertNil(failure, "a token without a key's name")
    }

    func testInAnOutageTheKeysServeAsLongAsTheirOwnHeadersSay() async {
        provider.publish(keys: [Signer().webKey], headers: day)
        let verifier = provider.verifier
        _ = await provider.refusal(by: verifier)
        provider.transport.goDown()
        var failure = await provider.refusal(by: verifier, after: 30 * 3600)
        XCTAssertNil(failure, "a day and six hours, though the configuration said an hour")
        failure = await provider.refusal(by: verifier, after: 30 * 3600 + 1)
        XCTAssertEqual(failure?.kind, .unreachable, "a second later")
    }
}
#endif
