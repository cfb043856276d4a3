@testable import AuthCore
import AuthCoreTesting
import XCTest

/// I13: no person is kept out on a device of their own, however often its trust was taken back.
final class DistrustedDeviceTests: LimitedTestCase {
    func testADeviceStaysKnownForPasswordsThroughTwoEnrollments() async throws {
        let world = World(.standard)
        try await world.signUpVerifiedAnn(world.device("phone"))
        let ann = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await world.enrollTOTP(ann)
        let first = try XCTUnwrap(ann.multiFactor.enrolledFactors.first)
        try await ann.multiFactor.unenroll(first.id)
        try await world.enrollTOTP(ann)
        for number in 0..<8 {
            let guess = AuthCredential.password(email: "ann@example.com", password: "guess number \(number)")
            _ = await world.succeeds { try await world.device("stranger").signIn(with: guess) }
        }
        await assertThrows(.tooManyRequests, "a stranger's device") {
            try await world.device("stranger").signIn(with: World.annsPassword)
        }
        _ = try await world.passwordChallenge(in: world.device("phone"))
    }

    func testADeviceThatIsKnownByARecoveryOrASignInAloneStaysWhereOthersAreForgotten() {
        let (phone, other) = (DeviceID(bits: 7), DeviceID(bits: 8).key)
        for known in [phone.key, phone.key.ofRecovery] {
            var account = Account(id: "ann", createdAt: Timestamp(seconds: 0))
            account.knownDevices = [other, known]
            account.forgetDevices(except: phone)
            XCTAssertEqual(account.knownDevices, [known], "what is left of the device and another one")
        }
    }

    func testAKeyOfARecoveryIsItsOwn() {
        let key = DeviceID(bits: 7).key
        XCTAssertNotEqual(key.ofRecovery, key)
        XCTAssertEqual(key.ofRecovery.ofRecovery, key.ofRecovery)
        XCTAssertNotEqual(DeviceID(bits: 8).key.ofRecovery, key.ofRecovery)
    }
}
