@testable import AuthCore
import AuthCoreTesting
import XCTest

final class AdministrationTests: FlowTestCase {
    func testAnAccountIsFoundByEverythingThatIsItsAlone() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: google()).user
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        let key = IdentityKey(
            issuer: SimulatedProvider.google.issuer,
            subject: SimulatedPerson.ann.subject(at: .google)
        )
        let found = [
            try await service.account(ann.account.id), try await service.account(email: "ANN@example.com"),
            try await service.account(phoneNumber: "+15550001234"), try await service.account(identity: key),
        ]
        XCTAssertEqual(found.map { $0?.id }, Array(repeating: ann.account.id, count: 4))
        let nobody = [
            try await service.account(email: "nobody@example.com"),
            try await service.account(phoneNumber: "+15550009999"),
            try await service.account(identity: IdentityKey(issuer: "google.com", subject: "1")),
        ]
        XCTAssertEqual(nobody, [nil, nil, nil])
    }

    func testADisabledAccountCanDoNothingUntilItIsEnabledAgain() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        let disabled = try await service.setDisabled(true, account: ann.account.id)
        XCTAssertTrue(disabled.isDisabled)
        let acts: [(String, () async throws -> Void)] = [
            ("sign in", { try await auth.signIn(with: Self.annsPassword) }),
            ("reload", { try await ann.reload() }),
            ("link", { try await ann.link(with: self.facebook()) }),
            ("unlink", { try await ann.unlink(.password) }),
            ("profile", { try await ann.updateProfile(displayName: .set("Annie")) }),
            ("email", { try await ann.updateEmail(to: "new@example.com") }),
            ("verification", { try await ann.sendEmailVerification() }),
            ("sessions", { _ = try await ann.sessions() }),
            ("factor", { _ = try await ann.multiFactor.startTOTP(issuer: "Boats") }),
        ]
        for (name, act) in acts {
            try await refusal(.userDisabled, .accountIsDisabled, name) { try await act() }
        }
        try await service.setDisabled(false, account: ann.account.id)
        try await ann.reload()
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds.suffix(2), [.accountDisabled, .accountEnabled])
    }

    func testDisablingTwiceIsToldOnce() async throws {
        let ann = try await signUpAnn()
        try await service.setDisabled(true, account: ann.account.id)
        try await service.setDisabled(true, account: ann.account.id)
        let count = try await eventKinds().count { $0 == .accountDisabled }
        XCTAssertEqual(count, 1)
    }

    func testADeletedAccountIsGoneForEverybody() async throws {
        let ann = try await signUpAnn()
        try await service.deleteAccount(ann.account.id)
        try await refusal(.userNotFound) { try await ann.reload() }
        try await refusal(.userNotFound) { try await service.account(ann.account.id) }
        try await refusal(.userNotFound) { try await service.deleteAccount(ann.account.id) }
    }

    func testRevokingEndsEverySessionOfTheAccountAndOfNobodyElse() async throws {
        let ann = try await signUpAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        let ben = try await seat("third").signIn(with: google(.ben)).user
        try await service.revokeSessions(of: ann.account.id)
        for user in [ann, other] { try await refusal(.userTokenExpired) { try await user.reload() } }
        try await ben.reload()
        try await seat().signIn(with: Self.annsPassword)
    }

    func testPagesGoThroughEveryAccountOnceInOrder() async throws {
        var made: Set<AccountID> = []
        for index in 0..<23 {
            let user = try await seat("\(index)").signUp(email: "p\(index)@example.com", password: Self.password).user
            made.insert(user.account.id)
        }
        for size in [1, 7, 23, 100] {
            var seen: [AccountID] = []
            while true {
                let page = try await service.accounts(after: seen.last, limit: size)
                if page.isEmpty { break }
                XCTAssertLessThanOrEqual(page.count, size)
                seen += page.map(\.id)
            }
            XCTAssertEqual(seen, made.sorted(), "\(size)")
        }
    }

    func testEventsAreReadInPagesWithoutGaps() async throws {
        for index in 0..<5 {
            try await seat().signUp(email: "p\(index)@example.com", password: Self.password)
        }
        var seen: [UInt64] = []
        while true {
            let page = try await service.events(after: seen.last ?? 0, limit: 3)
            XCTAssertEqual(page.oldest, 1)
            if page.events.isEmpty { break }
            seen += page.events.map(\.sequence)
        }
        XCTAssertEqual(seen, Array(1...10))
    }

    func testASweepRemovesWhatHasExpiredAndNothingElse() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.sendEmailVerification()
        let live = try newestCode(to: "ann@example.com")
        _ = try await auth.sendPhoneCode(to: "+15550001234")
        clock.advance(by: 600)
        let report = try await service.sweep()
        XCTAssertEqual(report.capabilities, 1)
        XCTAssertEqual(report.sessions, 0)
        try await auth.applyActionCode(live)
        try await ann.reload()
    }
}
