import AuthCoreTesting
import XCTest

@testable import AuthCore

final class DeviceIDTests: LimitedTestCase {
    func testADeviceIsPrintedWithoutItsSecrets() {
        let device = DeviceID(bits: 7)
        for text in ["\(device)", String(reflecting: device)] { XCTAssertEqual(text, "DeviceID") }
        var dumped = ""
        dump(device, to: &dumped)
        XCTAssertFalse(dumped.contains(device.rawValue), dumped)
    }

    func testADeviceKeepsItsSecretAndTenFormerOnesWithTheTimesOfTheirEnds() throws {
        let start = Timestamp(seconds: 1_800_000_000)
        var device = DeviceID(bits: 0)
        for number in 1...12 { device = device.renewed(bits: UInt128(number), at: start + .seconds(number)) }
        XCTAssertEqual(
            device.secrets.map(\.id),
            (2...12).reversed().map { DeviceSecret.ID(bits: $0) },
            "the current secret and ten former ones, newest first"
        )
        XCTAssertNil(device.secrets.first?.replacedAt, "the current one has not ended")
        XCTAssertEqual(
            device.secrets.dropFirst().map(\.replacedAt),
            (3...12).reversed().map { start + .seconds($0) },
            "each former one ended when the next began"
        )
        XCTAssertEqual(DeviceID(rawValue: device.rawValue), device, "its text is read back")
    }

    /// More secrets would make a text that is not read back.
    func testADeviceThatGotSecretsElsewhereKeepsTenFormerOnes() {
        let start = Timestamp(seconds: 1_800_000_000)
        func device(_ side: UInt128) -> DeviceID {
            (1..<12).reduce(DeviceID(bits: side)) { $0.renewed(bits: $1 * 10 + side, at: start) }
        }
        let (first, second) = (device(1), device(2))
        let both = first.keeping(second, at: start + .seconds(1))
        XCTAssertEqual(both.secrets.count, 11, "the current secret and ten former ones")
        XCTAssertEqual(both.secrets.first, first.secrets.first, "the current secret")
        XCTAssertEqual(both.secrets.dropFirst().first?.id, second.secrets.first?.id, "the next")
        XCTAssertEqual(
            both.secrets.map(\.replacedAt),
            [nil, start + .seconds(1)] + Array(repeating: start, count: 9),
            "a secret that was replaced before keeps the time of that"
        )
        XCTAssertEqual(DeviceID(rawValue: both.rawValue), both, "its text is read back")
    }

    /// What was bound to a former secret after its end is refused; a text that names a later end was not handed out so.
    func testNoSecretEndsAfterItWasReplaced() throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let (current, former) = (DeviceSecret(id: .init(bits: 1)), DeviceSecret(id: .init(bits: 2)))
        let later = String((now + .days(365)).milliseconds, radix: 36)
        let planted = try XCTUnwrap(DeviceID(rawValue: current.text + "." + former.text + later))
        let renewed = planted.renewed(bits: 3, at: now)
        XCTAssertEqual(renewed.secrets.map(\.replacedAt), [nil, now, now], "the ends of a device that is renewed")
        let kept = DeviceID(bits: 4).keeping(planted, at: now)
        XCTAssertEqual(kept.secrets.map(\.replacedAt), [nil, now, now], "the ends of what a device gets")
    }

    func testADeviceGetsNothingTwice() {
        let start = Timestamp(seconds: 1_800_000_000)
        let old = DeviceID(bits: 1).renewed(bits: 2, at: start)
        XCTAssertEqual(old.keeping(old, at: start), old, "with itself")
        let new = old.renewed(bits: 3, at: start)
        XCTAssertEqual(new.keeping(old, at: start), new, "with the device as it was")
    }

    func testOnlyATextThatTheServiceHandedOutIsADevice() throws {
        let noon = Timestamp(seconds: 1_800_000_000)
        let secret = DeviceID(bits: 7).rawValue
        let former = try XCTUnwrap(DeviceID(bits: 7).renewed(bits: 8, at: noon).rawValue.split(separator: ".").last)
        XCTAssertEqual(secret.utf8.count, 22, "a secret has 22 characters")
        XCTAssertNotNil(DeviceID(rawValue: "\(secret).\(former)"), "a secret and a former one")
        let longest = ([secret] + Array(repeating: String(former), count: 10)).joined(separator: ".")
        XCTAssertEqual(DeviceID(rawValue: longest)?.secrets.count, 11, "eleven secrets")
        for (text, what) in [
            ("", "nothing"), (".", "no secrets"), (String(secret.dropLast()), "a secret that is cut off"),
            ("\(secret).", "an empty former secret"), (String(former), "no current secret"),
            ("\(secret).\(secret)", "two current secrets"), ("\(secret)?", "a time that is none"),
            ("\(longest).\(former)", "twelve secrets"),
            (secret + "." + secret + String(repeating: "0", count: 500), "more than 512 bytes"),
        ] {
            XCTAssertNil(DeviceID(rawValue: text), what)
        }
        let padded = secret + "." + secret + String(repeating: "0", count: 512 - 45)
        XCTAssertEqual(padded.utf8.count, 512)
        XCTAssertNotNil(DeviceID(rawValue: padded), "512 bytes")
    }
}
