@testable import AuthCore
import XCTest

/// A plan that is built by its values is the one that is made of an account.
final class MergePlanTests: XCTestCase {
    func testMethodsAndFactorsOfAPlanAreTheirValues() throws {
        let account = try RecordSamples.fullAccount()
        let method = try XCTUnwrap(account.methods.first { $0.identity != nil })
        let made = Merge.Plan.Method(method, of: account)
        let built = Merge.Plan.Method(
            kind: .federated,
            provider: method.kind.provider,
            identity: method.identity?.key,
            name: made.name,
            generation: method.generation,
            isSuspended: method.suspension != nil
        )
        XCTAssertEqual(made, built)
        let factor = try XCTUnwrap(account.factors.first)
        let name = "codes sent to +*******0002 (“mobile”)"
        XCTAssertEqual(Merge.Plan.Factor(factor), Merge.Plan.Factor(id: factor.id, name: name))
    }
}
