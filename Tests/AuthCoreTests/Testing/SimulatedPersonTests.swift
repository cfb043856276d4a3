@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SimulatedPersonTests: LimitedTestCase {
    private let everyID: [ProviderID] = [
        .google, .apple, .facebook, .gitHub, .twitter, .microsoft, "oidc.one", "oidc.two",
    ]

    func testEveryPersonHasASubjectOfTheirOwnAtEveryProvider() {
        let people: [SimulatedPerson] =
            [.ann, .ben, .eve] + (0..<500).map { SimulatedPerson(name: "P", email: "p\($0)@example.com") }
        let subjects = people.flatMap { person in everyID.map { person.subject(at: $0) } }
        XCTAssertEqual(Set(subjects).count, people.count * everyID.count)
    }

    func testASubjectStaysWhenAddressAndNameChange() {
        let changed = SimulatedPerson.ann.with(email: "ann@gmail.com").with(name: "Ann Baker")
        for id in everyID {
            XCTAssertEqual(changed.subject(at: id), SimulatedPerson.ann.subject(at: id))
            XCTAssertEqual(SimulatedPerson.ann.with(email: nil).subject(at: id), SimulatedPerson.ann.subject(at: id))
        }
        XCTAssertEqual(changed.email, "ann@gmail.com")
        XCTAssertEqual(changed.name, "Ann Baker")
    }

    func testAnImpostorWithTheSameAddressIsSomebodyElse() {
        let impostor = SimulatedPerson.eve.with(email: SimulatedPerson.ann.email)
        for id in everyID {
            XCTAssertNotEqual(impostor.subject(at: id), SimulatedPerson.ann.subject(at: id))
        }
    }

    func testSubjectsHaveTheFormOfTheProvider() {
        let ann = SimulatedPerson.ann
        XCTAssertEqual(ann.subject(at: .google).count, 21)
        for id in [ProviderID.google, .facebook, .gitHub, .twitter] {
            XCTAssertTrue(ann.subject(at: id).allSatisfy { ("0"..."9").contains($0) }, "\(id)")
        }
        XCTAssertEqual(ann.subject(at: .apple).split(separator: ".").map(\.count), [6, 32, 4])
        XCTAssertEqual(ann.subject(at: "oidc.one").count, 32)
    }

    func testUserNamesAreMadeFromTheAddressOrTheName() {
        XCTAssertEqual(SimulatedPerson.ann.username, "ann")
        XCTAssertEqual(SimulatedPerson(name: "Zoë O'Hara", email: nil).username, "zoohara")
        XCTAssertEqual(SimulatedPerson(name: "", email: nil).username, "somebody")
    }
}
