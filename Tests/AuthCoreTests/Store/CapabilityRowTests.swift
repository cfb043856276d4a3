import Foundation
import XCTest

@testable import AuthCore

/// The store keeps most notices in a short form, which must never say less than the notice did.
final class CapabilityRowTests: XCTestCase {
    private let noon = Timestamp(milliseconds: 1_767_268_800_123)
    private let ann = AccountID(bits: 7)

    func testWhatIsKeptIsGivenBackAsItWas() throws {
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        var told = ContestedChange(methods: [3])
        told.toldTo = mail
        var toldOfNothing = ContestedChange()
        toldOfNothing.toldTo = mail
        let changes = [
            ContestedChange(), ContestedChange(methods: [0]), ContestedChange(methods: [.max]), told, toldOfNothing,
            ContestedChange(methods: [1, 2]), ContestedChange(factors: [FactorID(bits: 1)]),
            ContestedChange(email: mail), ContestedChange(recoveryCodes: []),
            ContestedChange(methods: [1], recoveryCodes: [RecoveryCode(hash: [1, 2, 3])]),
            ContestedChange(methods: [1], deletedUntil: noon),
        ]
        for change in changes {
            for (expiresAt, seat, epoch) in [
                (noon + .days(1), nil, nil), (nil, nil, nil), (noon, SeatID("kitchen"), nil),
                (noon, nil, UInt32(3)),
            ] {
                for account in [ann, nil] {
                    try check(
                        Capability(
                            key: CapabilityKey(bits: 9),
                            account: account,
                            createdAt: noon,
                            expiresAt: expiresAt,
                            seat: seat,
                            epoch: epoch,
                            content: .notMe(change)
                        )
                    )
                }
            }
        }
        let samples = try RecordSamples.capabilities()
        for capability in samples { try check(capability) }
        // What the short form does not hold is named there one by one: a field more has to be named too.
        XCTAssertEqual(
            Mirror(reflecting: try XCTUnwrap(samples.first)).children.compactMap(\.label),
            ["key", "account", "createdAt", "expiresAt", "seat", "epoch", "content"]
        )
    }

    private func check(_ capability: Capability) throws {
        var tables = InMemoryTables(eventLimit: 1)
        var changes = ChangeSet(operation: OperationID(bits: 1), at: noon)
        changes.capabilities = [.put(capability)]
        guard case .committed = tables.commit(changes) else { return XCTFail("\(capability) was not kept") }
        XCTAssertEqual(tables.capability(capability.key), capability)
        let row = try XCTUnwrap(tables.capabilities.row(capability.key))
        XCTAssertEqual(row.purpose, capability.purpose)
        for moment in [noon - .seconds(1), noon, noon + .days(1)] {
            XCTAssertEqual(row.isLive(at: moment), capability.isLive(at: moment))
        }
    }
}
