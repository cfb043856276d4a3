@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class SeatTests: XCTestCase {
    private var directory = URL(filePath: NSTemporaryDirectory())

    override func setUpWithError() throws {
        directory = URL(filePath: NSTemporaryDirectory()).appending(path: "authcore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: directory)
    }

    private let key: [UInt8] = Array(0..<32)

    private func persistence() throws -> FileSeatPersistence {
        try FileSeatPersistence(path: directory.appending(path: "seat").path(), key: key)
    }

    func testASeatGoesOnAfterARelaunch() async throws {
        let world = World()
        let user = try await world.seat(persistence: try persistence()).signInAnonymously().user
        let relaunched = world.seat(persistence: try persistence())
        XCTAssertNil(relaunched.currentUser)
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid)
        XCTAssertEqual(relaunched.currentUser?.uid, user.uid)
        try await restored?.updateProfile(displayName: .set("Ann"))
    }

    func testASeatRemembersWhoSignedInWithoutOne() async throws {
        let world = World()
        let result = try await world.service.client().signInAnonymously()
        XCTAssertNil(result.user.session.seat)
        _ = await world.seat("kiosk", persistence: try persistence()).setCurrentUser(result)
        let record = try await persistence().load()
        XCTAssertEqual(record?.seat, "kiosk")
        XCTAssertEqual(record?.account, result.user.account.id)
    }

    func testASeatThatWasLeftStaysEmpty() async throws {
        let world = World()
        let seat = world.seat(persistence: try persistence())
        try await seat.signInAnonymously()
        try await seat.signOut()
        let restored = try await world.seat(persistence: try persistence()).restore()
        XCTAssertNil(restored)
    }

    func testASessionThatEndedMeanwhileIsNotRestored() async throws {
        let world = World()
        let user = try await world.seat(persistence: try persistence()).signInAnonymously().user
        try await world.service.revokeSessions(of: user.account.id)
        let relaunched = world.seat(persistence: try persistence())
        var changes = relaunched.changes().makeAsyncIterator()
        _ = await changes.next()
        let restored = try await relaunched.restore()
        XCTAssertNil(restored)
        guard case .sessionEnded(.userTokenExpired)? = await changes.next() else {
            return XCTFail("no word of the end")
        }
    }

    func testAFileThatWasTamperedWithIsRefusedAtEveryByte() async throws {
        let world = World()
        try await world.seat(persistence: try persistence()).signInAnonymously()
        let file = directory.appending(path: "seat")
        let good = try Data(contentsOf: file)
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            try bad.write(to: file)
            let error = await authError("byte \(index)") {
                try await world.seat(persistence: try self.persistence()).restore()
            }
            XCTAssertEqual(error?.cause as? SeatPersistenceError, .tampered, "byte \(index)")
        }
        for length in [0, 1, good.count / 2, good.count - 1] {
            try good.prefix(length).write(to: file)
            let error = await authError("length \(length)") {
                try await world.seat(persistence: try self.persistence()).restore()
            }
            XCTAssertEqual(error?.cause as? SeatPersistenceError, .tampered, "length \(length)")
        }
    }

    func testWhatCannotBeReadOrWrittenSaysSo() async throws {
        let place = try FileSeatPersistence(path: directory.path(), key: key)
        for operation in [{ _ = try await place.load() }, { try await place.save(nil) }] {
            do {
                try await operation()
                XCTFail("a folder is no file")
            } catch SeatPersistenceError.unreadable {
                // As it should be.
            }
        }
        let error = await authError { try await World().seat(persistence: place).restore() }
        XCTAssertEqual(error?.code, .savedSessionUnreadable)
    }

    func testASeatShowsTheMessagesThatAreKeptInMemory() async throws {
        let seat = Auth()
        try await seat.signUp(email: "ann@example.com", password: "correct horse battery")
        try await seat.currentUser?.sendEmailVerification()
        XCTAssertNotNil(seat.outbox?.last(to: "ann@example.com", .verifyEmail))
        struct Mailer: MessageSender {
            func send(_ message: Message) async throws {}
        }
        XCTAssertNil(Auth(AuthConfiguration(messageSender: Mailer())).outbox)
    }

    func testASeatSignsItselfOutWhenItsAccountOrSessionIsGoneAndSaysSo() async throws {
        let world = World()
        for (expected, end) in [
            (AuthErrorCode.userTokenExpired, { try await world.service.revokeSessions(of: $0) }),
            (.userDisabled, { _ = try await world.service.setDisabled(true, account: $0) }),
            (.userNotFound, { try await world.service.deleteAccount($0) }),
        ] as [(AuthErrorCode, (AccountID) async throws -> Void)] {
            let seat = world.seat()
            let user = try await seat.signInAnonymously().user
            var changes = seat.changes().makeAsyncIterator()
            _ = await changes.next()
            try await end(user.account.id)
            await assertThrows(expected) { try await user.updateProfile(displayName: .set("x")) }
            XCTAssertNil(seat.currentUser)
            guard case .sessionEnded(expected)? = await changes.next() else { return XCTFail("\(expected)") }
        }
    }

    func testARelaunchedAppAnswersTheChallengesOfTheRestoredUser() async throws {
        let world = World()
        let user = try await world.seat("old key", persistence: try persistence()).signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: try persistence())
        XCTAssertNotEqual(relaunched.seat, "old key")
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid)
        XCTAssertEqual(relaunched.seat, "old key")
        XCTAssertEqual(relaunched.client.context.seat, "old key")
        XCTAssertEqual(restored?.context.seat, "old key")
    }

    func testSigningOutWithoutTheStoreLeavesNobodySignedIn() async throws {
        let store = FaultyStore(InMemoryIdentityStore())
        let world = World { $0.store = store }
        let seat = world.seat()
        try await seat.signInAnonymously()
        store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await seat.signOut() }
        XCTAssertNil(seat.currentUser)
    }

    func testARefusedOperationKeepsTheUserInTheSeat() async throws {
        let world = World()
        let seat = world.seat()
        let user = try await seat.signUp(email: "ann@example.com", password: "correct horse").user
        await assertThrows(.emailAlreadyInUse) {
            try await seat.signUp(email: "ann@example.com", password: "other one")
        }
        await assertThrows(.wrongPassword) {
            try await seat.signIn(with: .password(email: "ann@example.com", password: "wrong one"))
        }
        XCTAssertIdentical(seat.currentUser, user)
    }

    func testChangesTellWhoSitsThereAndWhoCameAndWent() async throws {
        let world = World()
        let seat = world.seat()
        var changes = seat.changes().makeAsyncIterator()
        guard case .current(nil)? = await changes.next() else { return XCTFail("nobody at first") }
        let user = try await seat.signInAnonymously().user
        guard case .signedIn(let came)? = await changes.next() else { return XCTFail("somebody came") }
        XCTAssertIdentical(came, user)
        try await seat.signOut()
        guard case .signedOut? = await changes.next() else { return XCTFail("somebody went") }
    }
}
