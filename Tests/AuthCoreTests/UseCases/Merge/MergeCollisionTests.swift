@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Identities, numbers and factors that stay behind because the target has something in their place.
final class MergeCollisionTests: LimitedTestCase {
    private var world = World(.standard)

    func testANumberThatIsAFactorThereDoesNotSignInThereToo() async throws {
        let auth = world.device()
        let ann = try await world.signUp(
            "ann@example.com",
            linking: world.digits(to: "+15550001234", from: auth),
            in: auth
        )
        let ben = try await world.signUp("ben@example.com")
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        let giver = try XCTUnwrap(source)
        var receiver = try XCTUnwrap(target)
        _ = receiver.addFactor(.phone(try XCTUnwrap(giver.phoneNumber)), named: nil, id: 1, at: world.clock.timestamp)
        func why() -> [Merge.Plan.Collision] {
            Merge.Plan(giver, into: receiver, choices: [], under: world.policy).stays.filter { $0.thing.kind == .phone }
                .map(\.why)
        }
        XCTAssertEqual(why(), [.numberIsFactor])
        world.policy.phoneWithFactors = .refused
        XCTAssertEqual(why(), [])
    }

    func testOfTwoIdentitiesOfOneProviderTheFirstMoves() async throws {
        let ann = try await world.signIn(.gitHub)
        let ben = try await world.signUp("ben@example.com")
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var giver = try XCTUnwrap(source)
        let second = Identity(key: Identity.Key(issuer: "https://other.example", subject: "2"), provider: .gitHub)
        _ = giver.add(.federated(second), at: world.clock.timestamp)
        let plan = Merge.Plan(giver, into: try XCTUnwrap(target), choices: [], under: world.policy)
        XCTAssertEqual(plan.moves.map(\.generation), giver.methods.prefix(1).map(\.generation))
        XCTAssertEqual(plan.stays.map(\.thing.generation), giver.methods.suffix(1).map(\.generation))
        XCTAssertEqual(plan.stays.map(\.why), [.targetHasProvider])
    }

    func testAFactorWhoseNumberSignsInStaysWhereOneNumberMayNotBeBoth() async throws {
        let ann = try await world.signUp("ann@example.com")
        let auth = world.device()
        let ben = try await world.signUp(
            "ben@example.com",
            linking: world.digits(to: "+15550001234", from: auth),
            in: auth
        )
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var (giver, receiver) = (try XCTUnwrap(source), try XCTUnwrap(target))
        let number = try XCTUnwrap(receiver.phoneNumber)
        let other = try XCTUnwrap(PhoneNumber("+15550009999"))
        _ = giver.addFactor(.phone(number), named: nil, id: 1, at: world.clock.timestamp)
        _ = giver.addFactor(.phone(other), named: nil, id: 2, at: world.clock.timestamp)
        let strict = Merge.Plan(giver, into: receiver, choices: [], under: world.policy)
        XCTAssertEqual(strict.stayingFactors.map(\.why), [.numberSignsIn])
        XCTAssertEqual(strict.factors.count, 1)
        world.policy.phoneWithFactors = .refused
        let lax = Merge.Plan(giver, into: receiver, choices: [], under: world.policy)
        XCTAssertEqual(lax.stayingFactors, [])
        receiver.methods.removeAll { $0.kind.methodKind == .phone }
        world.policy.phoneWithFactors = .asksForFactor
        let free = Merge.Plan(giver, into: receiver, choices: [], under: world.policy)
        XCTAssertEqual(free.factors.count, 2)
    }

    func testAFactorThatTheReceivingAccountHasTooStays() async throws {
        let ann = try await world.signUp("ann@example.com")
        let ben = try await world.signUp("ben@example.com")
        let (source, target) = try await (world.storedAccount(ann), world.storedAccount(ben))
        var (giver, receiver) = (try XCTUnwrap(source), try XCTUnwrap(target))
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        _ = giver.addFactor(.phone(number), named: "hers", id: 1, at: world.clock.timestamp)
        _ = receiver.addFactor(.phone(number), named: "his", id: 2, at: world.clock.timestamp)
        let plan = Merge.Plan(giver, into: receiver, choices: [], under: world.policy)
        XCTAssertEqual(plan.stayingFactors.map(\.why), [.targetHasFactor])
        XCTAssertEqual(plan.factors, [])
    }
}
