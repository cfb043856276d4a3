@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import XCTest

final class RemappingTests: XCTestCase {
    func testTwoThousandPeopleMoveToANewTenant() async throws {
        let provider = SimulatedProvider.generic("oidc.acme")
        let world = World(providers: [provider])
        let device = world.device()
        var moves: [SubjectMove] = []
        var uids: [String: String] = [:]
        for index in 0..<2000 {
            let token = SimulatedToken(subject: "old-\(index)", email: .absent)
            let user = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: token)).user
            uids["new-\(index)"] = user.uid
            moves.append(
                SubjectMove(
                    from: Identity.Key(issuer: provider.issuer, subject: "old-\(index)"),
                    to: Identity.Key(issuer: provider.issuer, subject: "new-\(index)")
                )
            )
        }
        let report = try await world.service.remapSubjects(moves)
        XCTAssertEqual(report.moved, 2000)
        for index in [0, 999, 1999] {
            let token = SimulatedToken(subject: "new-\(index)", email: .absent)
            let result = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: token))
            XCTAssertEqual(result.user.uid, uids["new-\(index)"])
            let old = SimulatedToken(subject: "old-\(index)", email: .absent)
            let stranger = try await device.signIn(with: world.credential("oidc.acme", .ann, saying: old))
            XCTAssertTrue(stranger.isNewUser)
        }
        let again = try await world.service.remapSubjects(Array(moves.suffix(3)))
        XCTAssertEqual(again.moved, 0)
        XCTAssertEqual(again.taken.count + again.unknown.count, 3)
    }
}
