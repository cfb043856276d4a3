import AuthCoreTesting
import XCTest

@testable import AuthCore

final class DeviceIDTests: XCTestCase {
    func testADeviceIsPrintedWithoutItsSecrets() {
        let device = DeviceID(bits: 7)
        for text in ["\(device)", String(reflecting: device)] { XCTAssertEqual(text, "DeviceID") }
        var dumped = ""
        dump(device, to: &dumped)
        XCTAssertFalse(dumped.contains(device.rawValue), dumped)
    }
}
