import AuthCore
import XCTest

@testable import AuthCoreProviders

/// How often a provider is asked for its keys, and how much of its answer is read, by tokens that it did not sign.
final class KeyFetchTests: LimitedTestCase {
    private let provider = TestProvider()
    private lazy var core = provider.core()

    private var fetches: Int { provider.transport.count(TestProvider.keysPath) }

    private func refusal(naming keyID: String, after seconds: Double = 0) async -> VerificationFailure? {
        await core.refusal(of: provider.forged(keyID), after: seconds)
    }

    func testUnknownKeysAreAskedForAtMostOnceAMinute() async {
        for number in 0..<100 {
            let failure = await refusal(naming: "forged \(number)")
            XCTAssertEqual(failure?.kind, .wrongKey, "forged token \(number)")
        }
        XCTAssertEqual(fetches, 2, "at first, and for the first unknown key")
        _ = await refusal(naming: "forged", after: 59)
        XCTAssertEqual(fetches, 2, "within the minute")
        _ = await refusal(naming: "forged", after: 60)
        XCTAssertEqual(fetches, 3, "after the minute")
        let known = await refusal(naming: "1", after: 60)
        XCTAssertEqual(known?.kind, .wrongSignature, "forged tokens do not disturb those of the known key")
    }

    func testAForgedSignatureOfAKnownKeyAsksForNothing() async {
        for number in 0..<10 {
            let failure = await refusal(naming: "1")
            XCTAssertEqual(failure?.kind, .wrongSignature, "forged signature \(number)")
        }
        XCTAssertEqual(fetches, 1, "how often the keys were fetched")
    }

    func testAForgedSignatureOfANewKeyAsksForNothingMore() async {
        _ = await refusal(naming: "1")
        provider.publish(keys: [TestKey.rsa.webKey(["kid": "2"])])
        let forged = await refusal(naming: "2")
        XCTAssertEqual(forged?.kind, .wrongSignature, "the new key has this name")
        XCTAssertEqual(fetches, 2, "how often the keys were fetched")
        XCTAssertEqual(provider.transport.count(TestProvider.configurationPath), 1, "questions about the place of keys")
    }

    func testKeysAreKeptAsLongAsTheHeadersSayWithinBounds() async {
        let cases: [([String: String], until: Double)] = [
            ([:], 3600), (["cache-control": "public, max-age=7200, must-revalidate"], 7200),
            (["cache-control": "max-age=7200", "age": "600"], 6600), (["cache-control": "max-age=5"], 300),
            (["cache-control": "no-store"], 300), (["cache-control": "max-age=99999999"], 86400),
            (["cache-control": "max-age=nan"], 3600), (["cache-control": "max-age=-5"], 300),
        ]
        for (headers, until) in cases {
            let provider = TestProvider()
            provider.publish(keys: [TestKey.rsa.webKey(["kid": "1"])], headers: headers)
            let core = provider.core()
            for (seconds, count) in [(0, 1), (until - 1, 1), (until, 2)] {
                _ = await core.refusal(of: provider.forged(), after: seconds)
                XCTAssertEqual(provider.transport.count(TestProvider.keysPath), count, "\(headers) after \(seconds)")
            }
        }
    }

    func testAKeySetHasAtMostAMebibyte() async {
        let set = ClaimValue.object(["keys": [TestKey.rsa.webKey(["kid": "1"])]]).json()
        for (count, kind) in [(1 << 20, .wrongSignature), (1 << 20 + 1, .unreachable)]
            as [(Int, VerificationFailure.Kind)]
        {
            let body = set + [UInt8](repeating: 0x20, count: count - set.count)
            provider.transport.answer(TestProvider.keysPath) { _ in ProviderResponse(status: 200, body: body) }
            let failure = await provider.core().refusal(of: provider.forged())
            XCTAssertEqual(failure?.kind, kind, "a key set of \(count) bytes")
        }
    }

    func testAProviderThatAsksToWaitIsQuoted() async {
        provider.transport.answer(TestProvider.keysPath, [:], status: 503, headers: ["Retry-After": "120"])
        let failure = await refusal(naming: "1")
        XCTAssertEqual(failure?.kind, .unreachable, "a provider that is down")
        XCTAssertEqual(failure?.retryAfter, .seconds(120), "how long the app is asked to wait")
        XCTAssertEqual(failure?.detail?.contains("the status 503"), true, failure?.detail ?? "")
    }
}
