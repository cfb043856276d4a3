#if OpenSSL
import AuthCore
import Synchronization
import XCTest

@testable import AuthCoreProviders

/// How the keys of a provider are fetched, kept, replaced and survived.
final class KeyRotationTests: LimitedTestCase {
    private let provider = TestProvider()

    private var fetches: Int { provider.transport.count(TestProvider.keysPath) }

    func testARequestThatBeganAMomentBeforeTheKeysWereFetchedUsesThem() async {
        let verifier = provider.verifier
        let first = await provider.refusal(by: verifier, after: 10)
        XCTAssertNil(first, "the keys are fetched")
        provider.transport.goDown()
        let second = await provider.refusal(by: verifier, after: 9.99)
        XCTAssertNil(second, "the keys are a moment old, and serve through an outage")
        XCTAssertEqual(fetches, 1, "how often the keys were fetched")
    }

    func testKeysAreFetchedOnceForAllWhoWait() async {
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let keys = ClaimValue.object(["keys": [Signer().webKey]])
        provider.transport.answer(TestProvider.keysPath) { _ in
            isStarted.yield()
            for await _ in released { break }
            return ProviderResponse(status: 200, body: keys.json())
        }
        let verifier = provider.verifier
        let token = provider.credential()
        await withTaskGroup(of: VerificationFailure?.self) { group in
            for _ in 0..<50 { group.addTask { await verifier.refusal(of: token) } }
            for await _ in started { break }
            release.yield()
            release.finish()
            for await failure in group { XCTAssertNil(failure) }
        }
        XCTAssertEqual(fetches, 1)
        XCTAssertEqual(provider.transport.count(TestProvider.configurationPath), 1)
    }

    func testOneWhoStopsWaitingDoesNotStopTheOthers() async throws {
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let keys = ClaimValue.object(["keys": [Signer().webKey]])
        provider.transport.answer(TestProvider.keysPath) { _ in
            isStarted.yield()
            for await _ in released { break }
            try Task.checkCancellation()
            return ProviderResponse(status: 200, body: keys.json())
        }
        let verifier = provider.verifier
        let token = provider.credential()
        let impatient = Task { try await verifier.verify(token) }
        for await _ in started { break }
        let patient = Task { try await verifier.verify(token) }
        impatient.cancel()
        do {
            _ = try await impatient.value
            XCTFail("a canceled sign-in went on")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        release.yield()
        release.finish()
        _ = try await patient.value
    }

    func testANewKeyIsFetchedAtOnceAndAnOldOneIsForgotten() async {
        let verifier = provider.verifier
        let new = Signer(key: .otherRSA, keyID: "2")
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        provider.publish(keys: [new.webKey])
        failure = await provider.refusal(by: verifier, of: new)
        XCTAssertNil(failure, "the provider changed its keys")
        XCTAssertEqual(fetches, 2)
        failure = await provider.refusal(by: verifier)
        XCTAssertEqual(failure?.kind, .wrongKey, "the provider dropped the old key")
        XCTAssertEqual(fetches, 2)
    }

    /// Otherwise an attacker who sends an unknown key once a minute, and hangs up, would block a new key for all.
    func testAKeyThatSomebodyAskedForAndDidNotWaitForIsThereForTheNextPerson() async throws {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        let new = Signer(key: .otherRSA, keyID: "2")
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let keys = ClaimValue.object(["keys": [new.webKey]])
        provider.transport.answer(TestProvider.keysPath) { _ in
            isStarted.yield()
            for await _ in released { break }
            try Task.checkCancellation()
            return ProviderResponse(status: 200, body: keys.json())
        }
        let forged = provider.claims()
        let attacker = Task {
            let token = Signer(key: .otherRSA, keyID: "forged").token(forged)
            return try await verifier.verify(.oauth("oidc.example", idToken: token))
        }
        for await _ in started { break }
        attacker.cancel()
        do {
            _ = try await attacker.value
            XCTFail("a canceled sign-in went on")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        release.yield()
        release.finish()
        failure = await provider.refusal(by: verifier, of: new)
        XCTAssertNil(failure, "one who hung up used up the minute in which the provider is asked for new keys")
        XCTAssertEqual(fetches, 2)
    }

    func testOneWhoStopsWaitingForThePlaceOfKeysIsNotToldOfAWrongKey() async {
        let verifier = provider.verifier
        let failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        provider.transport.answer(TestProvider.configurationPath) { _ in
            isStarted.yield()
            for await _ in released { break }
            throw ScriptedTransport.Down()
        }
        let token = Signer(key: .otherRSA, keyID: "2").token(provider.claims())
        let task = Task { try await verifier.verify(.oauth("oidc.example", idToken: token)) }
        for await _ in started { break }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("a canceled sign-in went on")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        release.finish()
    }

    func testANewKeyThatCouldNotBeAskedForIsNoWrongKey() async {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        let new = Signer(key: .otherRSA, keyID: "2")
        provider.transport.goDown()
        for attempt in 1...3 {
            failure = await provider.refusal(by: verifier, of: new)
            XCTAssertEqual(failure?.kind, .unreachable, "it is unknown whether the key is wrong, attempt \(attempt)")
        }
        XCTAssertEqual(fetches, 2, "the provider is asked once a minute all the same")
        failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure, "a known key needs no provider")
        provider.publish(keys: [new.webKey])
        failure = await provider.refusal(by: verifier, of: new, after: 60)
        XCTAssertNil(failure, "the provider is back")
        failure = await provider.refusal(by: verifier, of: Signer(key: .rsa, keyID: "3"), after: 61)
        XCTAssertEqual(failure?.kind, .wrongKey, "the provider answered, and has no such key")
    }

    func testAKeyWithoutANameCanBeReplaced() async {
        let old = Signer(keyID: nil)
        let new = Signer(key: .otherRSA, keyID: nil)
        provider.publish(keys: [old.webKey])
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier, of: old)
        XCTAssertNil(failure, "neither token nor key needs a name")
        provider.publish(keys: [new.webKey])
        failure = await provider.refusal(by: verifier, of: new)
        XCTAssertNil(failure)
        failure = await provider.refusal(by: verifier, of: old)
        XCTAssertEqual(failure?.kind, .wrongSignature)
        XCTAssertEqual(fetches, 2)
    }

    /// A token that names its key may be signed with one that has no name.
    func testAKeyWithoutANameBesideANamedOneCanBeReplaced() async {
        let named = Signer(key: .otherRSA, keyID: "other")
        let old = Signer(keyID: nil)
        provider.publish(keys: [named.webKey, old.webKey])
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier, of: Signer())
        XCTAssertNil(failure, "a token that names a key without a name")
        let new = Signer(key: .p256, algorithm: .es256, keyID: nil)
        provider.publish(keys: [named.webKey, new.webKey])
        failure = await provider.refusal(by: verifier, of: Signer(key: .p256, algorithm: .es256))
        XCTAssertNil(failure, "a token that names the key in its place")
    }

    func testAKeyOfTheSameKindInThePlaceOfOneWithoutANameIsLookedFor() async {
        let named = Signer(key: .p256, algorithm: .es256, keyID: "other")
        provider.publish(keys: [named.webKey, Signer(keyID: nil).webKey])
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier, of: Signer())
        XCTAssertNil(failure, "a token that names a key without a name")
        provider.publish(keys: [named.webKey, Signer(key: .otherRSA, keyID: nil).webKey])
        failure = await provider.refusal(by: verifier, of: Signer(key: .otherRSA))
        XCTAssertNil(failure, "a token of the key in its place")
    }

    func testATokenWithoutAKeyNameFindsItsKeyAmongSeveral() async {
        let signers = [
            Signer(), Signer(key: .otherRSA, keyID: "2"), Signer(key: .p256, algorithm: .es256, keyID: "3"),
            Signer(key: .ed25519, algorithm: .edDSA, keyID: "4"),
        ]
        provider.publish(keys: signers.map(\.webKey))
        let verifier = provider.verifier
        for var signer in signers {
            signer.keyID = nil
            let failure = await provider.refusal(by: verifier, of: signer)
            XCTAssertNil(failure, "\(signer.key)")
        }
    }

    func testAnOutageIsSurvivedForAStatedTime() async {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        provider.transport.goDown()
        for hours in [1.0, 3, 7] {
            failure = await provider.refusal(by: verifier, after: hours * 3600)
            XCTAssertNil(failure, "after \(hours) hours")
        }
        let before = provider.transport.requests.count
        for _ in 0..<10 { failure = await provider.refusal(by: verifier, after: 7 * 3600) }
        XCTAssertNil(failure)
        XCTAssertEqual(provider.transport.requests.count, before, "sign-ins do not wait for it again and again")
        failure = await provider.refusal(by: verifier, after: 7 * 3600 + 1)
        XCTAssertEqual(failure?.kind, .unreachable)
        XCTAssertEqual(failure?.retryAfter, .seconds(30))
        provider.publish(keys: [Signer().webKey])
        provider.transport.answer(TestProvider.configurationPath, TestProvider.configuration())
        failure = await provider.refusal(by: verifier, after: 7 * 3600 + 6)
        XCTAssertNil(failure, "the provider is back, and five seconds have passed")
    }

    func testKeysThatAreKeptForADayServeThroughAnOutageAfterIt() async {
        provider.publish(keys: [Signer().webKey], headers: ["cache-control": "max-age=86400"])
        provider.transport.answer(
            TestProvider.configurationPath,
            TestProvider.configuration(),
            headers: ["cache-control": "max-age=86400"]
        )
        let verifier = provider.verifier
        let fetched = await provider.refusal(by: verifier)
        XCTAssertNil(fetched)
        provider.transport.goDown()
        let within = await provider.refusal(by: verifier, after: 30 * 3600)
        XCTAssertNil(within, "six hours after the day")
        let beyond = await provider.refusal(by: verifier, after: 30 * 3600 + 1)
        XCTAssertEqual(beyond?.kind, .unreachable, "a second later")
    }

    func testAProviderThatIsDownIsAskedAgainAfterAMinute() async {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        // A set of keys that is missing is an outage like another, and no one's wrong credential.
        for (seconds, status, count) in [(3600.0, 503, 2), (3659, 503, 2), (3660, 404, 3), (3720, 503, 4)] {
            provider.transport.answer(TestProvider.keysPath, [:], status: status)
            failure = await provider.refusal(by: verifier, after: seconds)
            XCTAssertNil(failure, "the known keys serve after \(seconds) seconds")
            XCTAssertEqual(fetches, count, "questions about the keys after \(seconds) seconds")
        }
    }

    func testAnAppSetsHowLongTheConfigurationServesThroughAnOutage() async throws {
        var verifier = provider.verifier
        verifier.outageTolerance = .seconds(7200)
        let (path, end) = (TestProvider.configurationPath, ClaimValue.string(TestProvider.issuer + "/me"))
        provider.transport.answer(path, TestProvider.configuration(["userinfo_endpoint": end]))
        let fetched = await provider.refusal(by: verifier)
        XCTAssertNil(fetched)
        provider.transport.answer(path, [:], status: 503)
        let token = provider.signer.token(provider.claims(["iat": 1_800_010_800, "exp": 1_800_014_000]))
        provider.transport.answer("/token", ["access_token": "at", "id_token": .string(token)])
        provider.transport.answer("/me", ["sub": "248289761001"])
        var credential = AuthCredential.Federated(provider: "oidc.example")
        credential.authorizationCode = "c0de"
        let steps: [(String, @Sendable (OIDCVerifier, AuthCredential.Federated, Date) async throws -> Void)] = [
            ("the page", { verifier, _, now in _ = try await verifier.authorizationPage(at: now) }),
            ("the issuer of answers", { verifier, _, now in _ = try await verifier.answerIssuer(at: now) }),
            ("an exchange", { verifier, credential, now in _ = try await verifier.exchange(credential, at: now) }),
            (
                "a code",
                { verifier, credential, now in
                    _ = try await verifier.verify(credential, in: VerificationContext(now: now))
                }
            ),
        ]
        for (step, act) in steps {
            try await act(verifier, credential, testTime.addingTimeInterval(10_800))
            do {
                try await act(verifier, credential, testTime.addingTimeInterval(10_801))
                XCTFail("\(step) needed no provider after more than three hours")
            } catch {
                XCTAssertEqual((error as? VerificationFailure)?.kind, .unreachable, "\(step): \(error)")
            }
        }
    }

    func testABrokenKeySetLeavesTheKnownKeysAlone() async {
        let verifier = provider.verifier
        var failure = await provider.refusal(by: verifier)
        XCTAssertNil(failure)
        for (number, body) in ["", "<html>", "{}", #"{"keys": 7}"#, #"{"keys": []}"#].enumerated() {
            provider.transport.answer(TestProvider.keysPath) { _ in
                ProviderResponse(status: 200, body: Array(body.utf8))
            }
            failure = await provider.refusal(by: verifier, after: 7200 + 60 * Double(number))
            XCTAssertNil(failure, body)
            XCTAssertEqual(fetches, 2 + number, "the broken keys were not fetched: \(body)")
        }
    }

    func testATokenThatNamesNoKeyMayBeOfANewOne() async {
        let verifier = provider.verifier
        let first = await provider.refusal(by: verifier)
        XCTAssertNil(first, "a token of the first key")
        let new = Signer(key: .otherRSA, keyID: "2")
        provider.publish(keys: [new.webKey])
        let second = await provider.refusal(by: verifier, of: Signer(key: .otherRSA, keyID: nil), after: 61)
        XCTAssertNil(second, "a token of the new key that does not name it")
    }
}
#endif
