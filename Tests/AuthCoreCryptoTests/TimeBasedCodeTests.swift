import XCTest

@testable import AuthCoreCrypto

final class TimeBasedCodeTests: LimitedTestCase {
    private let secret = bytes("12345678901234567890")
    private let noon: Int64 = 1_700_000_010

    func testCounterCodesAreThoseOfRFC4226() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        for (counter, code) in codes.enumerated() {
            XCTAssertEqual(TimeBasedCode().code(forStep: UInt64(counter), secret: secret), code)
        }
    }

    func testTimeCodesAreThoseOfRFC6238() {
        // The vectors have eight digits, of which a code of six is the end.
        let vectors: [(seconds: Int64, code: String)] = [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ]
        let totp = TimeBasedCode()
        for vector in vectors {
            let step = totp.step(at: vector.seconds)
            XCTAssertEqual(
                totp.code(forStep: step, secret: secret),
                String(vector.code.suffix(6)),
                "at \(vector.seconds) seconds"
            )
        }
    }

    func testNearTheFirstStepOnlyStepsThatThereAreMatch() {
        let totp = TimeBasedCode()
        for now in UInt64(0)...4 {
            let moment = Int64(now) * 30
            for step in UInt64(0)...8 {
                let code = totp.code(forStep: step, secret: secret)
                let match = totp.matchingStep(for: code, secret: secret, at: moment, drift: 2, after: nil)
                let isNear = step + 2 >= now && step <= now + 2
                XCTAssertEqual(match, isNear ? step : nil, "the code of step \(step) at step \(now)")
            }
        }
    }

    func testNoTimeWhateverTraps() {
        let totp = TimeBasedCode()
        XCTAssertEqual(totp.step(at: -1), 0)
        XCTAssertEqual(totp.step(at: .min), 0)
        for moment in [Int64.min, 0, .max] {
            for drift in [Int.min, -1, 0, 1, Int.max] {
                _ = totp.matchingStep(
                    for: "123456",
                    secret: secret,
                    at: moment,
                    drift: drift,
                    after: nil
                )
            }
        }
    }

    func testACodeIsTakenWithinTheDriftAndNotBeyond() {
        let totp = TimeBasedCode()
        let now = totp.step(at: noon)
        for distance in -3...3 {
            let step = UInt64(Int(now) + distance)
            let code = totp.code(forStep: step, secret: secret)
            let match = totp.matchingStep(for: code, secret: secret, at: noon, drift: 1, after: nil)
            XCTAssertEqual(match, abs(distance) <= 1 ? step : nil, "\(distance) steps away")
        }
    }

    func testTheDriftIsAtMostTwentySteps() {
        let totp = TimeBasedCode()
        let now = totp.step(at: noon)
        for (step, match) in [(now - 20, now - 20), (now + 20, now + 20), (now - 21, nil), (now + 21, nil)]
            as [(UInt64, UInt64?)]
        {
            let code = totp.code(forStep: step, secret: secret)
            let found = totp.matchingStep(for: code, secret: secret, at: noon, drift: 100, after: nil)
            XCTAssertEqual(found, match, "the code of step \(step) at step \(now)")
        }
    }

    func testAStepIsNeverTakenTwiceNorAfterALaterOne() {
        let totp = TimeBasedCode()
        let now = totp.step(at: noon)
        let code = totp.code(forStep: now, secret: secret)
        for (lastUsed, expected) in [(now - 1, now), (now, nil), (now + 1, nil), (.max, nil)] as [(UInt64, UInt64?)] {
            let match = totp.matchingStep(for: code, secret: secret, at: noon, drift: 1, after: lastUsed)
            XCTAssertEqual(match, expected, "after \(lastUsed)")
        }
    }

    /// Two neighboring steps now and then share a code; accepting the earlier one would let it be used again.
    func testACodeSharedByTwoStepsCountsForTheLater() throws {
        let totp = TimeBasedCode()
        let shared = (UInt64(0)..<4_000).lazy.flatMap { earlier in
            (1...20).lazy.map { (earlier, earlier + $0) }
        }
        var codes: [UInt64: String] = [:]
        for step in UInt64(0)...4_020 {
            codes[step] = totp.code(forStep: step, secret: secret)
        }
        let (earlier, later) = try XCTUnwrap(shared.first { codes[$0.0] == codes[$0.1] })
        let code = try XCTUnwrap(codes[earlier])
        let time = Int64(later) * 30
        XCTAssertEqual(totp.matchingStep(for: code, secret: secret, at: time, drift: 20, after: nil), later)
        XCTAssertNil(totp.matchingStep(for: code, secret: secret, at: time, drift: 20, after: later))
    }

    func testTextThatIsNotSixDigitsIsRefused() {
        let totp = TimeBasedCode()
        let code = totp.code(forStep: totp.step(at: noon), secret: secret)
        let arabic = String(
            String.UnicodeScalarView(code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) })
        )
        for text in [
            "", " ", code + " ", " " + code, "0" + code, String(code.dropLast()), code + "\0", arabic, "-12345",
        ] {
            XCTAssertNil(totp.matchingStep(for: text, secret: secret, at: noon, drift: 1, after: nil), text)
        }
        XCTAssertNotNil(totp.matchingStep(for: code, secret: secret, at: noon, drift: 0, after: nil))
    }

    func testAnEmptySecretMatchesNothing() {
        let totp = TimeBasedCode()
        let code = totp.code(forStep: totp.step(at: noon), secret: [])
        XCTAssertNil(totp.matchingStep(for: code, secret: [], at: noon, drift: 1, after: nil))
    }

    func testTheProvisioningAddressEscapesWhateverIsNotPlain() {
        XCTAssertEqual(
            TimeBasedCode().provisioningAddress(
                secret: Base32.encode(bytes("foobar")),
                issuer: "Acme",
                accountName: "ann@example.com"
            ),
            "otpauth://totp/Acme:ann%40example.com"
                + "?secret=MZXW6YTBOI&issuer=Acme&algorithm=SHA1&digits=6&period=30"
        )
        XCTAssertEqual(
            TimeBasedCode()
                .provisioningAddress(
                    secret: Base32.encode(bytes("foobar")),
                    issuer: "A:c & Ü+?",
                    accountName: "a/b:c#%"
                ),
            "otpauth://totp/Ac%20%26%20%C3%9C%2B%3F:a%2Fb%3Ac%23%25"
                + "?secret=MZXW6YTBOI&issuer=Ac%20%26%20%C3%9C%2B%3F&algorithm=SHA1&digits=6&period=30"
        )
        XCTAssertEqual(
            TimeBasedCode().provisioningAddress(secret: Base32.encode(bytes("foobar")), issuer: "", accountName: "ann"),
            "otpauth://totp/ann?secret=MZXW6YTBOI&algorithm=SHA1&digits=6&period=30"
        )
    }
}
